"""Whole bargains with one way to bid, and what they came to; learning has no part in it."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from agents.buyers.network import Network
from agents.buyers.positions import Floats, Positions, positions_of
from bazaarbatna.bargain import price_grid
from bazaarbatna.envs.bargain.people.games import Deals, Games
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


@dataclass
class Played:
    """What games were worth; shares are 0..1 over the games with a zone."""

    share: float
    deals: float
    rounds: float

    @property
    def taken(self) -> float:
        """What the sellers took of the zone."""
        return self.deals - self.share


def played_out(
    deals: Deals, bid: Bid, dice: np.random.Generator, tick: Callable[[], None] | None = None
) -> Games:
    """Play bargains to their end."""
    games = Games(deals, dice)
    while games.live.any():
        if tick is not None:
            tick()
        games.step(bid(games))
    return games


def by(network: Network, shown: Callable[[Positions], Positions] = lambda seen: seen) -> Bid:
    """Bid what the network scores highest, of what it is shown."""

    def bid(games: Games) -> Floats:
        return network.bids(shown(positions_of(games)))[0]

    return bid


def summed_up(games: Games) -> Played:
    """Sum finished games up."""
    possible = games.deals.zone > 0
    made = ~np.isnan(games.price)
    price = np.nan_to_num(games.price)
    share = np.where(made, (games.deals.budget - price) / np.maximum(games.deals.zone, 1e-9), 0.0)
    both = made & possible
    return Played(
        share=float(share[possible].mean()),
        deals=float(made[possible].mean()),
        rounds=float(np.median(games.ended[both])) if both.any() else 0.0,
    )
