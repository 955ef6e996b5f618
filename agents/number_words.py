"""Whole numbers as people say them, in English and in Hindi in Latin script."""

from collections.abc import Mapping

from agents.reading.number_words_english import TENS, UNITS
from agents.reading.number_words_hindi import NUMBERS


def _spelled(table: Mapping[str, int]) -> list[str]:
    """Return the first spelling of every number, as the reader of speech knows it."""
    first: dict[int, str] = {}
    for word, value in table.items():
        first.setdefault(value, word)
    return list(first.values())


ENGLISH, ENGLISH_TENS = ["zero", *_spelled(UNITS)], _spelled(TENS)
HINDI = ["shunya", *_spelled(NUMBERS)]
"""Words for 0..99: Hindi has its own for each."""

SCALES = {
    "english": ((10_000_000, "crore"), (100_000, "lakh"), (1_000, "thousand"), (100, "hundred")),
    "western": (
        (1_000_000_000, "billion"),
        (1_000_000, "million"),
        (1_000, "thousand"),
        (100, "hundred"),
    ),
    "hindi": ((10_000_000, "crore"), (100_000, "lakh"), (1_000, "hazaar"), (100, "sau")),
}
HALVES = {1.5: "dedh", 2.5: "dhai"}
QUARTERS = ((0.25, "sava", 0, 1), (0.5, "saadhe", 0, 3), (0.75, "paune", 1, 1))
"""Parts of a scale, the word, what the spoken number is too high by, the least spoken number."""


def words(number: int, language: str = "english") -> str:
    """Write a number in words.

    Args:
        number: 0 up to 10**12.
        language: english (lakh, crore), western (million, billion) or hindi.

    >>> words(1750)
    'one thousand seven hundred fifty'
    >>> words(250_000, "hindi")
    'do lakh pachas hazaar'
    """
    if number < 100:
        return _small(number, language)
    for scale, name in SCALES[language]:
        if number >= scale:
            count, rest = divmod(number, scale)
            head = f"{words(count, language)} {name}"
            return f"{head} {words(rest, language)}" if rest else head
    raise AssertionError("every number of 100 or more has a scale")


def spoken(number: int) -> frozenset[str]:
    """Give the ways to say a number, the short ones of the market too.

    >>> sorted(spoken(250))
    ['dhai sau', 'do sau pachas', 'two fifty', 'two hundred and fifty', 'two hundred fifty']
    """
    ways = {words(number, language) for language in SCALES}
    ways |= {_with_and(way) for way in ways}
    hundreds, rest = divmod(number, 100)
    if 10 < hundreds < 100:
        tail = (f" {words(rest)}", f" {words(rest, 'hindi')}") if rest else ("", "")
        ways |= {f"{words(hundreds)} hundred{tail[0]}", f"{words(hundreds, 'hindi')} sau{tail[1]}"}
    if 0 < hundreds < 100 and rest >= 10:
        ways.add(f"{words(hundreds)} {words(rest)}")
    return frozenset(ways | _quarters(number))


def _small(number: int, language: str) -> str:
    if language == "hindi":
        return HINDI[number]
    if number < 20:
        return ENGLISH[number]
    tens, unit = divmod(number, 10)
    return ENGLISH_TENS[tens - 2] + (f" {ENGLISH[unit]}" if unit else "")


def _with_and(way: str) -> str:
    head, hundred, tail = way.rpartition(" hundred ")
    return f"{head}{hundred}and {tail}" if hundred else way


def _quarters(number: int) -> set[str]:
    ways = set()
    for scale, name in SCALES["hindi"]:
        count = number / scale
        if count in HALVES:
            ways.add(f"{HALVES[count]} {name}")
        whole, part = divmod(count, 1)
        for share, word, more, least in QUARTERS:
            said = int(whole) + more
            if part == share and least <= said < 100:
                ways.add(f"{word} {HINDI[said]} {name}")
                if said == 1:
                    ways.add(f"{word} {name}")
    return ways
