"""A face from a few parameters, as SVG: flat shapes whose colours are classes of portraits.css.

Everything is drawn in a square of 96, back to front. Head and features are drawn around (48, 46).
"""

import tomllib
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Literal, get_args

import msgspec

Mood = Literal["calm", "pleased", "doubtful", "annoyed", "hurried", "walking"]
Skin = Literal["1", "2", "3", "4", "5"]
Tone = Literal["ink", "brown", "henna", "grey", "white"]
Dye = Literal[
    "madder", "turmeric", "indigo", "neem", "plum", "rani", "teal", "marigold", "cream", "ash"
]
Shape = Literal["oval", "round", "long", "square"]
Hair = Literal[
    "bald",
    "crop",
    "side",
    "wave",
    "curls",
    "bun",
    "knot",
    "bob",
    "long",
    "braid",
    "fringe",
    "receding",
]
Cover = Literal["", "turban", "pagri", "scarf", "hijab", "topi", "taqiyah", "cap"]
Brows = Literal["fine", "straight", "thick"]
Moustache = Literal["", "thin", "thick", "curled"]
Beard = Literal["", "stubble", "short", "full", "goatee"]
Glasses = Literal["", "round", "square", "half"]
Dress = Literal["kurta", "sari", "shirt", "blazer", "dupatta", "round", "waistcoat"]
Jewel = Literal["", "studs", "jhumka", "hoops"]
Mark = Literal["", "bindi", "tilak"]

MOODS: tuple[Mood, ...] = get_args(Mood)


class Face(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one person looks like."""

    skin: Skin = "3"
    shape: Shape = "oval"
    hair: Hair = "crop"
    tone: Tone = "ink"
    cover: Cover = ""
    wrap: Dye = "madder"
    brows: Brows = "straight"
    moustache: Moustache = ""
    beard: Beard = ""
    glasses: Glasses = ""
    dress: Dress = "kurta"
    cloth: Dye = "indigo"
    back: Dye = "turmeric"
    jewel: Jewel = ""
    mark: Mark = ""
    nose_pin: bool = False
    lines: bool = False
    lips: bool = False


def face_svg(face: Face, mood: Mood = "calm", size: int = 48, title: str = "") -> str:
    """Draw a face; with a title it is a picture, without one an ornament.

    >>> face_svg(Face(), "calm", 48).startswith('<svg class="face')
    True
    """
    classes = (
        f"face skin-{face.skin} hair-{face.tone} cloth-{face.cloth} wrap-{face.wrap}"
        f" back-{face.back} is-{mood}"
    )
    return _framed(classes, size, title, _drawn(face, mood))


def initial_svg(name: str, back: Dye, size: int = 48, title: str = "") -> str:
    """Draw an initial: nobody here knows how a person looks."""
    circle = '<circle cx="48" cy="47" r="42"/><text x="48" y="63" text-anchor="middle" '
    text = f'{circle}font-size="46">{escape(name[:1].upper())}</text>'
    return _framed(f"face is-initial back-{back}", size, title, text)


def _framed(classes: str, size: int, title: str, shapes: str) -> str:
    named = f'role="img"><title>{escape(title)}</title>' if title else 'aria-hidden="true">'
    box = f'width="{size}" height="{size}" viewBox="6 5 84 84"'
    return f'<svg class="{classes}" {box} {named}{shapes}</svg>'


@lru_cache(maxsize=2048)  # a face for each mood
def _drawn(face: Face, mood: Mood) -> str:
    figure = _part("behind", face.cover or face.hair) + _part("dress", face.dress)
    figure += _moved("tilt", mood, _head(face) + _features(face, mood))
    return _moved("stance", mood, figure)


def _head(face: Face) -> str:
    hair = _part("hair", face.hair) if face.cover in ("", *OVER_HAIR) else ""
    cover = _part("cover", face.cover)
    on_top = (cover, hair) if face.cover in OVER_HAIR else (hair, cover)
    return "".join(
        (
            _part("base", "neck"),
            "" if face.cover == "hijab" else _part("base", "ears"),
            _part("shape", face.shape),
            _part("jewel", face.jewel),
            _part("beard", face.beard),
            *on_top,
        )
    )


def _features(face: Face, mood: Mood) -> str:
    features = (
        _part("base", "lines") if face.lines else "",
        _part("brows", mood).replace("BROW", f"is-{face.brows}"),
        _part("eyes", mood),
        _part("base", "nose"),
        _part("base", "nose_pin") if face.nose_pin else "",
        _part("mouth", mood).replace("LIP", "l-lip" if face.lips else "l-ink"),
        _part("moustache", face.moustache),
        _part("glasses", face.glasses),
        _part("mark", face.mark),
    )
    return _moved("turn", mood, "".join(features))


def _moved(how: str, mood: Mood, shapes: str) -> str:
    move = _part(how, mood)
    return f'<g transform="{move}">{shapes}</g>' if move else shapes


def _part(of: str, name: str) -> str:
    return _parts()[of].get(name, "")


@cache
def _parts() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {
        of: {name: shapes.replace("\n", "") for name, shapes in part.items()}
        for of, part in tomllib.loads(text).items()
    }


OVER_HAIR = ("scarf",)
"""Covers below which the hair at the forehead shows."""
