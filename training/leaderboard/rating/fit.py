"""A Bradley-Terry model of shares: fractional logit with a Gaussian prior, and its uncertainty.

A player's share of a winnable game has the mean ``logistic(gets - guards of the rival + table)``.
Where nothing is ever lost, ``gets`` and ``guards`` are one strength and this is Bradley and Terry's
model; here a game without a deal gives 0 to both sides, so that what a player takes and what it
leaves to others are two traits (as attack and defence in football). A game that came to nothing
then counts against both who sat there, and for neither.

Source: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", 1952;
L. E. Papke and J. M. Wooldridge, "Econometric methods for fractional response variables", 1996;
M. J. Maher, "Modelling association football scores", 1982.
"""

import math
from collections.abc import Sequence
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

SMALL = 1e-7
"""Steps below this many logits are none (a hundred-thousandth of a point)."""

FEWEST_FOR_SPREAD = 30
"""With fewer games than this the spread of shares is not measured but taken as ``WIDEST``."""

WIDEST = 0.5
"""Spread of shares, as a part of a coin's, that is assumed before there are enough games."""


class Feature(msgspec.Struct, frozen=True, order=True):
    """One number of the model: a trait of a player, or how easy a seat at a table is.

    ``gets`` is what a player takes for itself, ``guards`` how little it leaves to whoever sits
    opposite, ``table`` the ease of a seat: its ``name`` is a suite and a role.
    """

    trait: Trait
    name: str


class Payoff(msgspec.Struct, frozen=True):
    """What one side got out of one winnable game.

    Attributes:
        player: who got it.
        rivals: who sat against it, and how much of each of them tells.
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
    """Payoffs as arrays. Games with the same players and table share one row of ``patterns``.

    Attributes:
        features: one per column.
        patterns: (rows, features).
        row: (payoffs,), the row of each payoff.
        share: (payoffs,), 0..1.
        cluster: (payoffs,), whole numbers from 0.
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
    """The fitted model.

    Attributes:
        features: one per number.
        values: (features,), in logits.
        covariance: (features, features): of what was fitted around what is true.
    """

    features: tuple[Feature, ...]
    values: Vector
    covariance: Matrix

    def place(self, feature: Feature) -> int:
        """Return the index of a feature."""
        return self.features.index(feature)


def fit(design: Design, luck: Luck = "clustered") -> Fit:
    """Fit the model by Newton's method.

    Args:
        design: the payoffs.
        luck: ``clustered`` sums the scores of each cluster (for many clusters; it respects that
            policies met the same seeds), ``pooled`` takes one spread for all games (for players
            with few games each, whose own spread says nothing yet).

    Raises:
        ArithmeticError: Newton's method did not settle.
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
    """Lay payoffs out as arrays.

    Raises:
        ValueError: there is none, or a share lies outside 0..1.
    """
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
    """Return the negative log of the posterior, but for a constant."""
    reach = design.patterns @ values
    taken = np.bincount(design.row, design.share, len(reach))
    cross = design.counts * np.logaddexp(0, reach) - taken * reach
    return float(cross.sum() / spread + (precision * values**2).sum() / 2)


def _curvature(design: Design, values: Vector, spread: float) -> Matrix:
    expected = _logistic(design.patterns @ values)
    weight = design.counts * expected * (1 - expected) / spread
    return (design.patterns.T * weight) @ design.patterns


def _meat(design: Design, values: Vector) -> Matrix:
    """Sum the outer products of the clusters' scores."""
    rows, clusters = len(design.patterns), int(design.cluster.max()) + 1
    left = design.share - _logistic(design.patterns @ values)[design.row]
    sums = np.bincount(design.cluster * rows + design.row, left, clusters * rows)
    scores = sums.reshape(clusters, rows) @ design.patterns
    return (scores.T @ scores) * clusters / max(clusters - 1, 1)


def _spread(design: Design, values: Vector, precision: Vector) -> float:
    """Measure how widely shares scatter, as a part of a coin's scatter (Pearson).

    What the fit has bent to its own games is given back (the effective number of parameters), and
    as the measure itself is uncertain, a standard error is added: it grows with few games.
    """
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
