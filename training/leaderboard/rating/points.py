"""Logits as points on a scale that people know, with intervals."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist

import msgspec
import numpy as np
from numpy.typing import NDArray

from training.leaderboard.rating.fit import Feature, Fit, Payoff

MIDDLE = 1500
"""Points of the average policy, and of a person who gets half of the zone from the house."""

POINTS_PER_LOGIT = 400 / np.log(10)
"""As in chess: 400 points more are ten times the odds, here of a rupee between the two."""

Z = 1.959964
"""Standard errors to each side of a 95 % interval."""

MOST_HALF_WIDTH = 100
"""A rating whose interval reaches further than this to a side is provisional."""

LEVEL = 0.05
"""Chance that a player's true rank lies outside its range."""


class Rating(msgspec.Struct, frozen=True):
    """A player's points with their 95 % interval."""

    points: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """How far the interval reaches to a side."""
        return (self.high - self.low) / 2

    @property
    def is_provisional(self) -> bool:
        """The interval is too wide to rank by."""
        return self.half_width > MOST_HALF_WIDTH

    def overlaps(self, other: "Rating") -> bool:
        """The two intervals have points in common.

        >>> Rating(1500, 1480, 1520).overlaps(Rating(1530, 1510, 1550))
        True
        """
        return self.low <= other.high and other.low <= self.high


class Ratings(msgspec.Struct, frozen=True):
    """Ratings of some players together.

    Attributes:
        players: their names.
        ratings: one each.
        covariance: (players, players), in points squared; what two players share cancels in it.
    """

    players: tuple[str, ...]
    ratings: tuple[Rating, ...]
    covariance: NDArray[np.float64]


class Distance(msgspec.Struct, frozen=True):
    """How many points a player lies above the average of some others, from games of its own."""

    player: str
    against: tuple[str, ...]
    points: float
    variance: float


class RankRange(msgspec.Struct, frozen=True):
    """The best and the worst rank that a player may have."""

    best: int
    worst: int

    def __str__(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}\N{EN DASH}{self.worst}"


def ratings_of(fit: Fit, players: Sequence[str], setting: Mapping[Feature, float]) -> Ratings:
    """Put players on the scale.

    Args:
        fit: the fitted model; it knows what each of the players gets.
        players: whom to rate.
        setting: what stands beside a player's own strength, with weights: whatever it comes to
            with that, in logits, 0 has ``MIDDLE`` points.
    """
    places = {feature: at for at, feature in enumerate(fit.features)}
    contrast = np.zeros((len(players), len(places)))
    for row, player in enumerate(players):
        contrast[row, places[Feature("gets", player)]] = 1
    for feature, weight in setting.items():
        contrast[:, places[feature]] += weight
    points = MIDDLE + POINTS_PER_LOGIT * (contrast @ fit.values)
    covariance = POINTS_PER_LOGIT**2 * (contrast @ fit.covariance @ contrast.T)
    return Ratings(tuple(players), _intervals(points, covariance), covariance)


def less_average(players: Sequence[str]) -> dict[Feature, float]:
    """Return the setting in which the average of these players has ``MIDDLE`` points."""
    return {Feature("gets", player): -1 / len(players) for player in players}


def at_tables(games: Iterable[Payoff]) -> dict[Feature, float]:
    """Return the setting in which ``MIDDLE`` points mean half of the zone in the average of games.

    Args:
        games: at least one; those with the same rivals at the same table count once.
    """
    tables = {(game.rivals, game.table): game for game in games}
    setting: defaultdict[Feature, float] = defaultdict(float)
    for game in tables.values():
        for feature, weight in game.terms:
            if feature.trait != "gets":
                setting[feature] += weight / len(tables)
    return dict(setting)


def beside(ratings: Ratings, distances: Sequence[Distance]) -> Ratings:
    """Put players beside others from whom their distance is known; the others do not move.

    Args:
        ratings: of the others.
        distances: measured on other games than ``ratings``, and each on its own.
    """
    place = {player: at for at, player in enumerate(ratings.players)}
    size = len(place)
    known = np.array([one.points for one in ratings.ratings])
    rows = np.zeros((size + len(distances), size))
    rows[:size] = np.eye(size)
    for at, one in enumerate(distances, start=size):
        rows[at, [place[name] for name in one.against]] = 1 / len(one.against)
    own = np.array([0.0] * size + [one.variance for one in distances])
    shift = np.array([0.0] * size + [one.points for one in distances])
    covariance = rows @ ratings.covariance @ rows.T + np.diag(own)
    players = (*ratings.players, *(one.player for one in distances))
    return Ratings(players, _intervals(rows @ known + shift, covariance), covariance)


def _intervals(points: NDArray[np.float64], covariance: NDArray[np.float64]) -> tuple[Rating, ...]:
    reach = Z * np.sqrt(np.diag(covariance))
    return tuple(
        Rating(float(point), float(point - wide), float(point + wide))
        for point, wide in zip(points, reach, strict=True)
    )


def rank_ranges(
    ratings: Ratings, may: Sequence[bool] | None = None
) -> tuple[RankRange | None, ...]:
    """Return each player its range of ranks, None for one that is not ranked.

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
