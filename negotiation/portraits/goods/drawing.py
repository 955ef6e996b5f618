"""Flat pictures of goods: the shapes of a kind, its colour and small things varied by a seed."""

from functools import cache
from hashlib import sha256
from html import escape

from negotiation.portraits.goods.kinds import KINDS, PARCEL
from negotiation.search_words import fold

HUES = ("madder", "turmeric", "indigo", "neem", "plum", "rani", "teal", "marigold")

COLOURS = {
    "red": "madder", "maroon": "madder", "wine": "plum", "blue": "indigo", "navy": "indigo",
    "indigo": "indigo", "green": "neem", "olive": "neem", "lime": "neem", "pink": "rani",
    "lemon": "turmeric", "yellow": "turmeric", "orange": "marigold", "white": "cream",
    "ivory": "cream", "cream": "cream", "black": "ash", "grey": "ash", "gunmetal": "ash",
    "charcoal": "ash", "lavender": "plum", "peacock": "teal", "brown": "tan", "tan": "tan",
    "camel": "tan", "walnut": "tan",
}  # fmt: skip
"""A colour that a title names is the colour of the picture."""


def goods_svg(kind: str, seed: int | str = 0, size: int = 160, title: str = "") -> str:
    """Draw a thing; with a title it is a picture, without one an ornament.

    >>> goods_svg("bicycle", 7) == goods_svg("bicycle", 7)
    True
    """
    drawn = KINDS.get(kind, KINDS[PARCEL])
    digest = sha256(f"{seed}".encode()).digest()
    hue = _named_colour(str(seed)) or HUES[digest[0] % len(HUES)]
    beds = tuple(one for one in HUES if one != hue)
    bed = beds[digest[1] % len(beds)]
    shapes = _shapes(drawn.svg) + _shapes(drawn.details[digest[2] % len(drawn.details)])
    flip = "matrix(-1 0 0 1 120 0) " if digest[3] % 2 else ""
    turn = f"rotate({digest[4] % 5 - 2} 60 104)"
    named = f'role="img"><title>{escape(title)}</title>' if title else 'aria-hidden="true">'
    return (
        f'<svg class="goods hue-{hue} bed-{bed}" width="{size}" height="{size}"'
        f' viewBox="0 0 120 120" {named}{_SCENE}<g transform="{flip}{turn}">{shapes}</g></svg>'
    )


_SCENE = (
    '<path class="g-arch" d="M10 120V56C10 28 34 14 60 4c26 10 50 24 50 52v64z"/>'
    '<path class="g-bench" d="M-400 99h920v60h-920z"/>'
    '<ellipse class="g-shade" cx="60" cy="104" rx="46" ry="3.5"/>'
)


def _named_colour(title: str) -> str:
    words = fold(title).replace(",", " ").split()
    return next((COLOURS[word] for word in words if word in COLOURS), "")


@cache
def _shapes(lines: str) -> str:
    return "".join(_shape(line) for line in lines.splitlines() if line.strip())


def _shape(line: str) -> str:
    colour, _, rest = line.partition(" ")
    name, _, width = colour.partition("/")
    look = f'class="s-{name}" stroke-width="{width}"' if width else f'class="g-{name}"'
    match rest.split():
        case ["o", x, y, r]:
            return f'<circle {look} cx="{x}" cy="{y}" r="{r}"/>'
        case ["e", x, y, rx, ry]:
            return f'<ellipse {look} cx="{x}" cy="{y}" rx="{rx}" ry="{ry}"/>'
        case ["r", x, y, w, h, r]:
            return f'<rect {look} x="{x}" y="{y}" width="{w}" height="{h}" rx="{r}"/>'
        case _:
            return f'<path {look} d="{rest}"/>'
