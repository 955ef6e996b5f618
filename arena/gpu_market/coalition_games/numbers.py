"""Numbers of a game: reckoned as fractions, so that a tie is a tie; shown as what was given.

A float is the fraction it stands for. Results of a game are fractions when all that went in was
exact (``int``, ``Fraction``), and floats otherwise.
"""

import math
from fractions import Fraction
from numbers import Rational, Real

from arena.gpu_market.coalition_games.errors import BadWorth

Number = Fraction | float
"""A fraction in an exact game, a float in another one."""

LARGEST = 10**100
"""No worth, share or weight may be further from 0."""

SLACK = Fraction(1, 10**9)
"""Part of a game's largest worth by which floats may miss a tie."""


def is_exact(value: object) -> bool:
    """Tell whether a number is given without rounding."""
    return isinstance(value, Rational)


def to_fraction(value: object, what: str) -> Fraction:
    """Read a number.

    Args:
        value: an integer, a fraction or a float; NumPy's too.
        what: whose number it is, for the message.

    Raises:
        BadWorth: it is no number, not finite, or further from 0 than ``LARGEST``.

    >>> to_fraction(0.5, "a share")
    Fraction(1, 2)
    """
    if isinstance(value, Rational):
        # NumPy's integers would carry their overflow into the fraction.
        number = Fraction(int(value.numerator), int(value.denominator))
    elif isinstance(value, Real) and math.isfinite(value):
        number = Fraction(float(value))
    else:
        raise BadWorth(f"{what} must be a finite number, not {_shown(value)}.")
    if abs(number) > LARGEST:
        raise BadWorth(f"{what} must be at most 1e100 in size, not {_shown(value)}.")
    return number


def to_number(value: Fraction, exact: bool) -> Number:
    """Give a result the kind of number that went in."""
    return value if exact else float(value)


def _shown(value: object) -> str:
    return repr(value)[:40]
