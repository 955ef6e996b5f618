"""A face from a few parameters, as SVG: flat shapes whose colours are classes of portraits.css.

Everything is drawn in a square of 96, back to front. Head and features are drawn around (48, 46).
"""

from collections.abc import Sequence
from html import escape
from typing import Literal, get_args

import msgspec

from negotiation.portraits import face_parts as parts

Mood = Literal["calm", "pleased", "doubtful", "annoyed", "hurried", "walking"]
Skin = Literal["1", "2", "3", "4", "5"]
Tone = Literal["ink", "brown", "henna", "grey", "white"]
Dye = Literal[
    "madder", "turmeric", "indigo", "neem", "plum", "rani", "teal", "marigold", "cream", "ash"
]
Shape = Literal["oval", "round", "long", "square"]
Hair = Literal[
    "bald", "crop", "side", "wave", "curls", "bun", "bob", "long", "braid", "fringe", "receding"
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


CHOICES: dict[str, Sequence[str]] = {
    "skin": get_args(Skin),
    "shape": get_args(Shape),
    "hair": ("crop", "side", "wave", "curls", "bun", "bob", "long"),
    "tone": ("ink", "brown", "grey"),
    "glasses": ("", "", "round", "square"),
    "dress": get_args(Dress),
    "cloth": get_args(Dye),
    "back": get_args(Dye),
}
"""What a stranger's face is drawn from."""


def face_svg(face: Face, mood: Mood = "calm", size: int = 48, title: str = "") -> str:
    """Draw a face; with a title it is a picture, without one an ornament.

    >>> face_svg(Face(), "calm", 48).startswith('<svg class="face')
    True
    """
    classes = (
        f"face skin-{face.skin} hair-{face.tone} cloth-{face.cloth} wrap-{face.wrap}"
        f" back-{face.back} is-{mood}"
    )
    named = f'role="img"><title>{escape(title)}</title>' if title else 'aria-hidden="true">'
    return (
        f'<svg class="{classes}" width="{size}" height="{size}" viewBox="0 0 96 96" {named}'
        f"<g{parts.STANCE.get(mood, '')}>{_behind(face)}{parts.DRESSES[face.dress]}"
        f"<g{parts.TILT.get(mood, '')}>{_head(face)}{_features(face, mood)}</g></g></svg>"
    )


def _behind(face: Face) -> str:
    return parts.BEHIND.get(face.cover or face.hair, "")


def _head(face: Face) -> str:
    return "".join(
        (
            parts.NECK,
            parts.EARS if face.cover != "hijab" else "",
            f'<path class="f-skin" d="{parts.SHAPES[face.shape]}"/>',
            parts.JEWELS[face.jewel],
            parts.BEARDS[face.beard],
            parts.COVERS[face.cover] if face.cover in parts.OVER_HAIR else "",
            parts.HAIRS[face.hair] if face.cover in ("", *parts.OVER_HAIR) else "",
            parts.COVERS[face.cover] if face.cover not in parts.OVER_HAIR else "",
        )
    )


def _features(face: Face, mood: Mood) -> str:
    lip = "l-lip" if face.lips else "l-ink"
    return "".join(
        (
            f"<g{parts.TURN.get(mood, '')}>",
            parts.LINES if face.lines else "",
            f'<path class="l-brow is-{face.brows}" d="{parts.BROWS[mood]}"/>',
            parts.EYES[mood],
            parts.NOSE,
            parts.NOSE_PIN if face.nose_pin else "",
            parts.MOUTHS[mood].replace("LIP", lip),
            parts.MOUSTACHES[face.moustache],
            parts.GLASSES[face.glasses],
            parts.MARKS[face.mark],
            "</g>",
        )
    )
