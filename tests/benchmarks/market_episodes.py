"""How many GPU-market episodes one process plays: ``python -m tests.benchmarks.market_episodes``.

With the full log, in the default reward mix: archetypes alone, the honest allocator, the expert and
the planner with their observations and the reward of every step, the ceiling of a world (what a
normaliser costs, once for each world), making a world, and the fold of a log.
Rates are in processor time, so that a busy machine reads like an idle one.
"""

import argparse
import platform
import statistics
import time
from collections.abc import Callable

import msgspec

from arena.gpu_market.engine import (
    TASK_NAMES,
    fold,
    make_market,
    observe,
    play_market,
    play_scored,
    start,
)
from arena.gpu_market.planner import best_plan, in_hindsight
from arena.gpu_market.policies.registry import make_policy
from tests.benchmarks.rates import measure, report

RUNS = 3
BAR = {"single_trade": 3000, "market_round": 1500, "coalition_market": 1000}
"""Episodes a second that we ask of one process."""


def main() -> None:
    """Measure, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=500, help="episodes per run")
    episodes = parser.parse_args().episodes
    print(f"{episodes} episodes a run, median of {RUNS} runs, one process, processor time")
    print(f"Python {platform.python_version()}, msgspec {msgspec.__version__}")
    for task in TASK_NAMES:
        table(task, episodes)


def table(task: str, episodes: int) -> None:
    """Print the lines of one task."""
    logs = [play_market(make_market(task, number), {})[1] for number in range(episodes)]
    worlds = [make_market(task, number) for number in range(episodes)]
    opened = [start(make_market(task, number))[0] for number in range(episodes)]

    def scored(name: str) -> Callable[[int], object]:
        return lambda number: play_scored(make_market(task, number), make_policy(name, number))

    print(f"{task} (bar: {BAR[task]:,} episodes/s)")
    work: tuple[tuple[str, str, Callable[[int], object]], ...] = (
        ("archetypes alone", "episodes/s", lambda n: play_market(make_market(task, n), {})),
        ("honest allocator, scored", "episodes/s", scored("no_negotiation_allocator")),
        ("rule expert, scored", "episodes/s", scored("rule_expert")),
        ("optimal planner, scored", "episodes/s", scored("optimal_planner")),
        ("ceiling of a world", "worlds/s", lambda n: best_plan(in_hindsight(worlds[n], (0,)))),
        ("making a world", "worlds/s", lambda n: make_market(task, n)),
        ("one observation", "views/s", lambda n: observe(opened[n], 0)),
        ("fold of a whole log", "logs/s", lambda n: fold(make_market(task, n), logs[n])),
    )
    for name, unit, do in work:
        rates = [measure(do, episodes, time.process_time) for _ in range(RUNS)]
        report(f"  {name}", unit, rates)
    events = statistics.fmean(map(len, logs))
    size = statistics.fmean(len(msgspec.json.encode(log)) for log in logs)
    print(f"  {'events per episode':<26}{events:>9.1f}   {size:,.0f} bytes as JSON")


if __name__ == "__main__":
    main()
