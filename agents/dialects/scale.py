"""Prices relative to the opening ask, so that one small model bargains over scarves and cars."""

from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise, clamp_price

WHOLE = 1000
"""The opening ask; prices are whole thousandths of it."""

HIGHEST = 9999


def to_share(seen: BuyerObservation, price: int) -> int:
    """Write a price in paise as thousandths of the opening ask, 1..9999."""
    return min(max(round(WHOLE * price / seen.opening_ask), 1), HIGHEST)


STEPS = tuple(base * 10**power for power in range(9, 0, -1) for base in (5, 1))
"""Paise; the roundest price that means the same thousandth is what a person would say."""


def from_share(seen: BuyerObservation, share: float) -> Paise:
    """Turn thousandths of the opening ask into a price.

    What rounds to the standing ask, to the own last bid or to the budget is meant to be just that:
    a thousandth of a car is more than anybody would argue about.
    """
    for price in (seen.standing_ask, seen.own_last_bid, seen.budget):
        if price is not None and to_share(seen, price) == share:
            return price
    exact, slack = share * seen.opening_ask / WHOLE, seen.opening_ask / WHOLE / 2
    for step in STEPS:
        near = step * round(exact / step)
        # A price on the border between two thousandths may round to the other one.
        if near and abs(near - exact) < slack and to_share(seen, near) == round(share):
            return clamp_price(near)
    return clamp_price(exact)
