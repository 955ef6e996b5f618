"""Players for pairs: what a trained model would be, without a model."""

import sys
from collections.abc import Sequence
from pathlib import Path

from bazaarbatna.bargain.moves import Accept
from tests.support.judging_games import TABLE, played
from training.judging.heuristic import judge
from training.judging.pairs import Job, ScenarioKey, build_pairs
from training.judging.transcript import PlayedGame


class OneDearer:
    """Pays more in the second game of each pair. ``asked`` are all jobs, in order."""

    def __init__(self) -> None:
        self.asked: list[Job] = []
        self.batches: list[int] = []

    def __call__(self, jobs: Sequence[Job]) -> list[PlayedGame]:
        self.asked += jobs
        self.batches.append(len(jobs))
        return [
            played(
                (32 + job.seed % 3, "Okay."),
                (33 + job.seed % 3 + 8 * place, "Chaliye."),
                Accept("Done."),
                suite=job.suite,
                seed=job.seed,
            )
            for job in jobs
            for place in [int(job.temperature > 0.7)]
        ]


def build_slowly(path: Path) -> None:
    """Build forty pairs and print how many are safe; after three wait for somebody who kills."""
    keys = [ScenarioKey(TABLE, seed) for seed in range(40)]

    def tell(done: int) -> None:
        print(done, flush=True)
        if done == 3:
            sys.stdin.readline()

    build_pairs(OneDearer(), keys, judge, path, policy="p", batch=4, on_pair=lambda p: tell(p.done))
