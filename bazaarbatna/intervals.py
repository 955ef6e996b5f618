"""Means with 95 % bootstrap intervals, plain, paired and over clusters; pure, for every floor.

Each way of drawing is kept for what has been published with it: the same values and the same seed
give the same digits for ever.

Sources: Efron (1979), Bootstrap methods: another look at the jackknife; Davison & Hinkley (1997),
Bootstrap methods and their application, section 3.8 (clusters).
"""

import math
import zlib
from collections.abc import Sequence
from random import Random

import msgspec
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RESAMPLES = 2000
CONFIDENCE = 0.95
TAIL = (1 - CONFIDENCE) / 2
NORMAL = 1.959963984540054
"""The quantile of the normal distribution that leaves ``TAIL`` above it."""

DECIMALS = 6

CELLS = 4_000_000
"""Draws held in memory at once."""


class Interval(msgspec.Struct, frozen=True):
    """A mean with its bootstrap interval."""

    mean: float
    low: float
    high: float


def bootstrap(values: Sequence[float], rng: Random) -> Interval | None:
    """Return the mean of independent values with its percentile bootstrap interval."""
    if not values:
        return None
    n = len(values)
    means = sorted(sum(rng.choices(values, k=n)) / n for _ in range(RESAMPLES))
    return Interval(
        mean=sum(values) / n,
        low=means[int(TAIL * RESAMPLES)],
        high=means[int((1 - TAIL) * RESAMPLES) - 1],
    )


def paired_interval(gained: Sequence[float], seed: int = 0) -> Interval:
    """Return the mean of at least one paired difference with its interval."""
    if len(set(gained)) == 1:
        return Interval(gained[0], gained[0], gained[0])
    found = bootstrap(gained, Random(seed))
    assert found is not None
    return found


def mean_interval(values: Sequence[float], seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """Return a mean with its interval, drawn by NumPy and rounded to four decimals."""
    array = np.asarray(values)
    rng = np.random.RandomState(seed)
    means = array[rng.randint(0, len(array), (resamples, len(array)))].mean(axis=1)
    low, high = np.quantile(means, [TAIL, 1 - TAIL])
    return Interval(*(round(float(one), 4) for one in (array.mean(), low, high)))


def wilson(part: float, n: int) -> Interval:
    """Return the mean of ``n`` independent values of 0..1 with Wilson's score interval.

    It is made for yes and no, and for values between them too wide rather than too narrow. Unlike
    a bootstrap it says something where a few people all say the same.

    Source: Wilson (1927), Probable inference, the law of succession, and statistical inference.

    >>> wilson(1.0, 5)
    Interval(mean=1.0, low=0.5655, high=1.0)
    """
    z = NORMAL
    middle = (part + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(part * (1 - part) / n + z * z / (4 * n * n))
    low, high = max(middle - reach, 0.0), min(middle + reach, 1.0)
    return Interval(*(round(one, 4) for one in (part, low, high)))


def resampled_sums(name: str, counts: Floats) -> Floats:
    """Sum counts over drawn clusters: whole games of a suite, the same draws for every policy.

    Bargains of one game share a seller who remembers, so the game is drawn, never a bargain. All
    policies are summed over the same draws, which follow from the suite's name alone: a difference
    between two of them is paired by itself.

    Returns:
        Shape (1 + RESAMPLES, policies, counts); the first entry is the sample itself.
    """
    games = len(counts)
    # RandomState is the generator whose numbers never change again (NumPy's NEP 19).
    rng = np.random.RandomState(zlib.crc32(name.encode()))
    flat = counts.reshape(games, -1)
    sums = [flat.sum(axis=0, keepdims=True)]
    at_once = max(1, CELLS // games)
    for first in range(0, RESAMPLES, at_once):
        some = min(at_once, RESAMPLES - first)
        drawn = (rng.random_sample((some, games)) * games).astype(np.int64)
        drawn += np.arange(some)[:, None] * games
        times = np.bincount(drawn.ravel(), minlength=some * games).reshape(some, games)
        sums.append(times.astype(np.float64) @ flat)
    return np.concatenate(sums).reshape(-1, *counts.shape[1:])


def ratio(part: Floats, whole: Floats) -> Floats:
    """Divide, giving NaN where there is nothing to divide by."""
    result = np.full(part.shape, np.nan)
    np.divide(part, whole, out=result, where=whole > 0)
    return result


def interval(values: Floats) -> Interval | None:
    """Read a mean and its interval, in millionths, from a statistic of the sample and resamples.

    Its shape is (1 + RESAMPLES,), the sample first; NaN says nothing.
    """
    if np.isnan(values[0]):
        return None
    drawn = np.sort(values[1:][~np.isnan(values[1:])])
    low, high = int(TAIL * len(drawn)), max(int((1 - TAIL) * len(drawn)) - 1, 0)
    ends = (values[0], drawn[low], drawn[high]) if len(drawn) else (values[0],) * 3
    # Adding zero turns a rounded -0.0 into 0.0.
    return Interval(*(round(float(end), DECIMALS) + 0.0 for end in ends))
