"""Simple rules over many games at once: what a network is compared with, kind by kind."""

import functools
from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from agents.buyers.positions import Floats
from bazaarbatna.bargain import price_grid
from bazaarbatna.envs.bargain.people.games import Games
from bazaarbatna.players.simple import HALF, HALVER_SMALL_GAP, MOST_MOVES

Bid = Callable[[Games], Floats]
"""Bids for every lane; at the ask or above it, the ask is taken."""

OPENINGS = (0.4, 0.5, 0.6, 0.7, 0.8)
ENDS = (0.8, 0.9, 1.0)
"""Lines: from an opening to an end, shares of what could be paid."""
FIRSTS = (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
"""Openings of those who give in early, and of halvers; shares of the ask."""
EXPONENTS = (0.15, 0.25, 0.35, 0.5)


def climb(games: Games, opening: float, end: float) -> Floats:
    """Bid on a straight line from the first round to the last; the last one takes the ask."""
    deals = games.deals
    most = np.minimum(1.0, deals.budget)
    done = (games.round - 1) / np.maximum(deals.rounds - 1, 1)
    bid = most * (opening + (end - opening) * np.minimum(done, 1.0))
    found: Floats = np.where(games.round >= deals.rounds, deals.budget, bid)
    return found


def concede(games: Games, opening: float, exponent: float = price_grid.CONCEDER) -> Floats:
    """Climb from a share of the ask to the budget along ``t**exponent``, as ``rules:conceder``."""
    deals = games.deals
    low = np.minimum(opening, deals.budget)
    t = np.minimum(games.round / (deals.rounds + 1), 1.0)
    found: Floats = low + (deals.budget - low) * t**exponent
    return found


def halve(games: Games, opening: float) -> Floats:
    """Go half the way to the ask a few times, as ``rules:halver``."""
    ask, budget = games.ask, games.deals.budget
    if games.round == 1:
        return np.asarray(opening * ask)
    last = games.bids[:, games.round - 2]
    bid = last + HALF * (ask - last) if games.round <= MOST_MOVES + 1 else last
    takes = (ask - bid <= HALVER_SMALL_GAP * ask) | (games.round >= games.deals.rounds)
    found: Floats = np.where(takes & (ask <= budget), ask, bid)
    return found


RULES: MappingProxyType[str, Bid] = MappingProxyType(
    {
        **{
            f"line {opening:g} to {end:g}": functools.partial(climb, opening=opening, end=end)
            for opening in OPENINGS
            for end in ENDS
        },
        **{
            f"conceder {opening:g}, {exponent:g}": functools.partial(
                concede, opening=opening, exponent=exponent
            )
            for opening in FIRSTS
            for exponent in EXPONENTS
        },
        **{f"halver {opening:g}": functools.partial(halve, opening=opening) for opening in FIRSTS},
    }
)
