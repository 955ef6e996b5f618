"""Round numbers for an axis, and how high a value lies between them."""

import math
from collections.abc import Callable

import msgspec

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Choose round numbers that hold a range between them.

    >>> ticks(0.13, 0.71)
    [0.0, 0.2, 0.4, 0.6, 0.8]
    >>> ticks(3, 3)
    [2.0, 4.0]
    """
    if high <= low:
        pad = abs(low) / 2 or 1.0
        low, high, about = low - pad / 1.5, high + pad / 1.5, 2
    step = _round_step((high - low) / max(1, about - 1))
    first, last = math.floor(low / step), math.ceil(high / step)
    digits = max(0, 2 - math.floor(math.log10(step)))
    return [round(number * step, digits) for number in range(first, last + 1)]


def _round_step(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next(one * power for one in _STEPS if one * power >= step * 0.999)


def decades(low: float, high: float) -> list[float]:
    """Choose powers of ten that hold a range of values above 0 between them.

    >>> decades(0.02, 1.5)
    [0.01, 0.1, 1.0, 10.0]
    >>> decades(1, 1)
    [1.0, 10.0]
    """
    first = math.floor(math.log10(low))
    last = max(math.ceil(math.log10(high)), first + 1)
    return [10.0**power for power in range(first, last + 1)]


class Scale(msgspec.Struct, frozen=True):
    """How values become heights: ``marks`` holds a range, ``height`` rises with the value."""

    marks: Callable[[float, float], list[float]]
    height: Callable[[float], float]


LINEAR = Scale(ticks, float)
LOGARITHMIC = Scale(decades, math.log10)
"""For values above 0."""
