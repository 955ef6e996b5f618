"""Every colour of words against every ground it stands on reaches WCAG AA, by day and by night."""

import math
import re
from pathlib import Path

import pytest
from django.contrib import admin

CSS = Path(__file__).resolve().parents[2] / "static" / "css"
TOKENS = (CSS / "tokens.css").read_text()
PAIR = re.compile(r"--([\w-]+): light-dark\(oklch\(([\d. ]+)\), oklch\(([\d. ]+)\)\);")
COLOURS = {name: (light, dark) for name, light, dark in PAIR.findall(TOKENS)}

GROUNDS = ("paper", "paper-raised", "paper-sunk")
WORDS = ("ink", "ink-soft", "accent", "ask", "bid", "deal", "walk")
TEXT = [
    *((word, ground) for word in WORDS for ground in GROUNDS),
    *(("ink", f"{side}-wash") for side in ("accent", "ask", "bid", "deal", "walk")),
    *((side, f"{side}-wash") for side in ("ask", "bid", "deal", "walk")),
    *((f"buyer-{place}", ground) for place in range(1, 5) for ground in GROUNDS),
    ("accent-strong", "accent-wash"),
    ("ink-soft", "bid-wash"),
    ("on-accent", "accent"),
]
CONTROLS = [(name, ground) for name in ("edge", "bid") for ground in GROUNDS]
AA_TEXT, AA_CONTROL = 4.5, 3.0


def luminance(oklch: str) -> float:
    """Relative luminance of an OKLCH colour (Ottosson 2020), held in the sRGB gamut."""
    lightness, chroma, hue = (float(part) for part in oklch.split())
    a = chroma * math.cos(math.radians(hue))
    b = chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    red, green, blue = (min(max(channel, 0.0), 1.0) for channel in linear)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_is_the_largest_contrast() -> None:
    assert contrast("0 0 0", "1 0 0") == pytest.approx(21, abs=0.01)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("words", "ground"), TEXT)
def test_words_can_be_read(words: str, ground: str, scheme: int) -> None:
    assert contrast(COLOURS[words][scheme], COLOURS[ground][scheme]) >= AA_TEXT


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("edge", "ground"), CONTROLS)
def test_controls_can_be_seen(edge: str, ground: str, scheme: int) -> None:
    assert contrast(COLOURS[edge][scheme], COLOURS[ground][scheme]) >= AA_CONTROL


SHEETS = {path.name: path.read_text() for path in CSS.glob("*.css")}
USED, DEFINED = re.compile(r"var\((--[\w-]+)\)"), re.compile(r"(--[\w-]+)\s*:")
FROM_OUTSIDE = {"--side", "--chart-letters"}
"""Set on an element around those that are drawn with them, by another sheet."""
ADMIN = Path(admin.__file__).parent / "static" / "admin" / "css" / "base.css"


@pytest.mark.parametrize("name", SHEETS)
def test_what_a_sheet_draws_with_is_there_on_its_page(name: str) -> None:
    """Not in some other sheet alone, nor for elements of another kind: that draws nothing."""
    there = {*DEFINED.findall(TOKENS + SHEETS[name] + ADMIN.read_text()), *FROM_OUTSIDE}
    assert set(USED.findall(SHEETS[name])) <= there
