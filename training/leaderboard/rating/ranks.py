"""Which ranks a table may claim: a range per player, never more than the games bear.

One player is ahead of another only if both hold: their intervals do not overlap, and the interval
of their difference (on the games that both played) leaves out zero, at a level shared among all
comparisons of that player. A player's range then runs from one below the number of those ahead of
it to the number of those that it is not ahead of.

Source: M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, "Inference for ranks with
applications to mobility across neighbourhoods and academic achievement across countries", 2024.
"""

from collections.abc import Sequence
from statistics import NormalDist

import msgspec

from training.leaderboard.rating.points import Ratings

LEVEL = 0.05
"""Chance that a player's true rank lies outside its range."""


class RankRange(msgspec.Struct, frozen=True):
    """The best and the worst rank that a player may have."""

    best: int
    worst: int

    def __str__(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}\N{EN DASH}{self.worst}"


def rank_ranges(
    ratings: Ratings, may: Sequence[bool] | None = None
) -> tuple[RankRange | None, ...]:
    """Give each player its range of ranks, None for one that is not ranked.

    Args:
        ratings: of all players of a table.
        may: one per player, whether it takes part. Provisional players never do, and nobody is
            ranked against those who do not.
    """
    ranked = [
        at
        for at, one in enumerate(ratings.ratings)
        if not one.is_provisional and (may is None or may[at])
    ]
    z = NormalDist().inv_cdf(1 - LEVEL / 2 / max(len(ranked) - 1, 1))
    ranges: list[RankRange | None] = [None] * len(ratings.players)
    for one in ranked:
        ahead = sum(_is_ahead(ratings, other, one, z) for other in ranked)
        behind = sum(_is_ahead(ratings, one, other, z) for other in ranked)
        ranges[one] = RankRange(1 + ahead, len(ranked) - behind)
    return tuple(ranges)


def _is_ahead(ratings: Ratings, one: int, other: int, z: float) -> bool:
    first, second, spread = ratings.ratings[one], ratings.ratings[other], ratings.covariance
    if one == other or first.points <= second.points or first.overlaps(second):
        return False
    variance = spread[one, one] + spread[other, other] - 2 * spread[one, other]
    return bool(first.points - second.points > z * max(variance, 0.0) ** 0.5)
