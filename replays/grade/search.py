"""Find a better move than the played one, and measure honestly how much better it is.

The field is narrowed on some of the luck; the loss is measured on other luck, so that the best of
many noisy means does not look better than it is. What is within the noise is no loss.
"""

import math
from collections.abc import Callable, Sequence
from statistics import fmean, stdev
from typing import Generic, TypeVar

import msgspec


class Effort(msgspec.Struct, frozen=True):
    """How much is tried for one move. Counts of continuations per candidate, and of candidates.

    All get ``first`` continuations and the ``kept`` best ``second`` more. On ``measured`` others
    the played move meets the best of these, and the next best, up to ``tried``, where the luck of
    the search had flattered one; one that is not ahead after ``glance`` of them is given up.
    """

    first: int = 6
    kept: int = 5
    second: int = 20
    measured: int = 80
    tried: int = 3
    glance: int = 20
    noise: float = 2.0  # in standard errors: a smaller difference is no loss


EFFORT = Effort()


MoveT = TypeVar("MoveT")

Share = Callable[[MoveT, int], float]
"""What the mover gets, 0..1, when it makes a move and meets the luck of that number (from 1)."""

Nearby = Callable[[MoveT, Sequence[MoveT]], Sequence[MoveT]]


class Finding(msgspec.Struct, Generic[MoveT], frozen=True):
    """Expected share of the played move, what it lost, and best less worst (``stake``); 0..1.

    The mean of the ``best`` is sure to within ``error``; ``typical``: the luck that comes nearest.
    """

    played: float
    loss: float
    stake: float
    best: MoveT | None
    error: float = 0.0
    typical: int = 0


def find_better(
    moves: Sequence[MoveT],
    share: Share[MoveT],
    nearby: Nearby[MoveT],
    effort: Effort = EFFORT,
) -> Finding[MoveT]:
    """Compare moves, the played one first, on the same luck; ``nearby`` names more to look at."""
    shares: dict[MoveT, list[float]] = {}

    def play(some: Sequence[MoveT], first: int, count: int) -> None:
        for move in some:
            luck = range(first, first + count)
            shares.setdefault(move, []).extend(share(move, number) for number in luck)

    def leaders(some: Sequence[MoveT]) -> list[MoveT]:
        # sorted() is stable: of equals the played move, which comes first, wins.
        return sorted(some, key=lambda move: -fmean(shares[move]))[: effort.kept]

    played = moves[0]
    play(moves, 1, effort.first)
    near = [move for move in nearby(leaders(moves)[0], moves) if move not in shares]
    play(near, 1, effort.first)
    finalists = leaders((*moves, *near))
    play(finalists, 1 + effort.first, effort.second)
    start = 1 + effort.first + effort.second
    fresh = range(start, start + effort.measured)
    mine = [share(played, number) for number in fresh]
    means = [fmean(values) for values in shares.values()]
    stake = max(means) - min(means)
    for better in leaders(finalists)[: effort.tried]:
        if better == played:
            break  # nothing that looked better has proved so
        gains: list[float] = []
        for number, own in zip(fresh, mine, strict=True):
            gains.append(share(better, number) - own)
            if len(gains) == effort.glance and fmean(gains) <= 0:
                break  # not worth the rest
        loss = significant(gains, effort.noise)
        if loss:
            ends = [own + gain for own, gain in zip(mine, gains, strict=True)]
            typical = min(fresh, key=lambda number: abs(ends[number - start] - fmean(ends)))
            error = effort.noise * standard_error(ends)
            return Finding(fmean(mine), loss, stake, better, error, typical)
    return Finding(fmean(mine), 0.0, stake, None)


def significant(differences: Sequence[float], noise: float) -> float:
    """Return the mean of at least two paired differences, or 0 within ``noise`` standard errors."""
    mean = fmean(differences)
    return mean if mean > max(noise * standard_error(differences), 1e-9) else 0.0


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of at least two values."""
    return stdev(values) / math.sqrt(len(values))
