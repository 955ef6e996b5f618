"""What a buyer pays at most on the site: drawn around what the thing is worth, not the ask.

Whoever sells sees neither number. A budget that grew with the asking price would make it worth
typing a higher one.
"""

import math
from random import Random

NO_ZONE = 0.1
"""How often the budget lies below the reservation price."""
NO_ZONE_BUDGET = (0.75, 0.98)
"""Then: the budget as a part of the reservation price."""
LEAST_BUDGET = 1.08
"""Else: at least this multiple of the reservation price ..."""
AROUND_WORTH = (0.95, 1.25)
"""... and between these multiples of what the thing is worth, and no more than is asked.

A budget that lay lower would stop most buyers at their second bid, and tell itself by that.
"""
WORTH_OF_FLOOR = (1.2, 1.55)
"""Worth of a thing of which nothing else is known, as a multiple of its reservation price."""


def draw_worth(dice: Random, reservation: float) -> float:
    """Guess what a thing is worth whose reservation price alone is known."""
    return reservation * dice.uniform(*WORTH_OF_FLOOR)


def draw_budget(
    dice: Random, asking: float, reservation: float, worth: float, *, has_zone: bool = False
) -> float:
    """Draw a budget in the unit of the prices; with ``has_zone`` it is never below the floor."""
    if dice.random() < NO_ZONE and not has_zone:
        return reservation * dice.uniform(*NO_ZONE_BUDGET)
    low, high = budget_range(asking, reservation, worth)
    return dice.uniform(low, high)


def budget_range(asking: float, reservation: float, worth: float) -> tuple[float, float]:
    """Return the least and the highest budget where there is a zone."""
    least, most = AROUND_WORTH
    low = LEAST_BUDGET * reservation
    if math.isinf(worth):
        return low, max(asking, low)
    # An ask below the worth is not a budget: half of what lies below it stays possible.
    low = max(low, min(least * worth, (low + asking) / 2))
    return low, max(min(asking, most * worth), low)
