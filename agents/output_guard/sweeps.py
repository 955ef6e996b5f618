"""The guards of ``agents/output_guard/moves`` for many games at once."""

from collections.abc import Callable

import numpy as np

from negotiation.engine.quantities import MIN_PRICE
from negotiation.environment.sweeps.play import Buyers, Play, Wish

Proposers = Callable[[Play], Wish]
"""Proposals that need not be legal; the guards decide what of them is played."""


def guarded(propose: Proposers) -> Buyers:
    """Put the guards behind a proposal: no bid falls, passes the budget or reaches the ask."""

    def act(play: Play) -> Wish:
        return guard(play, propose(play))

    return act


def guard(play: Play, wish: Wish) -> Wish:
    """Do what ``agents.output_guard.moves.guard`` does with each proposal."""
    agreed = play.ask <= play.bid
    least = np.maximum(play.bid, MIN_PRICE)
    price = wish.price
    accept = agreed
    if wish.accept is not None:
        price = np.where(wish.accept, least, price)
        accept = agreed | wish.accept & (play.ask <= play.budget)
    price = np.maximum(least, np.minimum(price, play.budget))
    accept = accept | (price >= play.ask)
    if wish.walk is None:
        return Wish(price, accept)
    walk = wish.walk & ~agreed
    return Wish(price, accept & ~walk, walk)
