"""Money and counts of the game: paise inside, rupees only at the edge."""

import math
from typing import Literal, NewType

Paise = NewType("Paise", int)
"""A price in the smallest unit (1 rupee = 100 paise; 1 dollar = 100 cents)."""

Side = Literal["buyer", "seller"]

MIN_PRICE = Paise(1)
MAX_PRICE = Paise(100_000_000_000)
"""One billion rupees, the largest price the game knows."""


class InvalidPrice(ValueError):
    """A price must be a finite number above 0 and at most 1,000,000,000."""

    code = "invalid-price"


def to_paise(rupees: float) -> Paise:
    """Turn a price in rupees into paise, 1 to 1e11, rounding to two decimals.

    Raises:
        InvalidPrice: for NaN, infinity, zero, negative or too large numbers, and booleans.

    >>> to_paise(99.995)
    10000
    """
    if isinstance(rupees, bool) or not isinstance(rupees, int | float):
        raise InvalidPrice(f"A price must be a number, not {type(rupees).__name__}.")
    # Compared, never computed with: an integer of 400 digits becomes no float.
    if rupees != rupees or abs(rupees) == math.inf:
        raise InvalidPrice("A price must be a finite number.")
    if rupees > MAX_PRICE / 100:
        raise InvalidPrice("A price can be at most 1,000,000,000.")
    paise = math.floor(rupees * 100 + 0.5 + 1e-9) if rupees > 0 else 0
    if paise < MIN_PRICE:
        raise InvalidPrice("A price must be at least 0.01.")
    return Paise(min(paise, MAX_PRICE))


def to_rupees(paise: int) -> float:
    """Turn paise into rupees with two decimals."""
    return paise / 100


def clamp_price(paise: float, low: int = MIN_PRICE, high: int = MAX_PRICE) -> Paise:
    """Round a computed price to whole paise and hold it in ``low..high`` (both in paise).

    The only place where a computed price is clamped.
    """
    return Paise(min(max(math.floor(paise + 0.5), low), high))


def other(side: Side) -> Side:
    """Return the opposite side of the table."""
    return "seller" if side == "buyer" else "buyer"
