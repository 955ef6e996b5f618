"""Finds a kind of question by words that stand together in a sentence, in whatever order.

A line of a table is groups of words, each of which the sentence must hold::

    @you dealer|resell*     a class of words, and one of two; ``*`` is any letters
    photo|picture dekh~     ``~`` is the ending of what "you will" do: dekhogi, dekhenge
    second_hand !my         words in a row; none of these
    @kin+played|sang        the second within three words of the first, no comma between them
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from agents.text.reading.pieces import Text
from agents.text.reading.spelling import spell
from bazaarbatna.word_tables import read_patterns, read_table

Record = TypeVar("Record")

GROUP_WEIGHT = 14
_YOU_WILL = "(?:ogi|oge|engi|enge|iega)"
_BETWEEN = r"(?: [\w#]+){0,3} "
_SPELLING = read_table(Path(__file__).with_name("spelling.toml"), dict[str, dict[str, str]])
_SAME, _SHORT = _SPELLING["same"].items(), _SPELLING["short"]
_TWICE = re.compile(r"(.)\1")
_READ = read_patterns(Path(__file__).with_name("together.toml"))
_ASKS, _TELLS = (re.compile("|".join(_READ[name])) for name in ("asks", "tells"))
PUT = re.compile("|".join(_READ["put"]))
PARDON = re.compile("|".join(_READ["pardon"]), re.IGNORECASE)


class Together(Generic[Record]):
    """Lines of groups, each with its record."""

    def __init__(self, table: Mapping[Record, str], classes: Mapping[str, str]) -> None:
        self._lines = [
            (record, *_compiled(line, classes))
            for record, lines in table.items()
            for line in lines.splitlines()
            if line
        ]

    def find(self, cut: Text) -> Iterator[tuple[Record, int]]:
        """Return what the sentences that ask hold, and how much it says."""
        yield from self.of(asking(cut))

    def of(self, sentences: Iterable[str]) -> Iterator[tuple[Record, int]]:
        """Return what sentences in the spelling of here hold, and how much it says."""
        for words in sentences:
            for record, needed, barred in self._lines:
                if all(group.search(words) for group in needed) and not any(
                    group.search(words) for group in barred
                ):
                    yield record, GROUP_WEIGHT * len(needed)


def asking(cut: Text) -> Iterator[str]:
    """Return the sentences that ask, with or without a mark, in one spelling."""
    return (spelt for spelt, asks in sentences(cut) if asks)


def sentences(cut: Text) -> Iterator[tuple[str, bool]]:
    """Return all sentences in one spelling, and whether each asks."""
    words: list[str] = []
    for place, piece in enumerate(cut.pieces):
        if piece.breaks and words:
            words.append(",")
        words.append(_SHORT.get(piece.text, piece.text))
        around = cut.around(place)
        if place + 1 == len(cut.pieces) or re.search(r"[?.!।\n]", around):
            text = " ".join(words)
            asks = bool(_ASKS.search(f"{text} ")) and not _TELLS.match(f"{text} ")
            yield f" {' '.join(map(same, words))} ", "?" in around or asks
            words = []


def same(word: str) -> str:
    """Write a word as all of its spellings are written here.

    >>> same("sambhaal"), same("sanbhal"), same("jaayenge"), same("zyada")
    ('sambhal', 'sambhal', 'jaenge', 'jyada')
    """
    word = _SHORT.get(word, word)
    for written, kept in _SAME:
        word = word.replace(written, kept)
    return _TWICE.sub(r"\1", word)


def _compiled(
    line: str, classes: Mapping[str, str]
) -> tuple[list[re.Pattern[str]], list[re.Pattern[str]]]:
    needed, barred = list[re.Pattern[str]](), list[re.Pattern[str]]()
    for group in line.split():
        of = barred if group.startswith("!") else needed
        of.append(either(group.removeprefix("!"), classes))
    return needed, barred


def either(group: str, classes: Mapping[str, str]) -> re.Pattern[str]:
    """Compile one group of a line."""
    return re.compile(_BETWEEN.join(_any_of(part, classes) for part in group.split("+")))


def _any_of(part: str, classes: Mapping[str, str]) -> str:
    words = [
        word
        for one in part.split("|")
        for word in (classes[one[1:]].split() if one.startswith("@") else [one])
    ]
    return f"(?<= )(?:{'|'.join(map(pattern_of, words))})(?= )"


def pattern_of(words: str) -> str:
    """Write words of a group, joined by ``_``, as an expression in the spelling of here."""
    return " ".join(map(_word, words.split("_")))


def _word(word: str) -> str:
    if "*" in word or word[-1] == "~":
        stem = r"\w*".join(map(same, word.rstrip("~").split("*")))
        return stem + _YOU_WILL * word.endswith("~")
    return re.escape(same(spell(word)))
