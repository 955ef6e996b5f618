"""The answer of a price reading, and the standing prices it is given against."""

from collections.abc import Iterable

import msgspec

from agents.reading.questions import (
    ask_off_or_price,
    ask_one_of,
    ask_too_large,
    ask_whether,
    ask_zero,
)
from agents.reading.role_table import Role
from negotiation.engine.quantities import MAX_PRICE, MIN_PRICE, Paise

LOW, HIGH = 0.2, 2.0
"""A bare number between these shares of the standing ask needs no question."""

TINY = 0.05
"""A bare number below this share of the standing ask counts something else."""

SCALES = (100, 1000, 100_000)
"""What people leave out: "12" for 12,000, "2.5" for 2,50,000."""

MEANT = (0.4, 1.05)
"""Shares of the standing ask between which a number with its scale put back is believable."""


class PriceReading(msgspec.Struct, frozen=True):
    """What a text says about the price.

    ``price`` in paise, or None; ``candidates`` are the prices it could be when ``question`` (for
    the player) is not empty; ``span`` is where the price stands in the text, in code points, and
    ``roles`` tell what each number of the text was taken for.
    """

    price: Paise | None = None
    candidates: tuple[Paise, ...] = ()
    question: str = ""
    span: tuple[int, int] | None = None
    roles: tuple[Role, ...] = ()


class Standing(msgspec.Struct, frozen=True):
    """What stands when a line is read: ask and bid in paise, and the currency of questions."""

    ask: Paise | None
    bid: Paise | None
    currency: str

    def fits(self, paise: int) -> bool:
        """Tell whether a number is of the size of a price here."""
        return self.ask is not None and LOW * self.ask <= paise <= HIGH * self.ask

    def is_small(self, paise: int) -> bool:
        """Tell whether a bare number is suspiciously small for a price."""
        return self.ask is not None and paise < LOW * self.ask

    def is_tiny(self, paise: int) -> bool:
        """Tell whether a bare number is far too small for a price."""
        return self.ask is not None and paise < TINY * self.ask

    def with_scale(self, paise: int) -> list[int]:
        """Put back a scale that was left out, where that gives a believable price."""
        if self.ask is None:
            return []
        low, high = MEANT[0] * self.ask, MEANT[1] * self.ask
        return [paise * scale for scale in SCALES if low <= paise * scale <= high]

    def price(self, paise: int, span: tuple[int, int] | None) -> PriceReading:
        """Answer with a price, or ask again when no game knows it."""
        if paise < MIN_PRICE:
            return PriceReading(question=ask_zero())
        if paise > MAX_PRICE:
            return PriceReading(question=ask_too_large(self.currency))
        return PriceReading(price=Paise(paise), span=span)

    def one_of(self, prices: Iterable[int]) -> PriceReading:
        """Ask which of several prices is meant."""
        known = _known(prices)
        if len(known) == 1:
            return self.whether(known[0])
        return PriceReading(candidates=known, question=ask_one_of(known, self.currency))

    def whether(self, paise: int) -> PriceReading:
        """Ask whether a price is meant."""
        if not _known([paise]):
            return self.price(paise, None)
        return PriceReading(candidates=(Paise(paise),), question=ask_whether(paise, self.currency))

    def off_or_price(self, said: int, left: int) -> PriceReading:
        """Ask whether a number is the price or comes off the ask."""
        question = ask_off_or_price(said, left, self.currency)
        return PriceReading(candidates=_known([said, left]), question=question)


def _known(prices: Iterable[int]) -> tuple[Paise, ...]:
    return tuple(Paise(p) for p in dict.fromkeys(prices) if MIN_PRICE <= p <= MAX_PRICE)
