"""What the path of asks and the clock give away: no words needed."""

from collections.abc import Sequence
from itertools import pairwise

from negotiation.engine.tells import Pattern, Rounding, Speed

RUPEE = 100
STALL = RUPEE
"""Two asks less than this apart (paise) are a stall."""

EVEN = 0.35
"""Concessions whose spread is below this share of their mean are steady."""

FRONT = 1.6
"""A first concession this many times the mean of the later ones is front-loaded."""

INSTANT = (2.0, 0.08)
DELIBERATE = (15.0, 0.5)
"""Seconds, and seconds for each character typed."""

_STEPS = (1, 5, 10, 50, 100, 500, 1000, 5000, 10_000, 50_000)
ROUND_SHARE = 0.02
"""A price is round when it is a multiple of a step of about this share of itself."""


def concession_pattern(asks: Sequence[int]) -> Pattern | None:
    """Name the shape of the way down; None while there are not two steps to compare.

    Args:
        asks: all asks in paise, the anchor first.

    >>> concession_pattern([20000, 18000, 17500, 17300])
    'front_loaded'
    """
    if len(asks) > 1 and abs(asks[-1] - asks[-2]) < STALL:
        return "stalling"
    steps = [before - after for before, after in pairwise(asks)]
    if len(steps) < 2:
        return None
    mean = sum(steps) / len(steps)
    spread = (sum((step - mean) ** 2 for step in steps) / len(steps)) ** 0.5
    if mean <= 0:
        return "erratic"
    if spread <= EVEN * mean:
        return "steady"
    later = sum(steps[1:]) / (len(steps) - 1)
    return "front_loaded" if steps[0] >= FRONT * later else "erratic"


def price_rounding(ask: int | None) -> Rounding | None:
    """Tell a round price from a precise one (paise).

    >>> price_rounding(17000), price_rounding(16749)
    ('round', 'precise')
    """
    if ask is None:
        return None
    if ask % RUPEE:
        return "precise"
    rupees = ask // RUPEE
    least = 5 if rupees >= 50 else 1
    step = max([least, *(step for step in _STEPS if step <= ROUND_SHARE * rupees)])
    return "round" if rupees % step == 0 else "precise"


def offer_speed(text: str, typing_s: float | None) -> Speed | None:
    """Judge the seconds a line took by its length; None when they are not known.

    >>> offer_speed("170 final", 1.2), offer_speed("170", 40.0)
    ('instant', 'deliberate')
    """
    if typing_s is None:
        return None
    length = min(len(text), 500)
    if typing_s < INSTANT[0] + INSTANT[1] * length:
        return "instant"
    return "deliberate" if typing_s > DELIBERATE[0] + DELIBERATE[1] * length else "normal"
