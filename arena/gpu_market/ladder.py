"""Who earns how much, as the table in the docs: ``python -m arena.gpu_market.ladder``.

Mean return of every scripted policy as the first lab in the same worlds, with a paired bootstrap
interval of its lead over the expert, and how many episodes saturate (a return of 1).
"""

import argparse
import statistics
import sys
from collections.abc import Sequence
from typing import get_args

from bazaarbatna.intervals import paired_interval
from bazaarbatna.market import TASK_NAMES, make_market
from bazaarbatna.market.planner import play_scored
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES, make_policy
from bazaarbatna.market.scenario import RewardMix

FIRST_SEED = 50_000
"""Nothing was trained on worlds from here on."""
MEASURE = "rule_expert"


def returns(task: str, policy: str, seeds: Sequence[int], mix: RewardMix) -> list[float]:
    """Play every seed once and give the returns, in their order."""
    return [
        play_scored(make_market(task, seed, reward=mix), make_policy(policy, seed)).total
        for seed in seeds
    ]


def table(task: str, names: Sequence[str], seeds: Sequence[int], mix: RewardMix) -> list[str]:
    """Write the lines of one task."""
    measure = returns(task, MEASURE, seeds, mix)
    lines = [f"{task}, {len(seeds)} seeds from {seeds[0]}, {mix} mix"]
    for name in names:
        earned = returns(task, name, seeds, mix)
        lead = paired_interval([a - b for a, b in zip(earned, measure, strict=True)])
        full = sum(one >= 1.0 - 1e-9 for one in earned)
        lines.append(
            f"  {name:<26}{statistics.fmean(earned):>7.3f}"
            f"   over {MEASURE} {lead.low:+.3f} .. {lead.high:+.3f}   saturated {full}"
        )
    return lines


def main() -> None:
    """Print the ladder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="worlds for each task")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="the first seed")
    parser.add_argument("--mix", choices=get_args(RewardMix), default="default")
    parser.add_argument("--tasks", nargs="+", choices=TASK_NAMES, default=TASK_NAMES)
    known = [*POLICIES, *EXPLOITS]
    parser.add_argument("--policies", nargs="+", choices=known, default=known)
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.seeds)
    for task in asked.tasks:
        sys.stdout.write("\n".join([*table(task, asked.policies, seeds, asked.mix), ""]))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
