"""Which kind of thing a title names: words by kind, beside the drawings in the TOML files here."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path

import msgspec

from negotiation.words import fold


class Kind(msgspec.Struct, frozen=True):
    """A kind of thing: the words that name it, its shapes, and small details to choose from."""

    name: str
    words: tuple[str, ...]
    svg: str
    details: tuple[str, ...] = ("",)


PARCEL = "parcel"
"""The kind of a thing that nobody has drawn."""

OF_CATEGORY = {
    "Books": "books",
    "Watches and jewellery": "watch",
    "Phones": "phone",
    "Computers": "laptop",
    "Clothing": "kurta",
    "Furniture": "table",
    "Kitchen": "pots",
    "Vehicles": "car",
    "Music": "guitar",
    "Brass and crafts": "urli",
}
"""What is likely meant in a category where the title names nothing that is known."""

_PARTS = re.compile(r"\s(?:with|for|from|by|in|of)\s|[,:(]", re.IGNORECASE)


def _kinds() -> dict[str, Kind]:
    files = sorted(Path(__file__).parent.glob("*.toml"))
    return {
        name: msgspec.convert({**row, "name": name}, Kind)
        for file in files
        for name, row in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }


KINDS: Mapping[str, Kind] = _kinds()


@lru_cache(maxsize=4096)  # titles come from visitors too
def kind_of(title: str, category: str = "") -> str:
    """Return the kind of picture that fits: what is named last before a comma or a *with*.

    >>> kind_of("Yamaha F310 acoustic guitar with bag"), kind_of("Something else")
    ('guitar', 'parcel')
    """
    found = (_named(fold(part)) for part in _PARTS.split(title))
    return next(filter(None, found), OF_CATEGORY.get(category, PARCEL))


def _named(words: str) -> str:
    """Return the kind whose word ends last; of two that end together, the longer one wins."""
    matches = (
        (match.end(1), len(match[1]), _kind_of_word()[match[2]])
        for match in _pattern().finditer(words)
    )
    return max(matches, default=(0, 0, ""))[2]


@cache
def _pattern() -> re.Pattern[str]:
    """Find the longest word at every place; it looks ahead, so that words may overlap."""
    longest_first = sorted(_kind_of_word(), key=len, reverse=True)
    return re.compile(rf"\b(?=(({'|'.join(map(re.escape, longest_first))})(?:s|es)?)\b)")


@cache
def _kind_of_word() -> dict[str, str]:
    return {fold(word).strip(): kind.name for kind in KINDS.values() for word in kind.words}


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
