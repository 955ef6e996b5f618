"""Letters for the preview image: faces that are found, and what is written where one is missing.

Nothing is ever drawn as an empty box: a character that no face has is written in others or left
out.
"""

import functools
import unicodedata
from collections.abc import Iterator
from typing import Literal

from PIL import ImageFont
from PIL.ImageFont import FreeTypeFont

from agents.text.reading.spelling import to_latin

Face = Literal["display", "display-bold", "control", "control-bold"]

FILES: dict[Face, tuple[str, ...]] = {
    "display": ("NotoSerif-Regular.ttf", "DejaVuSerif.ttf", "Georgia.ttf"),
    "display-bold": ("NotoSerif-Bold.ttf", "DejaVuSerif-Bold.ttf", "Georgia Bold.ttf"),
    "control": ("NotoSans-Regular.ttf", "DejaVuSans.ttf", "Arial.ttf"),
    "control-bold": ("NotoSans-Bold.ttf", "DejaVuSans-Bold.ttf", "Arial Bold.ttf"),
}
"""Face -> font files; the first that is installed is taken. Pillow brings the last resort."""

ALSO = ("NotoSansDevanagari-Regular.ttf", "Lohit-Devanagari.ttf", "Nirmala.ttf", "DejaVuSans.ttf")
"""Font files that are asked for what the face itself has not: Hindi, above all."""

SPELLED = {"₹": "Rs ", "−": "-", "–": "-", "—": "-", "…": "...", "·": "-", "’": "'", "‘": "'",
           "“": '"', "”": '"', "\N{NO-BREAK SPACE}": " "}  # fmt: skip
"""What stands for signs that a face may not have."""

JOINERS = "\u200c\u200d"
"""Marks between letters that say whether they join."""

_NOWHERE = "\U000f0f0f"
"""A private character that no text font has: drawn, it shows how a missing one looks."""

Run = tuple[FreeTypeFont, str]


def runs_of(text: str, face: Face, size: int) -> tuple[Run, ...]:
    """Return a text in pieces that one font can draw; what none can draw is spelled or left out."""
    fonts = _fonts(face, size)
    runs: list[Run] = []
    for cluster in _clusters(unicodedata.normalize("NFC", text)):
        font = next((one for one in fonts if _can_draw(one, cluster)), fonts[0])
        piece = cluster if _can_draw(font, cluster) else _spelled(cluster, fonts[0])
        if runs and runs[-1][0] is font:
            runs[-1] = (font, runs[-1][1] + piece)
        elif piece:
            runs.append((font, piece))
    return tuple(runs)


def width_of(runs: tuple[Run, ...]) -> float:
    """Return the width of a line in pixels."""
    return sum(font.getlength(text) for font, text in runs)


def _clusters(text: str) -> Iterator[str]:
    """Keep a letter and the marks on it together, and a word in Devanagari as a whole."""
    cluster, is_hindi = "", False
    for character in text:
        hindi = "\u0900" <= character <= "\u097f"
        if cluster and (_is_mark(character) or (hindi and is_hindi)):
            cluster += character
            continue
        if cluster:
            yield cluster
        cluster, is_hindi = character, hindi
    if cluster:
        yield cluster


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or character in JOINERS


def _can_draw(font: FreeTypeFont, cluster: str) -> bool:
    # The marks of a script come with its letters; alone they are drawn as nothing.
    letters = [character for character in cluster if not _is_mark(character)]
    return bool(letters) and all(_has(font, character) for character in letters)


def _spelled(cluster: str, font: FreeTypeFont) -> str:
    plain = to_latin(cluster) or "".join(SPELLED.get(c) or _without_marks(c) for c in cluster)
    return "".join(character for character in plain if _has(font, character))


def _without_marks(character: str) -> str:
    apart = unicodedata.normalize("NFKD", character)
    return "".join(c for c in apart if not unicodedata.combining(c))


@functools.lru_cache(maxsize=64)
def _fonts(face: Face, size: int) -> tuple[FreeTypeFont, ...]:
    own = next((font for name in FILES[face] if (font := _font(name, size))), None)
    others = (font for name in ALSO if (font := _font(name, size)))
    return (own or _last_resort(size), *others)


@functools.lru_cache(maxsize=128)
def _font(name: str, size: int) -> FreeTypeFont | None:
    try:
        return ImageFont.truetype(name, size)
    except OSError:
        return None


def _last_resort(size: int) -> FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, FreeTypeFont)
    return font


_drawn: dict[tuple[str, str], bool] = {}
_MOST_REMEMBERED = 20_000


def _has(font: FreeTypeFont, character: str) -> bool:
    """Whether a font has a letter: a missing one is drawn like every other missing one."""
    if character == " ":
        return True
    key = (" ".join(str(part) for part in font.getname()), character)
    if key not in _drawn:
        if len(_drawn) > _MOST_REMEMBERED:
            _drawn.clear()
        mask, missing = font.getmask(character), font.getmask(_NOWHERE)
        is_box = mask.size == missing.size and bytes(mask) == bytes(missing)
        _drawn[key] = not is_box and min(mask.size) > 0
    return _drawn[key]
