"""A small language for phrases, and a table that finds them in one pass.

A pattern is a line of elements::

    need|want the? money     one of several words; a word that may be missing
    le_lo|lelo               an alternative of two words
    # se kam nahi            ``#`` is an amount
    # other @people          ``@people`` is a word of that class
    bought * * for #         ``*`` is any one word, ``~`` up to two of them
    ^ 50 $                   the start and the end of a clause

Phrases never reach over the end of a sentence, nor over a comma unless a table is made to.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Generic, TypeVar

import msgspec

from agents.reading.spelling import spell

Record = TypeVar("Record")

AMOUNT, ANY, START, END = "#", "*", "^", "$"


class Piece(msgspec.Struct, frozen=True):
    """A word or an amount of the text; ``breaks`` tells that a clause ended before it."""

    text: str
    breaks: bool = False


class Hit(msgspec.Struct, Generic[Record], frozen=True):
    """A phrase found at the pieces ``first..last``.

    ``weight`` is 10 for each element that says something, less 1 for each wild card.
    """

    record: Record
    first: int
    last: int
    weight: int


class _Node(Generic[Record]):
    __slots__ = ("next", "records")

    def __init__(self) -> None:
        self.next: dict[str, _Node[Record]] = {}
        self.records: list[tuple[Record, int]] = []


class Phrasebook(Generic[Record]):
    """Finds every phrase of a table; the time is proportional to the length of the text."""

    def __init__(
        self,
        table: Iterable[tuple[str, Record]],
        classes: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self._root: _Node[Record] = _Node()
        self._classes: dict[str, tuple[str, ...]] = {}
        for name, words in (classes or {}).items():
            for word in words:
                self._classes[word] = (*self._classes.get(word, ()), f"@{name}")
        for pattern, record in table:
            for elements in expand(pattern):
                self._add(elements, record)

    def _add(self, elements: tuple[str, ...], record: Record) -> None:
        node = self._root
        for element in elements:
            node = node.next.setdefault(element, _Node())
        node.records.append((record, sum(-1 if e == ANY else 10 for e in elements)))

    def find(self, pieces: list[Piece]) -> Iterator[Hit[Record]]:
        """Give all phrases, in the order of their starts, overlapping ones too."""
        for first in range(len(pieces)):
            yield from self._at(pieces, first)

    def _at(self, pieces: list[Piece], first: int) -> Iterator[Hit[Record]]:
        nodes = [self._root]
        if (first == 0 or pieces[first].breaks) and START in self._root.next:
            nodes.append(self._root.next[START])
        place = first
        while nodes and place < len(pieces):
            piece = pieces[place]
            if place > first and piece.breaks:
                return
            nodes = [
                step
                for node in nodes
                for key in self._keys(piece.text)
                if (step := node.next.get(key)) is not None
            ]
            ends = place + 1 == len(pieces) or pieces[place + 1].breaks
            for node in nodes:
                for record, weight in node.records:
                    yield Hit(record, first, place, weight)
                if ends and END in node.next:
                    for record, weight in node.next[END].records:
                        yield Hit(record, first, place, weight)
            place += 1

    def _keys(self, text: str) -> tuple[str, ...]:
        if text == AMOUNT:
            return (AMOUNT,)
        return (text, ANY, *self._classes.get(text, ()))


def expand(pattern: str) -> Iterator[tuple[str, ...]]:
    """Write out every word sequence a pattern stands for.

    >>> list(expand("take|le_lo it?"))
    [('take', 'it'), ('take',), ('le', 'lo', 'it'), ('le', 'lo')]
    >>> list(expand("nahin"))
    [('nahi',)]
    >>> list(expand("dont"))
    [('dont',), ('do', 'not')]
    """
    for choice in product(*(_choices(element) for element in pattern.split())):
        yield tuple(word for part in choice for word in part)


def _choices(element: str) -> list[tuple[str, ...]]:
    if element == "~":
        return [(), (ANY,), (ANY, ANY)]
    optional = element.endswith("?")
    words = []
    for alternative in element.rstrip("?").split("|"):
        words.append(tuple(_spelled(word) for word in alternative.split("_")))
        if alternative in SHORTENED:
            words.append((SHORTENED[alternative], "not"))
    return [*words, ()] if optional else words


SHORTENED = {
    "dont": "do", "wont": "will", "cant": "can", "isnt": "is", "arent": "are", "doesnt": "does",
    "didnt": "did", "wasnt": "was", "hasnt": "has", "havent": "have",
}  # fmt: skip
"""What people write in two words too."""


def _spelled(word: str) -> str:
    return spell(word) if word[0].isalpha() else word
