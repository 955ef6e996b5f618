"""Bootstrap over whole games of a suite, the same draws for every policy.

Bargains of one game share a seller who remembers, so the game is drawn, never a bargain. All
policies are summed over the same draws: a difference between two of them is paired by itself.

Source: Efron (1979), Bootstrap methods: another look at the jackknife; Davison & Hinkley (1997),
Bootstrap methods and their application, section 3.8 (clusters).
"""

import zlib

import numpy as np
import numpy.typing as npt

from negotiation.engine.scoring import CONFIDENCE, RESAMPLES, Interval
from training.evaluation.rows import DECIMALS
from training.evaluation.tally import Counts

Floats = npt.NDArray[np.float64]

CELLS = 4_000_000
"""Draws held in memory at once."""


def resampled_sums(suite_id: str, counts: Counts) -> Floats:
    """Sum the counts over drawn games.

    Args:
        suite_id: the draws follow from it alone.
        counts: (games, policies, counts).

    Returns:
        Shape (1 + RESAMPLES, policies, counts); the first entry is the sample itself.
    """
    games = len(counts)
    # RandomState is the generator whose numbers never change again (NumPy's NEP 19).
    rng = np.random.RandomState(zlib.crc32(suite_id.encode()))
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
    """Read mean and 95 % interval from a statistic of the sample and of its resamples.

    Args:
        values: shape (1 + RESAMPLES,), the sample first; resamples that are NaN say nothing.

    Returns:
        Rounded to millionths; None where the sample itself says nothing.
    """
    if np.isnan(values[0]):
        return None
    drawn = np.sort(values[1:][~np.isnan(values[1:])])
    tail = (1 - CONFIDENCE) / 2
    low, high = int(tail * len(drawn)), max(int((1 - tail) * len(drawn)) - 1, 0)
    ends = (values[0], drawn[low], drawn[high]) if len(drawn) else (values[0],) * 3
    # Adding zero turns a rounded -0.0 into 0.0.
    return Interval(*(round(float(end), DECIMALS) + 0.0 for end in ends))
