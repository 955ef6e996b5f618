"""Rows counted per game of a suite: whole numbers only, so that every machine sums the same."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from training.evaluation.errors import BrokenRun, MixedVersions
from training.evaluation.plan import Plan
from training.evaluation.rows import EpisodeRow

COUNTS = (
    "n", "winnable", "hopeless", "deals", "share", "closed_share", "wins", "losses",
    "rational_walks", "rounds", "reward",
)  # fmt: skip
"""What is counted; shares and rewards in millionths."""

MILLION = 1_000_000

Counts = npt.NDArray[np.float64]
"""Shape (games, policies, len(COUNTS)); whole numbers below 2**53, so that sums are exact."""


def tally(plan: Plan, suite_id: str, rows: Sequence[EpisodeRow]) -> Counts:
    """Count the rows of one suite, per game and policy, in the order of the plan.

    Args:
        plan: what was played.
        suite_id: a suite of the plan.
        rows: all rows of that suite.

    Raises:
        MixedVersions: a row is of another version than the plan, or the games are not paired.
        BrokenRun: bargains are missing, doubled or foreign.
    """
    fact = next(one for one in plan.suites if one.id == suite_id)
    place = {buyer.name: number for number, buyer in enumerate(plan.policies)}
    versions = {buyer.name: buyer.version for buyer in plan.policies}
    counts = np.zeros((fact.games, len(place), len(COUNTS)))
    seen: set[tuple[str, int, int]] = set()
    deals: dict[tuple[int, int], tuple[int, int, int]] = {}
    for row in rows:
        key = (row.policy, row.seed, row.game)
        unit = row.seed - plan.seed
        if row.policy not in place or key in seen or not 0 <= unit < fact.games:
            raise BrokenRun(f"The bargain {suite_id}, {key} is doubled or not of this run.")
        seen.add(key)
        _check_versions(row, fact.seller, versions[row.policy])
        dealt = (row.anchor, row.budget, row.reservation)
        if deals.setdefault(key[1:], dealt) != dealt:
            raise MixedVersions(
                f"In {suite_id}, seed {row.seed}, {row.policy} met another game than the others: "
                "differences would not be paired. Evaluate all policies anew in one run."
            )
        counts[unit, place[row.policy]] += _numbers(row)
    if len(seen) != fact.bargains * len(place):
        raise BrokenRun(
            f"{suite_id} has {len(seen)} bargains of {fact.bargains * len(place)}; finish the run "
            "with --resume first."
        )
    return counts


def _check_versions(row: EpisodeRow, seller: str, version: str) -> None:
    for what, found, pinned in (
        ("the seller", row.seller, seller),
        (f"the policy {row.policy}", row.policy_version, version),
    ):
        if found != pinned:
            raise MixedVersions(
                f"{row.suite} holds results of two versions of {what}: {pinned} and {found}. A "
                "table never mixes versions; evaluate all policies anew in one run."
            )


def _numbers(row: EpisodeRow) -> tuple[int, ...]:
    is_deal = row.price is not None
    share = round(MILLION * (row.surplus or 0.0))
    return (
        1,
        row.winnable,
        not row.winnable,
        row.winnable and is_deal,
        share,
        share,
        row.label == "buyer win" and row.winnable,
        row.label == "mutual loss",
        row.label == "rational walk",
        row.rounds,
        round(MILLION * row.reward),
    )
