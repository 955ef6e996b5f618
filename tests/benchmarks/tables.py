"""How many steps the Gymnasium environments make: ``python -m tests.benchmarks.tables``.

Buyers who offer a little more each round against pinned sellers, a career, sellers of the
population and sellers on people's paths, in processor seconds of one core: one table after the
other, which was all there was for the last two, and many at once. Resets are in it: a game has
about four steps.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.vector import SyncVectorEnv

from bazaarbatna.envs.bargain.gymnasium_env import BazaarEnv
from bazaarbatna.envs.bargain.vector_env import BazaarVectorEnv

RUNS = 3
SUITES = ("single_deal", "career_10", "people", "paths-fit")


def rate(envs: Any, steps: int) -> float:
    """Return the steps per processor second over all tables."""
    n = envs.num_envs
    still, taken = np.zeros(n, int), []
    for run in range(RUNS):
        seen, _ = envs.reset(seed=1000 * run)
        began = time.process_time()
        for _ in range(steps):
            price = 0.4 + 0.5 * seen["clock"][:, :1]
            seen, *_ = envs.step({"move": still, "price": price})
        taken.append(time.process_time() - began)
    return n * steps / statistics.median(taken)


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60, help="steps of every table in a run")
    parser.add_argument("--suites", default=",".join(SUITES), help="names, with commas")
    asked = parser.parse_args()
    steps = asked.steps

    def single(suite: str, words: bool) -> Callable[[], BazaarEnv]:
        return lambda: BazaarEnv(suite, words=words)

    for suite in asked.suites.split(","):
        slow = rate(SyncVectorEnv([single(suite, True)] * 32), steps)
        quiet = rate(SyncVectorEnv([single(suite, False)] * 32), steps)
        print(f"{suite:<14}32 single environments{slow:>12,.0f} steps/s")
        print(f"{suite:<14}the same without words{quiet:>12,.0f} steps/s")
        for tables in (32, 256, 1024, 4096):
            fast = rate(BazaarVectorEnv(tables, suite), steps)
            ratio = fast / quiet
            print(f"{suite:<14}{tables:>5} tables at once  {fast:>12,.0f} steps/s {ratio:>6.1f} x")


if __name__ == "__main__":
    main()
