"""Games in play: what changes while many games go through their rounds."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from negotiation.engine.quantities import MIN_PRICE
from negotiation.engine.sellers.persona import HOUSE
from negotiation.environment.sweeps.arrays import Flags, Floats, Ints, Number
from negotiation.environment.sweeps.starts import Bargains


class Wish(NamedTuple):
    """What the buyers propose: a bid each, and who rather accepts or walks (None: nobody)."""

    price: Floats
    accept: Flags | None = None
    walk: Flags | None = None


class Play:
    """The games that are not over. Prices are whole paise in floats.

    Attributes:
        games: their indices in the sweep.
        slots: their places among the games that began together.
        round: from 1; one number where all games are in the same.
        rounds: the limit; one number where all games have the same.
        ask: the standing ask.
        bid: the buyer's standing bid; 0 before its first.
        fakes: fake drops so far of a seller who bluffs.
        asks, bids: all of them, shape (moves, games); None unless somebody reads them.
    """

    def __init__(self, bargains: Bargains, games: Ints, *, remembers: bool = False) -> None:
        n = len(bargains)
        self.games = games
        self.slots: Ints = np.arange(n)
        self.round: Number = 1
        self.rounds = bargains.rounds
        self.anchor = bargains.anchor
        self.reservation = bargains.reservation
        self.lowball = HOUSE.lowball * bargains.reservation
        self.cost = bargains.cost
        self.budget = bargains.budget
        self.rate: Number = bargains.rate
        self.walk_p: Number = np.multiply(bargains.batna_walk_p, bargains.rule.walk_factor)
        self.ask = bargains.anchor
        self.bid = np.zeros(n)
        self.fakes: Ints = np.zeros(n, np.int64)
        self.asks: Floats | None = bargains.anchor[None, :] if remembers else None
        self.bids: Floats | None = np.empty((0, n)) if remembers else None

    def keep(self, rows: Ints) -> None:
        """Forget all games but these rows."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and value.ndim:
                setattr(self, name, value[..., rows])

    def remember(self) -> None:
        """Put the standing prices on the lists of prices."""
        if self.asks is not None and self.bids is not None:
            self.asks = np.vstack((self.asks, self.ask))
            self.bids = np.vstack((self.bids, self.bid))


Buyers = Callable[[Play], Wish]
"""Buyers of one kind: what they propose in the round that ``Play`` shows."""


def repaired(play: Play, wish: Wish) -> Wish:
    """Make every proposal legal, as ``engine.proposals.repair`` does one by one.

    A bid is held in 1 paisa..budget; an acceptance above the budget becomes the last bid again; a
    bid that reaches the ask takes it.
    """
    price = np.minimum(np.maximum(wish.price, MIN_PRICE), play.budget)
    takes = price >= play.ask
    if wish.accept is not None:
        affordable = play.ask <= play.budget
        held = np.minimum(np.maximum(play.bid, MIN_PRICE), play.budget)
        price = np.where(wish.accept, held, price)
        takes = np.where(wish.accept, affordable | (held >= play.ask), takes)
    if wish.walk is None:
        return Wish(price, takes, None)
    return Wish(price, takes & ~wish.walk, wish.walk)
