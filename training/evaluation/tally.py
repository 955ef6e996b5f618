"""Rows counted per game of a suite: whole numbers only, so that every machine sums the same."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from training.evaluation.errors import BrokenRun, MixedVersions
from training.evaluation.grades import grade_of, is_graded, is_solved
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
    "graded",
    "grade",
    "graded_games",
    "solved",
)
"""What is counted of a bargain; shares, rewards and grades in millionths.

The last two are counted of whole games, when all their bargains are there.
"""

MILLION = 1_000_000

Counts = npt.NDArray[np.float64]
"""Shape (games, policies, counts); whole numbers below 2**53, so that sums are exact."""


class Counting(msgspec.Struct, frozen=True):
    """What is counted of a row: ``numbers`` gives one whole number for each of ``names``.

    ``of_games`` adds to the counts of a suite what can only be said of whole games; it gets the
    suite's id and the counts, and changes them.
    """

    names: tuple[str, ...]
    numbers: Callable[[Any], tuple[int, ...]]
    of_games: Callable[[str, Counts], None] | None = None


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
        self._first, self._fact = plan.seed, fact
        self._numbers, self._of_games = counting.numbers, counting.of_games
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
        counts = self._counts.copy()
        if self._of_games is not None:
            self._of_games(self._fact.id, counts)
        return counts

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
    graded = is_graded(row.suite)
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
        graded,
        round(MILLION * grade_of(row)) if graded else 0,
        0,
        0,
    )


def _solved_games(suite_id: str, counts: Counts) -> None:
    if not is_graded(suite_id):
        return
    place = COUNTS.index
    scores = counts[:, :, place("grade")] / (MILLION * counts[:, :, place("graded")])
    counts[:, :, place("graded_games")] = 1
    counts[:, :, place("solved")] = np.vectorize(partial(is_solved, suite_id))(scores)


BARGAINS = Counting(COUNTS, _numbers, _solved_games)
"""What is counted of bargains."""
