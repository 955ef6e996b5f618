"""What a rating is made from: who got how much against whom, at which table."""

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

Trait = Literal["gets", "guards", "table"]


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
