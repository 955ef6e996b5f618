"""How fast ``manage.py evaluate`` plays every rule buyer on every suite.

python -m tests.benchmarks.evaluation --episodes 200 --workers 1 2
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

EPISODES = 200
BAR_S = 300.0
"""Five minutes on two cores."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=EPISODES)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--suites", default="all")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data_dir:
        os.environ["BAZAAR_DATA_DIR"] = data_dir
        for workers in options.workers:
            measure(options.episodes, options.suites, workers)


def measure(episodes: int, suites: str, workers: int) -> None:
    import io

    import django

    django.setup()
    from django.core.management import call_command

    from training.evaluation.folder import Folder
    from training.evaluation.plan import make_plan
    from training.evaluation.running import evaluate, open_evaluation
    from training.evaluation.summary import summarise
    from training.runs import folder_of

    call_command("migrate", verbosity=0)
    plan = make_plan(["rules"], [suites], episodes=episodes)
    run = open_evaluation(plan, f"workers-{workers}")
    began = time.perf_counter()
    evaluate(run, workers=workers, out=io.StringIO())
    took = time.perf_counter() - began
    rows = list(Folder(Path(folder_of(run))).journal.rows())
    began = time.perf_counter()
    summarise(plan, rows)
    summed = time.perf_counter() - began
    print(
        f"{workers} workers: {plan.bargains:,} bargains ({len(plan.policies)} buyers, "
        f"{len(plan.suites)} suites) in {took:.1f} s, {plan.bargains / took:,.0f} a second; "
        f"summary {summed:.2f} s of it; bar {BAR_S:.0f} s, {took / BAR_S:.0%} used"
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    main()
