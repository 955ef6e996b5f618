"""What a seller earns on top for a good price: one for every ten above the reservation price."""

from negotiation.engine.quantities import Paise

STEP = 10
"""Rupees above the reservation price that earn one rupee."""

CAP = 0.10
"""Largest bonus as a part of the distance from the reservation price to the asking price."""


def largest_bonus(asking_price: Paise, reservation_price: Paise) -> Paise:
    """Give the most a seller can earn, in paise.

    >>> largest_bonus(Paise(200000), Paise(120000))
    8000
    """
    return Paise(int(CAP * max(asking_price - reservation_price, 0)))


def bonus(price: Paise, asking_price: Paise, reservation_price: Paise) -> Paise:
    """Give the bonus in paise for a deal at ``price``; 0 at or below the reservation price.

    >>> bonus(Paise(150000), Paise(200000), Paise(120000))
    3000
    """
    earned = max(price - reservation_price, 0) // STEP
    return Paise(min(earned, largest_bonus(asking_price, reservation_price)))
