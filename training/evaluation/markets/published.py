"""What the published environment reports of its own policies, and ours beside it.

``python -m training.evaluation.markets.published`` plays ours under the published mix on the same
seeds. Another engine: its seeds are other worlds, its policies play in another way
(``docs/gpu_market.md``), and it had no judge, so a pitch earned nothing but its 0.008. Here
keywords always pay; our means come with and without what words earned.
"""

import argparse
import statistics
import sys
from collections.abc import Iterator, Sequence

import msgspec

from bazaarbatna.market import TASK_NAMES, make_market
from bazaarbatna.market.planner import play_scored
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES, make_policy
from training.evaluation.markets.players import HELD_OUT


class Elsewhere(msgspec.Struct, frozen=True):
    """One row of their table; None where only part of it is reported.

    ``policy`` is ours that is made after it; ``tasks`` are single trade, market round and coalition
    market, ``overall`` their mean of all.
    """

    title: str
    policy: str
    tasks: tuple[float, float, float] | None
    overall: float


ELSEWHERE: tuple[Elsewhere, ...] = (
    Elsewhere("Rule expert", "rule_expert", (0.204, 0.526, 0.624), 0.451),
    # Theirs runs its jobs as well, wherever nothing is offered.
    Elsewhere("Always accept", "accepts_first", (0.171, 0.400, 0.227), 0.266),
    Elsewhere("SFT, Llama-3.2-3B", "", (0.164, 0.189, 0.416), 0.257),
    Elsewhere("Greedy hoarder", "greedy_hoarder", (0.157, 0.192, 0.083), 0.144),
    # Their two play alike: one is the other.
    Elsewhere("Allocator only", "no_negotiation_allocator", (0.157, 0.192, 0.083), 0.144),
    Elsewhere("Random valid", "random_valid", (0.081, 0.187, 0.110), 0.126),
    Elsewhere("Naive instruct", "naive_instruct", (0.078, -0.007, -0.095), -0.008),
    Elsewhere("Base Llama-3.2-3B", "", (0.050, -0.051, -0.281), -0.094),
)
"""Best first, as they rank them."""

SEEDS_ELSEWHERE = 8
"""Seeds a task that their scripted policies played, from ``HELD_OUT``; their models played 5."""


class Played(msgspec.Struct, frozen=True):
    """A policy in one task: the return of each seed, and what words earned of it."""

    returns: tuple[float, ...]
    words: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean return."""
        return statistics.fmean(self.returns)

    @property
    def unjudged(self) -> float:
        """The mean return less what words earned: as theirs were measured."""
        return self.mean - statistics.fmean(self.words)


def played_here(policy: str, task: str, seeds: Sequence[int]) -> Played:
    """Play one of our policies under the published mix."""
    scored = [
        play_scored(make_market(task, seed, reward="published"), make_policy(policy, seed))
        for seed in seeds
    ]
    words = tuple(sum(step.judge_argument for step in one.rewards) for one in scored)
    return Played(tuple(one.total for one in scored), words)


def lines(policies: Sequence[str], seeds: Sequence[int]) -> Iterator[str]:
    """Write the comparison, task by task and over all."""
    theirs = {one.policy: one for one in ELSEWHERE if one.policy}
    found: dict[str, list[Played]] = {name: [] for name in policies}
    for place, task in enumerate(TASK_NAMES):
        yield f"{task}, published mix, seeds {seeds[0]} to {seeds[-1]}: mean, unjudged, there; each"
        for name in policies:
            played = played_here(name, task, seeds)
            found[name].append(played)
            there = theirs[name].tasks if name in theirs else None
            each = " ".join(f"{one:6.3f}" for one in played.returns)
            yield _line(name, [played], there[place] if there else None) + f"   {each}"
    yield "all tasks: mean, unjudged, there"
    for name in policies:
        yield _line(name, found[name], theirs[name].overall if name in theirs else None)


def _line(name: str, played: Sequence[Played], there: float | None) -> str:
    mean = statistics.fmean(one.mean for one in played)
    unjudged = statistics.fmean(one.unjudged for one in played)
    told = "     -" if there is None else f"{there:6.3f}"
    return f"  {name:<26}{mean:6.3f} {unjudged:6.3f} {told}"


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS_ELSEWHERE, help="worlds for each task")
    parser.add_argument("--first", type=int, default=HELD_OUT, help="the first seed")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.seeds)
    for line in lines([*POLICIES, *EXPLOITS], seeds):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
