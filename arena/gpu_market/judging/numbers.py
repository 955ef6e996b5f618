"""Numbers as people and models write them: figures, English words, Hindi words in Latin script."""

import re

import msgspec

from agents.text.reading.number_words import NUMBERS, TENS, UNITS

_SINGLE: dict[str, int] = (
    {word: value for word, value in NUMBERS.items() if word.isascii()}
    | {"zero": 0, "shunya": 0}
    | UNITS
    | TENS
)
"""``saath`` also says "with" and ``do`` is an English verb: patterns ask for a unit beside them."""

_ANY = "|".join(sorted((re.escape(word) for word in _SINGLE), key=lambda word: -len(word)))
_TEN, _UNIT = "|".join(TENS), "|".join(UNITS)
WORDS = (
    rf"(?:(?:(?:{_TEN})[ -](?:{_UNIT})|{_ANY})(?:\s+point(?:\s+(?:{_ANY})){{1,3}})?"
    rf"|point(?:\s+(?:{_ANY})){{1,3}})"
)
FIGURES = r"(?:[0-9]{1,5}(?:\.[0-9]{1,4})?|\.[0-9]{1,4})"

BARE = rf"(?:{FIGURES}|{WORDS})(?![\w]|[.,][0-9])"
"""A number, whatever stands before it."""
NUMBER = rf"(?<![\w.,#-]){BARE}"
"""A number of its own: no part of an id, of a longer number or of a negative one."""


class Number(msgspec.Struct, frozen=True):
    """A number that was said; ``decimals`` is how exactly."""

    value: float
    decimals: int = 0


def number_in(said: str) -> Number:
    """Give the value of a text that ``NUMBER`` matched.

    >>> number_in("0.85")
    Number(value=0.85, decimals=2)
    >>> number_in("twenty-four").value, number_in("chaar").value
    (24.0, 4.0)
    >>> number_in("zero point eight five")
    Number(value=0.85, decimals=2)
    """
    if said[0] in ".0123456789":
        return Number(float(said), len(said.partition(".")[2]))
    whole, point, rest = said.lower().replace("-", " ").partition("point")
    value = sum(_SINGLE[word] for word in whole.split())
    if not point:
        return Number(float(value))
    digits = "".join(str(_SINGLE[word]) for word in rest.split())
    return Number(float(f"{value}.{digits}"), len(digits))
