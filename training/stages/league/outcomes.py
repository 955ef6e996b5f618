"""Whole bargains with one way to bid, and what they came to; learning has no part in it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from agents.buyers.network import Network
from agents.buyers.positions import Floats, Positions, positions_of
from bazaarbatna.envs.bargain.people.games import Deals, Games
from training.stages.league.rules import Bid


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
