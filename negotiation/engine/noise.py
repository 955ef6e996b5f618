"""Gaussian noise that is the same to the last bit on every machine.

A library's Gaussian goes through logarithms and cosines whose last digit differs between
computers. Here a uniform index picks one of 1,024 equally likely quantiles, rounded to three
decimals, so that only exact arithmetic follows a draw.
"""

import math

BITS_PER_DRAW = 10
SIZE = 1 << BITS_PER_DRAW


def _quantiles(sd: float) -> tuple[float, ...]:
    """Invert the normal distribution function by Newton's method, from the middle outwards.

    On the right half the function is concave, so that Newton's method started at a smaller
    quantile never overshoots.
    """
    upper = []
    x = 0.0
    for place in range(SIZE // 2, SIZE):
        p = (place + 0.5) / SIZE
        for _ in range(12):
            density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
            x += (p - 0.5 * (1 + math.erf(x / math.sqrt(2)))) / density
        upper.append(round(sd * x, 3))
    return (*(-value for value in reversed(upper)), *upper)


NOISE = _quantiles(sd=0.1)
"""Quantiles of a normal distribution with mean 0 and standard deviation 0.1, in order."""
