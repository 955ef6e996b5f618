"""Shapes of concession: how far a bidder has come down after each step of a fixed schedule.

Pure numbers, no game: policies wrap these shapes, ``price_grid`` plays them against each other.
"""

import math

BOULWARE = 4.0
LINEAR = 1.0
CONCEDER = 0.25
"""Exponents of the three time-dependent bidders of Faratin, Sierra and Jennings (1998)."""


def elapsed(step: int, steps: int) -> float:
    """Give the time of a step as a share of the schedule, ``(step + 1) / (steps + 1)``.

    Args:
        step: own move, counted from 0.
        steps: own moves in the whole schedule, at least 1.

    Returns:
        A number above 0 and below 1 for ``0 <= step < steps``.

    >>> elapsed(0, 9)
    0.1
    """
    return (step + 1) / (steps + 1)


def aspiration(t: float, e: float) -> float:
    """Say which part of the own bargaining range a bidder still claims at time ``t``.

    Args:
        t: time as a share of the schedule, 0..1 (values outside are held there).
        e: exponent above 0: above 1 waits (Boulware), 1 is linear, below 1 gives early (conceder).

    Returns:
        1 at the start, 0 at the deadline: ``1 - t**e``.

    >>> aspiration(0.5, LINEAR)
    0.5
    >>> round(aspiration(0.5, BOULWARE), 4)
    0.9375
    """
    return 1.0 - math.pow(min(max(t, 0.0), 1.0), e)
