"""Prices as people write them: the edge where rupees become text."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

SIGNS = {"INR": "₹", "USD": "$"}
"""What stands before the amount; other currencies are named by their code and a space."""

_MINUS = "\N{MINUS SIGN}"
_PAISA = Decimal("0.01")
_SMALL = 100
"""Below this many rupees the paise of a limit count, and are written."""


def rupees_text(rupees: float, currency: str = "INR") -> str:
    """Write a price in rupees (or dollars) with its sign and the digit groups of its country.

    It is rounded half up to two decimals, which are written only where they are needed.

    >>> rupees_text(235000), rupees_text(170.5), rupees_text(235000, "USD")
    ('₹2,35,000', '₹170.50', '$235,000')
    """
    amount = Decimal(repr(float(rupees))).quantize(_PAISA, ROUND_HALF_UP)
    whole, _, cents = f"{abs(amount):f}".partition(".")
    group = _group_indian if currency == "INR" else _group_western
    sign = SIGNS.get(currency, f"{currency} ")
    decimals = "" if cents == "00" else f".{cents}"
    return f"{_MINUS if amount < 0 else ''}{sign}{group(whole)}{decimals}"


def most_text(rupees: float, currency: str = "INR") -> str:
    """Write a budget as its owner would say it: the most whole rupees that it pays.

    >>> most_text(3675.66), most_text(80.85)
    ('₹3,675', '₹80.85')
    """
    return rupees_text(whole(rupees, ROUND_FLOOR), currency)


def least_text(rupees: float, currency: str = "INR") -> str:
    """Write a seller's limit as they would say it: the least whole rupees that they take.

    >>> least_text(2864.46)
    '₹2,865'
    """
    return rupees_text(whole(rupees, ROUND_CEILING), currency)


def about_text(rupees: float, currency: str = "INR") -> str:
    """Write a distance between limits to the nearest rupee.

    >>> about_text(268.59)
    '₹269'
    """
    return rupees_text(whole(rupees), currency)


def gap_text(rupees: float, currency: str = "INR") -> str:
    """Write a distance, a gain or a loss as people say it: in rupees, one at least where it is any.

    >>> gap_text(-52.69), gap_text(0.4), gap_text(0), gap_text(52.69, "USD")
    ('−₹53', '₹1', '₹0', '$52.69')
    """
    if currency != "INR":
        return about_text(rupees, currency)
    near = float(Decimal(repr(float(rupees))).to_integral_value(ROUND_HALF_UP))
    return rupees_text(near or math.copysign(math.ceil(abs(rupees)), rupees), currency)


def whole(rupees: float, rounding: str = ROUND_HALF_UP) -> float:
    """Return an amount in whole rupees, as people name it; below a hundred as it is.

    >>> whole(504.5), whole(80.85)
    (505.0, 80.85)
    """
    if abs(rupees) < _SMALL:
        return rupees
    return float(Decimal(repr(float(rupees))).to_integral_value(rounding))


def _group_indian(digits: str) -> str:
    head, tail = digits[:-3], digits[-3:]
    pairs = [head[max(end - 2, 0) : end] for end in range(len(head), 0, -2)]
    return ",".join([*reversed(pairs), tail])


def _group_western(digits: str) -> str:
    return f"{int(digits):,}"
