"""A Bradley-Terry model of shares (fractional logit, Gaussian prior) as points with intervals.

A player's share of a winnable game has the mean ``logistic(gets - guards of the rival + table)``.
Where nothing is ever lost, ``gets`` and ``guards`` are one strength and this is Bradley and Terry's
model; here a game without a deal gives 0 to both sides, so that what a player takes and what it
leaves to others are two traits (as attack and defence in football).

Source: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", 1952;
L. E. Papke and J. M. Wooldridge, "Econometric methods for fractional response variables", 1996;
M. J. Maher, "Modelling association football scores", 1982.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

Trait = Literal["gets", "guards", "table"]
Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

Luck = Literal["clustered", "pooled"]
"""How the spread of shares is judged: from clusters, or as one number for all games."""

PRIOR_SD: dict[Trait, float] = {"gets": 1.0, "guards": 1.0, "table": 0.7}
"""How far a feature may be expected to lie from 0, in logits (1 logit is 174 points)."""

STEPS = 60
SMALL = 1e-7  # Steps below this many logits are none (a hundred-thousandth of a point)

FEWEST_FOR_SPREAD = 30
"""With fewer games than this the spread of shares is not measured but taken as ``WIDEST``."""

WIDEST = 0.5
"""Spread of shares, as a part of a coin's, that is assumed before there are enough games."""


class Feature(msgspec.Struct, frozen=True, order=True):
    """One number of the model: what a player ``gets``, or how well it ``guards`` the rest.

    Or the ease of a seat at a ``table``, whose ``name`` is a suite and a role.
    """

    trait: Trait
    name: str


class Payoff(msgspec.Struct, frozen=True):
    """What one side got out of one winnable game.

    Attributes:
        rivals: who sat against the player, and how much of each of them tells.
        table: the suite and the role, for example ``single_deal@sampled-1 buyer``.
        share: 0..1 of the zone of possible agreement; 0 without a deal, for both sides.
        cluster: games with the same cluster had the same luck and are not independent.
    """

    player: str
    rivals: tuple[tuple[str, float], ...]
    table: str
    share: float
    cluster: str

    @property
    def terms(self) -> tuple[tuple[Feature, float], ...]:
        """The features that this payoff depends on, with their weights."""
        return (
            (Feature("gets", self.player), 1.0),
            *((Feature("guards", name), -weight) for name, weight in self.rivals),
            (Feature("table", self.table), 1.0),
        )


class Design(msgspec.Struct, frozen=True):
    """Payoffs as arrays: ``patterns`` (rows, features), the rest (payoffs,).

    Games with the same players and table share one row; ``cluster`` has whole numbers from 0.
    """

    features: tuple[Feature, ...]
    patterns: NDArray[np.float64]
    row: NDArray[np.intp]
    share: NDArray[np.float64]
    cluster: NDArray[np.intp]

    @property
    def counts(self) -> NDArray[np.float64]:
        """Payoffs per pattern, (rows,)."""
        return np.bincount(self.row, minlength=len(self.patterns)).astype(float)


class Fit(msgspec.Struct, frozen=True):
    """The fitted model: values (features,) in logits, covariance (features, features) of errors."""

    features: tuple[Feature, ...]
    values: Vector
    covariance: Matrix

    def place(self, feature: Feature) -> int:
        """Return the index of a feature."""
        return self.features.index(feature)


def fit(design: Design, luck: Luck = "clustered") -> Fit:
    """Fit the model by Newton's method; ArithmeticError when it does not settle.

    ``clustered`` luck sums the scores of each cluster: policies met the same seeds. ``pooled``
    takes one spread for all games: players with few games have none of their own yet.
    """
    precision = np.array([PRIOR_SD[one.trait] ** -2 for one in design.features])
    values, spread = _settle(design, precision, 1.0), 1.0
    if luck == "pooled":
        spread = _spread(design, values, precision)
        values = _settle(design, precision, spread)
    curvature = _curvature(design, values, spread) + np.diag(precision)
    meat = _meat(design, values) if luck == "clustered" else _curvature(design, values, spread)
    bread = np.linalg.inv(curvature)
    # Error = bread @ (luck - precision @ truth), and the truth has the prior's covariance.
    return Fit(design.features, values, bread @ (meat + np.diag(precision)) @ bread)


