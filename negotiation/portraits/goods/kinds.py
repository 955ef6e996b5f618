"""Which kind of thing a title names: words by kind, beside the drawings in the TOML files here."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from negotiation.search_words import fold


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

_PARTS = re.compile(r"\s(?:with|for|from|by|in)\s|[,:(]", re.IGNORECASE)


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
