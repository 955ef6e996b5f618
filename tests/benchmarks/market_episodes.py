"""How many GPU-market episodes one process plays: ``python -m tests.benchmarks.market_episodes``.

With the full log, in the default reward mix: archetypes alone, the honest allocator, the expert and
the planner with their observations and the reward of every step, the ceiling of a world (what a
normaliser costs, once for each world), making a world, and the fold of a log.
Rates are in processor time, so that a busy machine reads like an idle one.

``--fresh`` asks what scoring costs in worlds that are seen for the first time: no ceiling is known
before its episode. Each rate also as a share of the archetypes alone, which nobody scores.
"""

import argparse
import platform
import statistics
import time
from collections.abc import Callable

import msgspec

from bazaarbatna.market import (
    TASK_NAMES,
    MarketScenario,
    Normaliser,
    fold,
    make_market,
    observe,
    play_market,
    play_scored,
    start,
)
from bazaarbatna.market.planner import best_plan, best_value, ceiling, in_hindsight, measure
from bazaarbatna.market.policies.registry import make_policy
from tests.benchmarks.rates import measure as rate
from tests.benchmarks.rates import report

RUNS = 3
BAR = {"single_trade": 3000, "market_round": 1500, "coalition_market": 1000}
"""Episodes a second that we ask of one process."""
ALONE = "archetypes alone, unscored"
FRESH = (("honest allocator", "no_negotiation_allocator"), ("rule expert", "rule_expert"))


def main() -> None:
    """Measure, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=500, help="episodes per run")
    parser.add_argument("--fresh", action="store_true", help="worlds nobody has seen before")
    asked = parser.parse_args()
    episodes = asked.episodes
    print(f"{episodes} episodes a run, median of {RUNS} runs, one process, processor time")
    print(f"Python {platform.python_version()}, msgspec {msgspec.__version__}")
    for task in TASK_NAMES:
        (fresh_table if asked.fresh else table)(task, episodes)


def fresh_table(task: str, episodes: int) -> None:
    """Print what scoring costs where every world is new, in turns, so that all meet one load."""

    def solved(scenario: MarketScenario, lab: int) -> float:
        return float(best_plan(in_hindsight(scenario, (lab,))).value)

    def scored(name: str, how: Normaliser) -> Callable[[int], object]:
        return lambda number: play_scored(
            make_market(task, number), make_policy(name, number), normaliser=how
        )

    work = {ALONE: lambda number: play_market(make_market(task, number), {})} | {
        f"{title}, {way}": scored(name, how)
        for title, name in FRESH
        for way, how in (("no ceiling", _one), ("ceiling", measure), ("HiGHS", solved))
    }
    rates: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(RUNS):
        for name, do in work.items():
            ceiling.cache_clear()
            rates[name].append(rate(do, episodes, time.process_time))
    alone = statistics.median(rates[ALONE])
    print(f"{task}, every world seen for the first time")
    for name, found in rates.items():
        share = statistics.median(found) / alone
        report(f"  {name:<34}", f"episodes/s, {share:.2f} of alone", found)


def _one(scenario: MarketScenario, lab: int) -> float:
    """Score against nothing: what observations, policy and columns cost without a ceiling."""
    return 1.0


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
        ("ceiling of a world", "worlds/s", lambda n: best_value(in_hindsight(worlds[n], (0,)))),
        ("the same by HiGHS", "worlds/s", lambda n: best_plan(in_hindsight(worlds[n], (0,)))),
        ("making a world", "worlds/s", lambda n: make_market(task, n)),
        ("one observation", "views/s", lambda n: observe(opened[n], 0)),
        ("fold of a whole log", "logs/s", lambda n: fold(make_market(task, n), logs[n])),
    )
    for name, unit, do in work:
        rates = [rate(do, episodes, time.process_time) for _ in range(RUNS)]
        report(f"  {name}", unit, rates)
    events = statistics.fmean(map(len, logs))
    size = statistics.fmean(len(msgspec.json.encode(log)) for log in logs)
    print(f"  {'events per episode':<26}{events:>9.1f}   {size:,.0f} bytes as JSON")


if __name__ == "__main__":
    main()