def design_of(payoffs: Sequence[Payoff]) -> Design:
    """Lay payoffs out as arrays; ValueError when there is none, or a share lies outside 0..1."""
    if not payoffs:
        raise ValueError("A rating needs at least one game.")
    share = np.array([one.share for one in payoffs])
    if not ((share >= 0) & (share <= 1)).all():
        raise ValueError("A share is a number from 0 to 1.")
    rows: dict[tuple[tuple[Feature, float], ...], int] = {}
    clusters: dict[str, int] = {}
    row = np.array([rows.setdefault(one.terms, len(rows)) for one in payoffs])
    cluster = np.array([clusters.setdefault(one.cluster, len(clusters)) for one in payoffs])
    features = tuple(sorted({feature for terms in rows for feature, _ in terms}))
    place = {feature: at for at, feature in enumerate(features)}
    patterns = np.zeros((len(rows), len(features)))
    for terms, at in rows.items():
        for feature, weight in terms:
            patterns[at, place[feature]] += weight
    return Design(features, patterns, row, share, cluster)


def _settle(design: Design, precision: Vector, spread: float) -> Vector:
    values = np.zeros(len(precision))
    best = _misfit(design, values, precision, spread)
    for _ in range(STEPS):
        expected = _logistic(design.patterns @ values)
        surplus = np.bincount(design.row, design.share, len(expected)) - design.counts * expected
        slope = design.patterns.T @ surplus / spread - precision * values
        curvature = _curvature(design, values, spread) + np.diag(precision)
        step = np.linalg.solve(curvature, slope)
        # The misfit is convex: halving the step until it falls always ends.
        scale = 1.0
        while (next_one := _misfit(design, values + scale * step, precision, spread)) > best:
            scale /= 2
            if scale < SMALL:
                return values
        values, best = values + scale * step, next_one
        if np.abs(step).max() < SMALL:
            return values
    raise ArithmeticError(f"The rating did not settle within {STEPS} steps.")


def _misfit(design: Design, values: Vector, precision: Vector, spread: float) -> float:
    # The negative log of the posterior, but for a constant.
    reach = design.patterns @ values
    taken = np.bincount(design.row, design.share, len(reach))
    cross = design.counts * np.logaddexp(0, reach) - taken * reach
    return float(cross.sum() / spread + (precision * values**2).sum() / 2)


def _curvature(design: Design, values: Vector, spread: float) -> Matrix:
    expected = _logistic(design.patterns @ values)
    weight = design.counts * expected * (1 - expected) / spread
    return (design.patterns.T * weight) @ design.patterns


def _meat(design: Design, values: Vector) -> Matrix:
    # The sum of the outer products of the clusters' scores.
    rows, clusters = len(design.patterns), int(design.cluster.max()) + 1
    left = design.share - _logistic(design.patterns @ values)[design.row]
    sums = np.bincount(design.cluster * rows + design.row, left, clusters * rows)
    scores = sums.reshape(clusters, rows) @ design.patterns
    return (scores.T @ scores) * clusters / max(clusters - 1, 1)


def _spread(design: Design, values: Vector, precision: Vector) -> float:
    # How widely shares scatter, as a part of a coin's scatter (Pearson). What the fit has bent to
    # its own games is given back (the effective number of parameters), and a standard error is
    # added, as the measure itself is uncertain: it grows with few games.
    expected = _logistic(design.patterns @ values)[design.row]
    squares = float(((design.share - expected) ** 2 / (expected * (1 - expected))).sum())
    told = _curvature(design, values, 1.0)
    bent = float(np.trace(np.linalg.solve(told + np.diag(precision), told)))
    free = max(len(expected) - bent, 1.0)
    measured = squares / free * (1 + math.sqrt(2 / free))
    if len(expected) < FEWEST_FOR_SPREAD:
        return max(WIDEST, measured)
    return min(max(measured, 0.02), 1.0)


def _logistic(reach: Vector) -> Vector:
    return 1 / (1 + np.exp(-np.clip(reach, -40, 40)))


MIDDLE = 1500
"""Points of the average policy, and of a person who gets half of the zone from the site."""

POINTS_PER_LOGIT = 400 / np.log(10)
"""As in chess: 400 points more are ten times the odds, here of a rupee between the two."""

Z = 1.959964  # Standard errors to each side of a 95 % interval
MOST_HALF_WIDTH = 100  # A rating whose interval reaches further than this to a side is provisional
LEVEL = 0.05  # Chance that a player's true rank lies outside its range


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

    ``covariance`` is (players, players) in points squared; what two players share cancels in it.
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

    ``setting``, with weights, stands beside a player's own strength: where both come to 0 logits,
    there are ``MIDDLE`` points.
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

    Games with the same rivals at the same table count once.
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

    Distances were measured on other games than ``ratings``, and each on its own.
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

    ``may`` says who takes part. Provisional players never do, nor is anybody ranked against them.
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
