"""Glicko-2: how strong a solver is, how hard a puzzle is, and how sure either number is.

One answered puzzle is one game between them. A right answer in time is a win for the solver, a
right one after the minute a draw.

Source: M. E. Glickman, "Example of the Glicko-2 system", 2022 (step numbers below are his).
"""

import math

import msgspec

SCALE = 173.7178
TAU = 0.5  # how far the volatility may move
SMALL = 1e-6
MOST_DEVIATION, LEAST_DEVIATION = 350.0, 45.0


class Standing(msgspec.Struct, frozen=True):
    """A rating in points, its standard deviation in points, and its volatility."""

    rating: float = 1500.0
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06


def after(own: Standing, other: Standing, score: float) -> Standing:
    """Return the standing after one game with the score 0, 0.5 or 1.

    >>> after(Standing(1500, 200), Standing(1500, 200), 1.0).rating > 1500
    True
    """
    return after_games(own, ((other, score),))


def after_games(own: Standing, games: tuple[tuple[Standing, float], ...]) -> Standing:
    """Return the standing after the games of one period: opponents as they were, and scores."""
    mu, phi = (own.rating - 1500) / SCALE, own.deviation / SCALE
    information, pull = 0.0, 0.0
    for other, score in games:  # steps 3 and 4
        phi_j = other.deviation / SCALE
        g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - (other.rating - 1500) / SCALE)))
        information += g**2 * expected * (1 - expected)
        pull += g * (score - expected)
    v = 1 / information
    sigma = _volatility(own.volatility, phi, v, v * pull)
    widened = math.sqrt(phi**2 + sigma**2)  # step 6
    narrowed = 1 / math.sqrt(1 / widened**2 + 1 / v)  # step 7
    rating = 1500 + SCALE * (mu + narrowed**2 * pull)
    deviation = min(max(SCALE * narrowed, LEAST_DEVIATION), MOST_DEVIATION)
    return Standing(rating, deviation, sigma)


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Find the new volatility (step 5, the Illinois algorithm)."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        spread = phi**2 + v + e
        return e * (delta**2 - spread) / (2 * spread**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > SMALL:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
