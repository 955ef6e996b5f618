"""Bidders against bidders on a grid of whole prices: what fixed strategies alone can agree on.

The seller speaks first in every step. At its turn a side works out its next price; if the other
side's standing price is at least as good, it takes that, else it names its own. The seller rounds
up to the grid and the buyer down, so nobody gives away a fraction.
"""

import math
from collections.abc import Callable, Sequence

import msgspec

from bazaarbatna.bargain.quantities import Side, other

BOULWARE = 4.0
LINEAR = 1.0
CONCEDER = 0.25
"""Exponents of the three time-dependent bidders of Faratin, Sierra and Jennings (1998)."""


def elapsed(step: int, steps: int) -> float:
    """Return the time of an own move, counted from 0, as a share of the schedule.

    >>> elapsed(0, 9)
    0.1
    """
    return (step + 1) / (steps + 1)


def aspiration(t: float, e: float) -> float:
    """Return the part of its range a bidder still claims at time ``t`` (0..1): ``1 - t**e``.

    Above 1 the exponent waits (Boulware), 1 is linear, below 1 it gives early (conceder).

    >>> aspiration(0.5, LINEAR)
    0.5
    """
    return 1.0 - math.pow(min(max(t, 0.0), 1.0), e)


class Grid(msgspec.Struct, frozen=True):
    """Whole prices ``low..high``, the seller's ``cost``, the buyer's ``value``, the deadline."""

    low: int = 0
    high: int = 100
    cost: int = 40
    value: int = 60
    steps: int = 10


class Seat(msgspec.Struct, frozen=True):
    """One side of the table: its worst price, its best price."""

    side: Side
    limit: int
    best: int

    @property
    def width(self) -> int:
        """Prices between the limit and the best."""
        return abs(self.best - self.limit)

    def price(self, claim: float) -> int:
        """Turn a claim on the own range, 0..1, into a price of the grid."""
        exact = self.limit + claim * (self.best - self.limit)
        # The tiny margin keeps a claim that is a whole price from being rounded off it.
        return math.ceil(exact - 1e-9) if self.side == "seller" else math.floor(exact + 1e-9)

    def surplus(self, price: int) -> float:
        """Say what part of the own range a price leaves, 0..1; beyond the limit it is 0."""
        gain = price - self.limit if self.side == "seller" else self.limit - price
        return max(gain, 0) / self.width

    def prefers(self, price: int, to: int) -> bool:
        """Whether a price is at least as good as another."""
        return price >= to if self.side == "seller" else price <= to


Bidder = Callable[[Seat, int, int, Sequence[int]], float]
"""Seat, step from 0, steps in all, the rival's prices so far -> claim on the own range, 0..1."""


def timed(exponent: float) -> Bidder:
    """Make a bidder whose claim falls with time alone."""

    def claim(seat: Seat, step: int, steps: int, rival: Sequence[int]) -> float:
        return aspiration(elapsed(step, steps), exponent)

    return claim


def micro(seat: Seat, step: int, steps: int, rival: Sequence[int]) -> float:
    """Return one more price of the grid for every price the rival had not named before.

    Source: de Jonge (2022), An analysis of the linear bilateral ANAC domains using the MiCRO
    strategy.
    """
    return max(1 - len(set(rival)) / seat.width, 0.0)


def tit_for_tat(seat: Seat, step: int, steps: int, rival: Sequence[int]) -> float:
    """Return as much of the own range as the rival's last price has come within it."""
    return 1 - seat.surplus(rival[-1]) if rival else 1.0


BIDDERS: dict[str, Bidder] = {
    "boulware": timed(BOULWARE),
    "linear": timed(LINEAR),
    "conceder": timed(CONCEDER),
    # An aspiration bidder without a chosen exponent waits like a Boulware one.
    "aspiration": timed(BOULWARE),
    "micro": micro,
    "tit_for_tat": tit_for_tat,
}


class Deal(msgspec.Struct, frozen=True):
    """An agreement: the price, and the step (from 1) in which it was taken."""

    price: int
    step: int


def meet(seller: Bidder, buyer: Bidder, grid: Grid = Grid()) -> Deal | None:  # noqa: B008  frozen
    """Return the deal of two bidders; None when the steps ran out."""
    seats = {
        "seller": Seat("seller", grid.cost, grid.high),
        "buyer": Seat("buyer", grid.value, grid.low),
    }
    bidders: dict[Side, Bidder] = {"seller": seller, "buyer": buyer}
    named: dict[Side, list[int]] = {"seller": [], "buyer": []}
    for step in range(grid.steps):
        for side, bidder in bidders.items():
            seat, rival = seats[side], named[other(side)]
            price = seat.price(bidder(seat, step, grid.steps, rival))
            if rival and seat.prefers(rival[-1], price):
                return Deal(rival[-1], step + 1)
            named[side].append(price)
    return None


def grid_table(grid: Grid = Grid()) -> dict[tuple[str, str], Deal | None]:  # noqa: B008  frozen
    """Let every bidder meet every bidder: (seller, buyer) -> deal."""
    return {
        (seller, buyer): meet(BIDDERS[seller], BIDDERS[buyer], grid)
        for seller in BIDDERS
        for buyer in BIDDERS
    }
