"""Whole bargains with one way to bid, and what they came to; learning has no part in it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from agents.buyers.network import Floats, Network, Positions, features, positions_of, prices
from negotiation.environment.people.games import Deals, Games

Bid = Callable[[Games], Floats]


@dataclass
class Played:
    """What games were worth; shares are 0..1 over the games with a zone."""

    share: float
    deals: float
    rounds: float


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
        seen = positions_of(games)
        chosen = network.scores(features(shown(seen))).argmax(axis=1)
        found: Floats = prices(seen)[np.arange(len(chosen)), chosen]
        return found

    return bid


def climb(games: Games, opening: float, end: float) -> Floats:
    """Bid on a straight line from the first round to the last; the last one takes the ask."""
    deals = games.deals
    most = np.minimum(1.0, deals.budget)
    done = (games.round - 1) / np.maximum(deals.rounds - 1, 1)
    bid = most * (opening + (end - opening) * np.minimum(done, 1.0))
    found: Floats = np.where(games.round >= deals.rounds, deals.budget, bid)
    return found


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
