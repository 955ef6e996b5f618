"""Rows counted per game of a suite: whole numbers only, so that every machine sums the same."""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from training.evaluation.errors import BrokenRun, MixedVersions
from training.evaluation.plan import Plan, SuiteFact
from training.evaluation.rows import EpisodeRow, Row

COUNTS = (
    "n",
    "winnable",
    "hopeless",
    "deals",
    "share",
    "wins",
    "losses",
    "rational_walks",
    "rounds",
    "reward",
)
"""What is counted of a bargain; shares and rewards in millionths."""

MILLION = 1_000_000

Counts = npt.NDArray[np.float64]
"""Shape (games, policies, counts); whole numbers below 2**53, so that sums are exact."""


class Counting(msgspec.Struct, frozen=True):
    """What is counted of a row: ``numbers`` gives one whole number for each of ``names``."""

    names: tuple[str, ...]
    numbers: Callable[[Any], tuple[int, ...]]


class Tally:
    """Takes the rows of a plan in any order and keeps only their counts."""

    def __init__(self, plan: Plan, counting: Counting) -> None:
        self._plan = plan
        self._suites = {one.id: _SuiteTally(plan, one, counting) for one in plan.suites}

    def add(self, row: Row) -> None:
        """Count a row.

        Raises:
            MixedVersions: it is of another version than the plan, or of another game than other
                policies met under its seed.
            BrokenRun: it is not of this plan, or counted already.
        """
        suite = self._suites.get(row.suite)
        if suite is None:
            raise BrokenRun(f"A row of {row.suite} is not of this run.")
        suite.add(row)

    def counts(self, suite_id: str) -> Counts:
        """Give the counts of a suite: (games, policies, counts), in the order of the plan.

        Raises:
            BrokenRun: rows are missing.
        """
        return self._suites[suite_id].counts()


class _SuiteTally:
    def __init__(self, plan: Plan, fact: SuiteFact, counting: Counting) -> None:
        policies, in_a_row = len(plan.policies), fact.bargains // fact.games
        self._first, self._fact, self._numbers = plan.seed, fact, counting.numbers
        self._place = {buyer.name: number for number, buyer in enumerate(plan.policies)}
        self._versions = {buyer.name: buyer.version for buyer in plan.policies}
        self._counts = np.zeros((fact.games, policies, len(counting.names)))
        self._seen = np.zeros((fact.games, in_a_row, policies), dtype=bool)
        self._dealt: dict[tuple[int, int], tuple[int, ...]] = {}

    def add(self, row: Row) -> None:
        fact, unit, game = self._fact, row.seed - self._first, row.game
        policy = self._place.get(row.policy)
        is_ours = 0 <= unit < fact.games and 0 <= game < self._seen.shape[1]
        if policy is None or not is_ours or self._seen[unit, game, policy]:
            raise BrokenRun(
                f"{fact.id}: the row of {row.policy}, seed {row.seed}, place {game}, is "
                "doubled or not of this run."
            )
        self._check_versions(row)
        self._check_pairs(row, unit)
        self._seen[unit, game, policy] = True
        self._counts[unit, policy] += self._numbers(row)

    def counts(self) -> Counts:
        there, wanted = int(self._seen.sum()), self._seen.size
        if there != wanted:
            raise BrokenRun(
                f"{self._fact.id} has {there} rows of {wanted}; finish the run with --resume."
            )
        return self._counts

    def _check_versions(self, row: Row) -> None:
        for what, found, pinned in (
            ("the opponent", row.opponent, self._fact.seller),
            (f"the policy {row.policy}", row.policy_version, self._versions[row.policy]),
        ):
            if found != pinned:
                raise MixedVersions(
                    f"{row.suite} holds results of two versions of {what}: {pinned} and {found}. A "
                    "table never mixes versions; evaluate all policies anew in one run."
                )

    def _check_pairs(self, row: Row, unit: int) -> None:
        if self._dealt.setdefault((unit, row.game), row.dealt) != row.dealt:
            raise MixedVersions(
                f"In {row.suite}, seed {row.seed}, {row.policy} met another game than the others: "
                "differences would not be paired. Evaluate all policies anew in one run."
            )


def _numbers(row: EpisodeRow) -> tuple[int, ...]:
    return (
        1,
        row.winnable,
        not row.winnable,
        row.winnable and row.price is not None,
        round(MILLION * (row.surplus or 0.0)),
        row.winnable and row.label == "buyer win",
        row.label == "mutual loss",
        row.label == "rational walk",
        row.rounds,
        round(MILLION * row.reward),
    )


BARGAINS = Counting(COUNTS, _numbers)
"""What is counted of bargains."""
