"""How long a what-if takes: the whole answer, and one quiet continuation.

python -m tests.benchmarks.what_ifs [--games N]
"""

import argparse
import os
import statistics
import time

import django


def main() -> None:
    """Print milliseconds per question and microseconds per continuation."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=60)
    games = parser.parse_args().games
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()

    from replays.continuation import Crossroads
    from replays.fork_choice import Choice
    from replays.fork_difference import difference
    from tests.support.recorded import moves_of, simulated

    asked, rolled, continuations = [], 0.0, 0
    for record in simulated(games):
        seq = moves_of(record)[len(moves_of(record)) // 2]
        walk = Choice("walk").move()
        started = time.perf_counter()
        at = Crossroads(record, seq)
        at.play(walk)
        difference(at, walk)
        asked.append(1000 * (time.perf_counter() - started))
        started = time.perf_counter()
        for luck in range(50):
            at.rollout(at.made, luck)
        rolled += time.perf_counter() - started
        continuations += 50
    ranked = sorted(asked)
    print(f"what-ifs of {games} games, 100 pairs each")
    print(f"  median {statistics.median(asked):.0f} ms, longest {ranked[-1]:.0f} ms")
    print(f"  {1e6 * rolled / continuations:.0f} us a quiet continuation")


if __name__ == "__main__":
    main()
