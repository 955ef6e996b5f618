"""Which sellers get how many games: more for the kinds that a buyer does worse with than a line.

A mean over the population is paid for by its rarest families. So a part of the games goes to groups
(each family, the shuffled, the wide ones) by how far behind a straight line the buyer is there:
multiplicative weights, as in group-robust learning (Sagawa et al. 2020).
"""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from negotiation.bargain import scenarios
from negotiation.catalogue.stock import read_stock
from negotiation.engine.people.families import FAMILIES
from negotiation.environment.people.games import NO_DEADLINE, Deals
from negotiation.environment.people.sellers import (
    PLACE,
    Floats,
    Sellers,
    draw_sellers,
    draw_wide,
    joined,
    named,
)
from training.stages.config import LeagueConfig

OPENINGS = (0.4, 0.5, 0.6, 0.7, 0.8)

ENDS = (0.8, 0.9, 1.0)
"""Lines that groups are compared with: from an opening to an end, shares of what could be paid."""

PROUD, OF_PRIDE = "proud", ("insult", "pride", "harden")
"""A family, and the numbers in which it is proud."""

SHUFFLED, WIDE = "shuffled", "wide"
"""Sellers with every number from another one, and with numbers from anywhere."""


@functools.cache
def floors_of_stock() -> Floats:
    """Return each listing's reservation price in a seller's brief, shares of the list price."""
    margin = scenarios.RESERVATION_MARGIN * scenarios.COST_SHARE
    return np.array(
        [margin * entry.street / entry.list for shelf in read_stock() for entry in shelf.listing]
    )


def as_on_the_site(deals: Deals, part: float, floors: Floats, dice: np.random.Generator) -> Deals:
    """Turn a part of bargains into ones of the site: other goods, budgets and rounds, no deadline.

    A seller keeps all but its reservation price, drawn from ``floors`` (shares of the opening ask).
    """
    count = len(deals.rounds)
    which = dice.random(count) < part
    drawn = np.minimum(named(dice.choice(floors, count), deals.unit), 1 - deals.unit)
    low = scenarios.LEAST_BUDGET * drawn
    where = dice.random(count)
    least, most = scenarios.NO_ZOPA_BUDGET
    budget = np.where(
        dice.random(count) < scenarios.NO_ZOPA_CHANCE,
        drawn * (least + (most - least) * where),
        low + np.maximum(1.0 - low, 0.0) * where,
    )
    return replace(
        deals,
        sellers=deals.sellers.with_floor(np.where(which, drawn, deals.sellers.floor)),
        rounds=np.where(which, scenarios.MAX_ROUNDS, deals.rounds),
        budget=np.where(which, budget, deals.budget),
        deadline=np.where(which, NO_DEADLINE, deals.deadline),
    )


class Population(NamedTuple):
    """All sellers of a league: by kind, everybody who is learned from, and who is never met."""

    names: tuple[str, ...]
    kinds: tuple[Sellers, ...]
    everybody: Sellers
    unseen: Sellers


@functools.lru_cache(maxsize=1)
def population(sellers: int, seed: int) -> Population:
    """Draw the sellers of a league; it takes seconds, and comes out the same on every machine."""
    dice = np.random.default_rng([10 * seed, 99])
    each = max(sellers // len(FAMILIES), 10)
    alone = [draw_sellers([family], each, 10 * seed) for family in FAMILIES]
    everybody = draw_sellers(FAMILIES, sellers, 10 * seed)
    mixed = everybody.shuffled(dice).take(np.arange(min(each, everybody.count)))
    wide = draw_wide(FAMILIES, each, dice)
    return Population(
        names=(*(family.name for family in FAMILIES), SHUFFLED, WIDE),
        kinds=(*alone, mixed, wide),
        everybody=everybody,
        unseen=draw_sellers(FAMILIES, sellers, 10 * seed + 1),
    )


class Groups:
    """The sellers of a league by kind, and the weights of the kinds."""

    def __init__(self, config: LeagueConfig) -> None:
        self._config = config
        self.names, self.sellers, self.everybody, _ = population(config.sellers, config.seed)
        self.weights = np.full(len(self.names), 1 / len(self.names))
        self.lines: Floats = np.zeros(len(self.names))
        self.shares: Floats = np.zeros(len(self.names))

    def draw(self, count: int, dice: np.random.Generator, robust: float) -> Sellers:
        """Draw sellers: a part by the weights of the kinds, the others as in the population."""
        numbers = dice.multinomial(int(robust * count), self.weights)
        parts = [
            kind.take(dice.integers(0, kind.count, number))
            for kind, number in zip(self.sellers, numbers, strict=True)
        ]
        rest = count - int(robust * count)
        drawn = joined([*parts, self.everybody.take(dice.integers(0, self.everybody.count, rest))])
        return self._some_proud(drawn, dice)

    def _some_proud(self, drawn: Sellers, dice: np.random.Generator) -> Sellers:
        proud = self.sellers[self.names.index(PROUD)]
        which = dice.random(drawn.count) < self._config.touchy
        models = proud.take(dice.integers(0, proud.count, drawn.count))
        first, second = drawn.first.copy(), drawn.second.copy()
        for name in OF_PRIDE:
            place = PLACE[name]
            for rows in (first, second):
                rows[place] = np.where(which, models.first[place], rows[place])
        return Sellers(first, second)

    def weigh(self, shares: Sequence[float]) -> None:
        """Shift weight to the kinds where the buyer, as measured, is behind the best line."""
        self.shares = np.array(shares)
        behind = (self.lines - self.shares) / np.maximum(self.lines, 0.05)
        weights = self.weights * np.exp(self._config.shift * behind)
        even = 1 / len(weights)
        # Nobody is forgotten: each kind keeps a part of an even share.
        self.weights = 0.8 * weights / weights.sum() + 0.2 * even
