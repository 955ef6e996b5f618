"""How like two lines are in their words: an answer fits best what it was written for."""

import math
import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache

from agents.lines.register import Register
from agents.speaking.bank import corpus

NUKTA, NASAL = "\u093c", ("\u0901", "\u0902")
"""The dot below a letter, and the two signs of a nasal vowel."""
_WORDS = re.compile(r"[a-z\u0900-\u097f]+")

Weights = dict[str, float]
"""Words of a line with their weights; the squares add up to 1."""


@lru_cache(maxsize=4096)
def spelt(text: str) -> str:
    """Spell Hindi as phones do: with or without dots below, any sign for a nasal vowel.

    >>> spelt("ज़रा हूँ") == spelt("जरा हूं")
    True
    """
    apart = unicodedata.normalize("NFD", text.lower())
    return unicodedata.normalize("NFC", apart.replace(NUKTA, "").replace(*NASAL))


def likeness(text: str, language: Register) -> dict[str, float]:
    """Return how like a line is to each line that the exchanges of a language answer, 0..1.

    The cosine of their words, each weighed by how rare it is (inverse document frequency).
    """
    known = _weights(text, language)
    near: dict[str, float] = {}
    for word, weight in known.items():
        for said, other in _said(language).get(word, ()):
            near[said] = near.get(said, 0.0) + weight * other
    return near


def _weights(text: str, language: Register) -> Weights:
    rarity = _rarity(language)
    words = {word: rarity.get(word, 0.0) for word in _WORDS.findall(spelt(text))}
    length = math.sqrt(sum(value * value for value in words.values()))
    return {word: value / length for word, value in words.items() if value} if length else {}


@cache
def _rarity(language: Register) -> Weights:
    lines = {one.said for one in corpus() if one.language == language and one.said}
    count = Counter(word for line in lines for word in set(_WORDS.findall(spelt(line))))
    return {word: math.log(len(lines) / number) for word, number in count.items()}


@cache
def _said(language: Register) -> dict[str, list[tuple[str, float]]]:
    """Give the lines that a word stands in, with its weight there."""
    found: dict[str, list[tuple[str, float]]] = {}
    for line in sorted({one.said for one in corpus() if one.language == language}):
        for word, weight in _weights(line, language).items():
            found.setdefault(word, []).append((line, weight))
    return found
