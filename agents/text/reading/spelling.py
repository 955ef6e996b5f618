"""One spelling for words that people write in many ways; the tables elsewhere use this one."""

import re
from pathlib import Path

import msgspec

from bazaarbatna.lazily import kept
from bazaarbatna.number_words import (
    ENGLISH_SCALES,
    HINDI_SCALES,
    NUMBERS,
    TENS,
    UNITS,
    heard,
)
from bazaarbatna.word_tables import read_table

_CONSONANTS = {
    "क": "k", "ख": "kh", "ग": "g", "घ": "gh", "ङ": "n", "च": "ch", "छ": "chh", "ज": "j",
    "झ": "jh", "ञ": "n", "ट": "t", "ठ": "th", "ड": "d", "ढ": "dh", "ण": "n", "त": "t",
    "थ": "th", "द": "d", "ध": "dh", "न": "n", "प": "p", "फ": "f", "ब": "b", "भ": "bh",
    "म": "m", "य": "y", "र": "r", "ल": "l", "ळ": "l", "व": "w", "श": "sh", "ष": "sh",
    "स": "s", "ह": "h",
}  # fmt: skip
_VOWELS = {
    "अ": "a", "आ": "A", "इ": "i", "ई": "i", "उ": "u", "ऊ": "u", "ऋ": "ri", "ए": "e", "ऐ": "ai",
    "ओ": "o", "औ": "au", "ऑ": "o", "ऍ": "e",
}  # fmt: skip
_SIGNS = {
    "ा": "A", "ि": "i", "ी": "i", "ु": "u", "ू": "u", "ृ": "ri", "े": "e", "ै": "ai", "ो": "o",
    "ौ": "au", "ॉ": "o", "ॅ": "e",
}  # fmt: skip
_NASALS = {"ं": "n", "ँ": "n", "ः": "h"}
_SILENT = "\u094d"
"""The stroke below a consonant that takes its vowel away."""

_INHERENT = "@"
"""The short a that a bare consonant carries; it is spoken or not by its place."""

Sound = tuple[str, bool]


def to_latin(word: str) -> str | None:
    """Write a Devanagari word as people type it; None for other words.

    The short vowel of a bare consonant is dropped at the end and between a vowel and a consonant
    with one ("करता": karta), so is a nasal at the end ("परसों": parso); a long a is doubled in words
    of one syllable alone ("काम": kaam).

    >>> to_latin("दिमाग"), to_latin("निकलना"), to_latin("काम"), to_latin("kaam")
    ('dimag', 'nikalna', 'kaam', None)
    """
    sounds = _sounds(word)
    if sounds is None:
        return None
    spoken = _without_silent(sounds)
    if len(spoken) > 2 and word[-1] in _NASALS:
        spoken.pop()
    syllables = sum(vowel for _, vowel in spoken)
    ends_long = bool(spoken) and spoken[-1][0] == "A"
    long_a = "aa" if syllables == 1 and not ends_long else "a"
    text = "".join(letters for letters, _ in spoken).replace("A", long_a).replace(_INHERENT, "a")
    return "v" + text[1:] if text.startswith(("wi", "we")) else text


def _sounds(word: str) -> list[Sound] | None:
    sounds: list[Sound] = []
    for letter in word:
        if letter in _CONSONANTS:
            sounds += [(_CONSONANTS[letter], False), (_INHERENT, True)]
        elif letter in _VOWELS:
            sounds.append((_VOWELS[letter], True))
        elif letter in _NASALS:
            sounds.append((_NASALS[letter], False))
        elif letter in _SIGNS or letter == _SILENT:
            if not sounds or sounds[-1][0] != _INHERENT:
                return None
            sounds.pop()
            if letter in _SIGNS:
                sounds.append((_SIGNS[letter], True))
        else:
            return None
    return sounds


def _without_silent(sounds: list[Sound]) -> list[Sound]:
    kept = list(sounds)
    if len(kept) > 2 and kept[-1][0] == _INHERENT:
        kept.pop()
    place = len(kept) - 3
    while place >= 2:
        around = [kept[i][1] for i in (place - 2, place - 1, place + 1, place + 2)]
        if kept[place][0] == _INHERENT and around == [True, False, False, True]:
            del kept[place]
        place -= 1
    return kept


class _Spellings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pairs: str
    variants: dict[str, str]


_FOUND = read_table(Path(__file__).with_suffix(".toml"), _Spellings)
_PAIRS = _FOUND.pairs.split()
WORDS = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_SPELLING = WORDS | {
    variant: word for word, variants in _FOUND.variants.items() for variant in variants.split()
}
_DEVANAGARI = re.compile("[\u0900-\u097f]+")
_STRETCHED = re.compile(r"(.)\1{2,}")


_ENGLISH = frozenset(word for word in (*UNITS, *TENS, *ENGLISH_SCALES) if not word.isascii())
"""English numbers in Devanagari letters: फाइव हंड्रेड."""


@kept(8192)
def spell(word: str) -> str:
    """Return the one spelling of a lower-case word without apostrophes.

    >>> spell("nahin"), spell("jaldiiii"), spell("don't")
    ('nahi', 'jaldi', 'dont')
    """
    bare = word.replace("'", "")
    known = _SPELLING.get(bare)
    if known is not None:
        return known
    if bare in NUMBERS or bare in HINDI_SCALES or bare in _ENGLISH:
        return bare
    bare = _DEVANAGARI.sub(lambda run: to_latin(run[0]) or run[0], bare)
    bare = _SPELLING.get(bare, bare)
    if _STRETCHED.search(bare):
        bare = _STRETCHED.sub(r"\1", bare)
        bare = _SPELLING.get(bare, bare)
    return heard(bare) or bare


def word_set(words: str) -> frozenset[str]:
    """Make a set of words in their one spelling."""
    return frozenset(spell(word) for word in words.split())
