"""What the project's own lines say: the words, what they double, and which move they go with."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from agents.speech.voice import TONGUES
from agents.text.languages import ENGLISH, HINDI, LOANED
from negotiation.engine.moves import Accept, Move, Offer, Walk

NEARLY_OWN = 0.6
"""A line that shares this much of its words with one of the project's own is that line."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_TOKEN = re.compile(rf"{_WORD.pattern}|\d+(?:[.,]\d+)*")
_SLOT = re.compile(r"\{\w+\}")


def words_of(text: str) -> list[str]:
    """List the words of a text in lower case; numbers are none."""
    return _WORD.findall(text.lower())


def doubled_words(text: str) -> list[str]:
    """List the words and numbers that stand twice in a row."""
    tokens = _TOKEN.findall(text.lower())
    return [first for first, second in pairwise(tokens) if first == second]


@cache
def known_words() -> frozenset[str]:
    """Collect the words of all lines in ``agents/speech/lines``, and of its registers."""
    said = {word for text in _own_lines() for word in words_of(text)}
    return frozenset(said) | HINDI | ENGLISH | LOANED


@cache
def doubled_on_purpose() -> frozenset[str]:
    """Collect the words that the project's own lines say twice in a row."""
    return frozenset(word for text in _own_lines() for word in doubled_words(text))


def meant_for(text: str, title: str = "") -> frozenset[type[Move]]:
    """Name the moves that the nearest of the project's own lines goes with; none if none is near.

    >>> [move.__name__ for move in meant_for("Deal! 64. Aap toh expert nikle ji.")]
    ['Accept']
    """
    words = frozenset(words_of(text)) - frozenset(words_of(title))
    near = [(len(words & own) / len(words | own), move) for own, move in _lines_of_moves() if own]
    best = max((share for share, _ in near), default=0.0)
    if best < NEARLY_OWN:
        return frozenset()
    return frozenset(move for share, move in near if share == best)


@cache
def _lines_of_moves() -> tuple[tuple[frozenset[str], type[Move]], ...]:
    """List the words of each line that goes with a move, and which move."""
    kinds: dict[str, type[Move]] = {
        "accepting": Accept,
        "accepting_unpriced": Accept,
        "walking": Walk,
    }
    pools = [
        (pool, kinds.get(strategy, Offer))
        for tongue in TONGUES.values()
        for strategy, pool in (*tongue.lines.items(), ("answers", tongue.answers))
    ]
    return tuple(
        (frozenset(words_of(_SLOT.sub(" ", text))), move) for pool, move in pools for text in pool
    )


def _own_lines() -> Iterator[str]:
    for tongue in TONGUES.values():
        yield tongue.item
        for pool in (*tongue.lines.values(), *tongue.replies.values()):
            yield from pool
        yield from (*tongue.leads, *tongue.answers, *tongue.questions)
