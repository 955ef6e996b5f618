"""How often hearing finds the acts that a person finds in a seller's line."""

from collections.abc import Iterable

import msgspec

from agents.scoring.labelled import ActsLine
from agents.scoring.tells import SignalScore, share
from agents.text.acts.acts import ACTS, Act
from agents.text.acts.hear import hear
from agents.text.intent import read_intent
from negotiation.engine.quantities import Paise


class ActsMiss(msgspec.Struct, frozen=True):
    """A line in which other acts are heard than a person hears."""

    line: ActsLine
    heard: frozenset[Act]


class ActsScore(msgspec.Struct, frozen=True):
    """Scores of all acts.

    ``found`` of the ``spans`` of acts that were heard overlap what a person marked. Of the lines,
    ``priced`` are read with the price that a person reads, or with none where there is none.
    """

    lines: int
    acts: dict[Act, SignalScore]
    spans: int
    found: int
    priced: int
    misses: tuple[ActsMiss, ...]

    @property
    def together(self) -> SignalScore:
        """Counts over all acts, each of them once a line."""
        rows = self.acts.values()
        return SignalScore(
            sum(one.hits for one in rows),
            sum(one.false for one in rows),
            sum(one.missed for one in rows),
        )

    @property
    def span_share(self) -> float:
        """Share of the rightly heard acts whose span meets the marked one, 0..1."""
        return share(self.found, self.spans)

    @property
    def price_share(self) -> float:
        """Share of lines whose price, or want of one, is read as meant, 0..1."""
        return share(self.priced, self.lines)


def score_acts(lines: Iterable[ActsLine]) -> ActsScore:
    """Compare hearing with the labels."""
    rows = tuple(lines)
    pairs: list[tuple[ActsLine, frozenset[Act]]] = []
    spans = found = priced = 0
    for line in rows:
        heard = hear(line.text, _paise(line.ask), _paise(line.bid))
        pairs.append((line, frozenset(one.act for one in heard)))
        for act in {one.act for one in heard} & line.names:
            spans += 1
            found += any(
                one.act == act and _meet(line.text, one.start, one.end, words)
                for one in heard
                for name, words in line.acts
                if name == act
            )
        priced += _price_of(line) == line.price
    return ActsScore(
        lines=len(rows),
        acts={act: _count(pairs, act) for act in ACTS},
        spans=spans,
        found=found,
        priced=priced,
        misses=tuple(ActsMiss(line, heard) for line, heard in pairs if heard != line.names),
    )


def _count(pairs: Iterable[tuple[ActsLine, frozenset[Act]]], act: Act) -> SignalScore:
    there = [(act in line.names, act in heard) for line, heard in pairs]
    return SignalScore(
        hits=there.count((True, True)),
        false=there.count((False, True)),
        missed=there.count((True, False)),
    )


def _meet(text: str, start: int, end: int, words: str) -> bool:
    place = text.find(words)
    return place < end and start < place + len(words)


def _price_of(line: ActsLine) -> float | None:
    intent = read_intent(line.text, _paise(line.ask), _paise(line.bid))
    return intent.price / 100 if intent.kind == "price" and intent.price is not None else None


def _paise(rupees: float | None) -> Paise | None:
    return None if rupees is None else Paise(round(rupees * 100))
