"""Bargains as the site deals them: its goods, rounds and budgets."""

from dataclasses import replace

import numpy as np

from negotiation.bargain import scenarios
from negotiation.catalogue.stock import read_stock
from negotiation.environment.people.answers import named
from negotiation.environment.people.games import NO_DEADLINE, Deals
from negotiation.environment.people.sellers import Floats


def floors_of_stock() -> Floats:
    """Return what a seller's brief names as the reservation price of each listing.

    Returns:
        Shares of the list price, (listings,).
    """
    margin = scenarios.RESERVATION_MARGIN * scenarios.COST_SHARE
    return np.array(
        [margin * entry.street / entry.list for shelf in read_stock() for entry in shelf.listing]
    )


def as_on_the_site(deals: Deals, part: float, floors: Floats, dice: np.random.Generator) -> Deals:
    """Turn a part of bargains into ones of the site: other goods, budgets and rounds, no deadline.

    Args:
        deals: with whom; a seller keeps everything but the reservation price.
        part: chance of each, 0..1.
        floors: reservation prices to draw from, shares of the opening ask.
        dice: the luck.
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
