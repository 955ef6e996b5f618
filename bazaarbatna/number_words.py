"""Number words: read as values in the spellings people type, and written in one spelling."""

import re
from pathlib import Path

import msgspec

from bazaarbatna.word_tables import read_table


class _English(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    units: dict[str, int]
    tens: dict[str, int]
    scales: dict[str, int]


class _Hindi(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    numbers: tuple[str, ...]
    also_words: tuple[str, ...]
    scales: dict[str, int]
    fixed: dict[str, float]
    quarters: dict[str, float]


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    english: str
    tens: str
    hindi: str


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    english: _English
    hindi: _Hindi
    heard_before: dict[str, dict[str, str]]
    written: _Written


_WORDS = read_table(Path(__file__).with_name("number_words.toml"), _Words)

UNITS, TENS, ENGLISH_SCALES = _WORDS.english.units, _WORDS.english.tens, _WORDS.english.scales
NUMBERS = {
    word: value
    for value, spellings in enumerate(_WORDS.hindi.numbers, start=1)
    for word in spellings.split()
}

ALSO_WORDS = frozenset(_WORDS.hindi.also_words)
HEARD_BEFORE = _WORDS.heard_before
HINDI_SCALES, FIXED, PARTS = _WORDS.hindi.scales, _WORDS.hindi.fixed, _WORDS.hindi.quarters

SPOKEN_DIGITS = {"zero": 0, **{word: value for word, value in UNITS.items() if value < 10}}

ENGLISH, ENGLISH_TENS = _WORDS.written.english.split(), _WORDS.written.tens.split()
HINDI = _WORDS.written.hindi.split()
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
    """Write a number 0..10**12 in words: english (lakh, crore), western (million) or hindi.

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
    """Return the ways to say a number, the short ones of the market too.

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


_LETTERS_TWICE = re.compile(r"(.)\1+")
LEAST_HEARD = 5
"""Shorter words are not recognised by sound: too many others are near."""


def heard(word: str) -> str | None:
    """Recognise a number word by its sound where its spelling is not in the tables.

    Long vowels and doubled letters are written in every possible way: "pacchees", "bayalees".

    >>> heard("bayalees"), heard("hazzaar"), heard("kharab")
    ('bayalis', 'hazar', None)
    """
    return _HEARD.get(sound(word)) if len(word) >= LEAST_HEARD else None


def sound(word: str) -> str:
    """Write a word as it sounds: long vowels short, letters once."""
    return _LETTERS_TWICE.sub(r"\1", word.replace("ee", "i").replace("oo", "u").replace("w", "v"))


_HEARD = {
    sound(word): word
    for word in (*NUMBERS, *HINDI_SCALES, *FIXED, *PARTS)
    if word.isascii() and len(word) >= LEAST_HEARD and word not in ALSO_WORDS
}


def resembling(word: str) -> str | None:
    """Recognise a number word by its consonants and first vowel, where only a number can stand.

    >>> resembling("choubees"), resembling("tirepan"), resembling("bhaiya")
    ('chaubis', 'tirpan', None)
    """
    return _RESEMBLING.get(_outline(word)) if len(word) >= LEAST_HEARD else None


_VOWELS = re.compile("[aeiouy]+")


def _outline(word: str) -> str:
    plain = word.replace("rh", "d").replace("w", "v").replace("h", "")
    vowels = _VOWELS.findall(plain)
    first = vowels[0].replace("ou", "au")[:2] if vowels else ""
    kind = "o" if first in ("o", "au") else first[:1].replace("e", "i")
    return f"{kind}:" + _LETTERS_TWICE.sub(r"\1", _VOWELS.sub("", plain))


def _only_once() -> dict[str, str]:
    found: dict[str, dict[object, str]] = {}
    for word in (*NUMBERS, *FIXED):
        if word.isascii() and len(word) >= LEAST_HEARD:
            value = NUMBERS.get(word, FIXED.get(word))
            found.setdefault(_outline(word), {}).setdefault(value, word)
    return {key: words.popitem()[1] for key, words in found.items() if len(words) == 1}


_RESEMBLING = _only_once()
