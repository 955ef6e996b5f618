"""How fast ``manage.py evaluate`` plays every rule buyer everywhere, or how good its errors are.

    python -m tests.benchmarks.evaluation --episodes 200 --workers 1 2
    python -m tests.benchmarks.evaluation --coverage 2000

Coverage: how often the 95 % intervals of a share hold the truth, on so many made samples of each
size. A bargain's share has a known mean; half of it is all or nothing by the luck of its game,
which all bargains of the game have in common.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

import numpy as np

from bazaarbatna.intervals import interval, ratio, resampled_sums

EPISODES = 200
BAR_S = 300.0
"""Five minutes on two cores."""

SIZES = ((200, 1), (60, 1), (40, 5), (20, 10))
"""Games of a suite, and bargains in each."""

MEAN, WINNABLE, CONCENTRATION = 0.35, 0.85, 1.2
"""Mean share, part of bargains with a zone, narrowness of the beta distribution of shares."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=EPISODES)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--suites", default="all")
    parser.add_argument("--coverage", type=int, default=0, metavar="WORLDS")
    options = parser.parse_args()
    if options.coverage:
        for games, bargains in SIZES:
            rate = coverage(games, bargains, options.coverage)
            print(f"{games} games of {bargains}: the truth is inside {rate:.1%} of the time")
        return
    with tempfile.TemporaryDirectory() as data_dir:
        os.environ["BAZAAR_DATA_DIR"] = data_dir
        for workers in options.workers:
            measure(options.episodes, options.suites, workers)


def coverage(games: int, bargains: int, worlds: int) -> float:
    """Return how often the interval of a share over winnable bargains holds the true mean."""
    rng = np.random.default_rng(games)
    a, b = MEAN * CONCENTRATION, (1 - MEAN) * CONCENTRATION
    inside = 0
    for world in range(worlds):
        luck = rng.random((games, 1)) < MEAN
        winnable = rng.random((games, bargains)) < WINNABLE
        shares = winnable * (luck + rng.beta(a, b, (games, bargains))) / 2
        counts = np.stack([shares.sum(axis=1), winnable.sum(axis=1)], axis=1)[:, None, :]
        sums = resampled_sums(f"{games}/{world}", counts)
        found = interval(ratio(sums[:, 0, 0], sums[:, 0, 1]))
        inside += found is not None and found.low <= MEAN <= found.high
    return inside / worlds


def measure(episodes: int, suites: str, workers: int) -> None:
    import io

    import django

    django.setup()
    from django.core.management import call_command

    from training.evaluation.folder import Folder
    from training.evaluation.plan import make_plan
    from training.evaluation.running import evaluate, open_evaluation
    from training.evaluation.summary import SUMMING
    from training.runs.lifecycle import folder_of

    call_command("migrate", verbosity=0)
    plan = make_plan(["rules"], [suites], episodes=episodes)
    run = open_evaluation(plan, f"workers-{workers}")
    began = time.perf_counter()
    evaluate(run, workers=workers, out=io.StringIO())
    took = time.perf_counter() - began
    rows = list(Folder(Path(folder_of(run))).journal.rows())
    began = time.perf_counter()
    SUMMING.summarise(plan, rows)
    summed = time.perf_counter() - began
    print(
        f"{workers} workers: {plan.bargains:,} bargains ({len(plan.policies)} buyers, "
        f"{len(plan.suites)} suites) in {took:.1f} s, {plan.bargains / took:,.0f} a second; "
        f"summary {summed:.2f} s of it; bar {BAR_S:.0f} s, {took / BAR_S:.0%} used"
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    main()
