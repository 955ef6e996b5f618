"""How the games of a sweep ended."""

from typing import Self

import msgspec
import numpy as np
import numpy.typing as npt

from negotiation.engine.scoring import WIN_SHARE
from negotiation.environment.sweeps.arrays import Flags, Floats, Ints
from negotiation.environment.sweeps.starts import Bargains

Codes = npt.NDArray[np.int8]

OUTCOMES = ("deal", "walk", "expired")
SIDES = (None, "buyer", "seller")
DEAL, WALK, EXPIRED = range(3)
NOBODY, BUYER, SELLER = range(3)


class SweepResult(msgspec.Struct, frozen=True, eq=False):
    """Arrays of shape (games,), in the order of the sweep.

    Attributes:
        bargains: where the games started.
        outcome: index into ``OUTCOMES``.
        by: index into ``SIDES``: who accepted or walked.
        price: of the deal in paise; 0 without one.
        rounds: the round in which the game ended, from 1.
    """

    bargains: Bargains
    outcome: Codes
    by: Codes
    price: Ints
    rounds: Ints

    @classmethod
    def empty(cls, bargains: Bargains) -> Self:
        """Make room for results; a game of which nothing is noted has expired."""
        n = len(bargains)
        limit = np.broadcast_to(bargains.rounds, n).astype(np.int64)
        by = np.full(n, NOBODY, np.int8)
        return cls(bargains, np.full(n, EXPIRED, np.int8), by, np.zeros(n, np.int64), limit)

    def __repr__(self) -> str:
        return f"SweepResult(games={len(self.price)}, deals={int(self.is_deal.sum())})"

    @property
    def is_deal(self) -> Flags:
        """Games with a deal."""
        return np.equal(self.outcome, DEAL)

    @property
    def buyer_share(self) -> Floats:
        """The buyer's share of the zone of possible agreement, 0..1; 0 without a deal."""
        width = self.bargains.budget - self.bargains.reservation
        share = np.where(
            width > 0, (self.bargains.budget - self.price) / np.where(width, width, 1), 0.5
        )
        return np.where(self.is_deal, share, 0.0)

    @property
    def share_of_winnable(self) -> float:
        """Mean buyer share over all games with a zone, no deal counting 0; NaN without any."""
        winnable = self.bargains.winnable
        return float(self.buyer_share[winnable].mean()) if winnable.any() else float("nan")

    @property
    def deal_rate(self) -> float:
        """Deals per game with a zone of possible agreement; NaN without any."""
        winnable = self.bargains.winnable
        return float(self.is_deal[winnable].mean()) if winnable.any() else float("nan")

    @property
    def win_rate(self) -> float:
        """Games the buyer won, per game with a zone of possible agreement; NaN without any."""
        winnable = self.bargains.winnable
        won = self.buyer_share[winnable] > WIN_SHARE
        return float(won.mean()) if winnable.any() else float("nan")
