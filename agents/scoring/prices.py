"""How often the price reader understands what a person meant."""

from collections.abc import Callable, Iterable

import msgspec

from agents.scoring.labelled import PriceLine
from agents.text.intent import read_intent
from negotiation.engine.quantities import Paise
from negotiation.readers import Intent

PriceReader = Callable[[PriceLine], Intent]


class PriceMiss(msgspec.Struct, frozen=True):
    """A line that was read otherwise than a person reads it."""

    line: PriceLine
    read: Intent


class PriceScore(msgspec.Struct, frozen=True):
    """Counts over labelled lines.

    ``exact``: kind and price as labelled. ``priced`` lines name a price and ``found`` of them were
    read with it. ``asked_back``: a clear line was answered by a question, which costs a turn of
    patience. ``mistaken``: another price or kind was believed; ``sold``: among these, a standing
    bid was taken that the person did not take.
    """

    lines: int
    exact: int
    priced: int
    found: int
    asked_back: int
    mistaken: int
    sold: int
    misses: tuple[PriceMiss, ...]

    @property
    def accuracy(self) -> float:
        """Share of lines that were read exactly, 0..1."""
        return self.exact / self.lines if self.lines else 0.0

    @property
    def price_accuracy(self) -> float:
        """Share of the lines with a price whose price was read, 0..1."""
        return self.found / self.priced if self.priced else 0.0


def read_line(line: PriceLine) -> Intent:
    """Read a labelled line as the live game would."""
    return read_intent(line.text, Paise(line.ask * 100), _paise(line.bid))


def score_prices(lines: Iterable[PriceLine], read: PriceReader = read_line) -> PriceScore:
    """Compare a reader with the labels."""
    rows = [(line, read(line)) for line in lines]
    priced = [(line, got) for line, got in rows if line.kind == "price"]
    misses = [PriceMiss(line, got) for line, got in rows if not _agrees(line, got)]
    asked = [miss for miss in misses if miss.read.kind == "ambiguous"]
    return PriceScore(
        lines=len(rows),
        exact=len(rows) - len(misses),
        priced=len(priced),
        found=sum(got.price == _paise(line.price) for line, got in priced),
        asked_back=len(asked),
        mistaken=len(misses) - len(asked),
        sold=sum(miss.read.kind == "accept" for miss in misses),
        misses=tuple(misses),
    )


def _agrees(line: PriceLine, got: Intent) -> bool:
    return got.kind == line.kind and (line.kind != "price" or got.price == _paise(line.price))


def _paise(rupees: int | None) -> Paise | None:
    return None if rupees is None else Paise(rupees * 100)
