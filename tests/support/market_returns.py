"""Returns of scripted policies of the market as the published environment measured its own."""

import statistics
from collections.abc import Iterable

from bazaarbatna.market import make_market, play_scored
from bazaarbatna.market.policies.registry import make_policy

SEEDS_ELSEWHERE = range(50_000, 50_008)
"""Seeds of a task that their scripted policies played."""


def unjudged(policy: str, task: str, seeds: Iterable[int]) -> float:
    """Return the mean return under the published mix less what words earned: it had no judge."""
    scored = [
        play_scored(make_market(task, seed, reward="published"), make_policy(policy, seed))
        for seed in seeds
    ]
    return statistics.fmean(
        one.total - sum(step.judge_argument for step in one.rewards) for one in scored
    )
