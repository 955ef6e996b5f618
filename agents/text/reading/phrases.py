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
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from agents.text.reading.spelling import spell, word_set
from bazaarbatna.lazily import lazily
from bazaarbatna.word_tables import read_table

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
    """A place in the rows of a table: where a word leads, what that weighs, which rows end here."""

    __slots__ = ("next", "records")

    def __init__(self) -> None:
        self.next: dict[str, tuple[_Node[Record], int]] = {}
        self.records: list[tuple[Record, int]] = []


_Rest = tuple[tuple[int, int, tuple[str, ...]], int]
"""What is left of a row: its number, its next element, words to finish a choice; the weight."""


class Phrasebook(Generic[Record]):
    """Finds every phrase of a table; the time is proportional to the length of the text."""

    def __init__(
        self,
        table: Iterable[tuple[str, Record]],
        classes: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self._table = tuple(table)
        self._root = lazily(self._planted)
        self._classes: dict[str, tuple[str, ...]] = {}
        for name, words in (classes or {}).items():
            for word in words:
                self._classes[word] = (*self._classes.get(word, ()), f"@{name}")

    def _planted(self) -> _Node[Record]:
        rows = [([_choices(word) for word in row.split()], it) for row, it in self._table]
        return _grown([((row, 0, ()), 0) for row in range(len(rows))], rows, {})[0]

    def find(self, pieces: list[Piece]) -> Iterator[Hit[Record]]:
        """Return all phrases, in the order of their starts, overlapping ones too."""
        root, keys = self._root(), [self._keys(piece.text) for piece in pieces]
        at_start = [(root, 0), root.next[START]] if START in root.next else [(root, 0)]
        for first, piece in enumerate(pieces):
            nodes = at_start if first == 0 or piece.breaks else [(root, 0)]
            yield from self._at(pieces, keys, first, nodes)

    def _at(
        self,
        pieces: list[Piece],
        keys: list[tuple[str, ...]],
        first: int,
        nodes: list[tuple[_Node[Record], int]],
    ) -> Iterator[Hit[Record]]:
        place = first
        while nodes and place < len(pieces):
            if place > first and pieces[place].breaks:
                return
            nodes = [
                (step[0], weight + step[1])
                for node, weight in nodes
                for key in keys[place]
                if (step := node.next.get(key)) is not None
            ]
            ends = place + 1 == len(pieces) or pieces[place + 1].breaks
            for node, weight in nodes:
                for record, more in node.records:
                    yield Hit(record, first, place, weight + more)
                if ends and END in node.next:
                    end, weighs = node.next[END]
                    for record, more in end.records:
                        yield Hit(record, first, place, weight + weighs + more)
            place += 1

    def _keys(self, text: str) -> tuple[str, ...]:
        if text == AMOUNT:
            return (AMOUNT,)
        return (text, ANY, *self._classes.get(text, ()))


def _grown(
    rests: list[_Rest],
    rows: list[tuple[list[list[tuple[str, ...]]], Record]],
    known: dict[tuple[_Rest, ...], _Node[Record]],
) -> tuple[_Node[Record], int]:
    """Return the node of some rests, and what the way there weighs beyond what they say.

    Ways with the same rest share it: 29 rows of corrections are 684 nodes, not 246,759.
    """
    least = rests[0][1] if rests else 0
    key = tuple((rest, weight - least) for rest, weight in rests)
    if key in known:
        return known[key], least
    node = known[key] = _Node[Record]()
    following: dict[str, list[_Rest]] = {}
    left = [*reversed(key)]
    while left:
        (row, at, words), weight = left.pop()
        elements, record = rows[row]
        if words:
            rest = (row, at, words[1:]), weight + (-1 if words[0] == ANY else 10)
            following.setdefault(words[0], []).append(rest)
        elif at < len(elements):
            left += [((row, at + 1, one), weight) for one in reversed(elements[at])]
        else:
            node.records.append((record, weight))
    node.next = {word: _grown(behind, rows, known) for word, behind in following.items()}
    return node, least


@cache
def _choices(element: str) -> list[tuple[str, ...]]:
    """Write out every word sequence an element stands for.

    >>> _choices("take|le_lo"), _choices("it?")
    ([('take',), ('le', 'lo')], [('it',), ()])
    >>> _choices("nahin"), _choices("dont")
    ([('nahi',)], [('dont',), ('do', 'not')])
    """
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


def _spelled(word: str) -> str:
    return spell(word) if word[0].isalpha() else word


_CLASSES = read_table(Path(__file__).with_name("classes.toml"), dict[str, str])
CLASSES = {name: word_set(words) for name, words in _CLASSES.items()}
