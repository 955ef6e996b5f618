"""How long the grades of a game take: ``python -m tests.benchmarks.grading --games 40``.

Prints seconds of wall clock per game, and the processor time that ten full turns (twenty moves)
take at that pace. One process, no model.
"""

import argparse
import os
import statistics
import time

import django


def main() -> None:
    """Grade simulated games of several suites, and sales that people might have played."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=40)
    games = parser.parse_args().games
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()
    from replays.grading import grade
    from tests.support.graded import a_long_sale, a_simulated_game

    suites = ("single_deal", "deceptive_seller", "read_the_tells")
    kinds = {suite: lambda n, s=suite: a_simulated_game(f"{s}@sampled-1", n) for suite in suites}
    kinds["a person's sale, ten rounds"] = a_long_sale
    for name, make in kinds.items():
        taken, moves, worked = [], 0, 0.0
        for number in range(max(games // len(kinds), 1)):
            record = make(number)
            began, busy = time.perf_counter(), time.process_time()
            moves += len(grade(record))
            taken.append(time.perf_counter() - began)
            worked += time.process_time() - busy
        print(
            f"{name:28} median {statistics.median(taken):6.2f} s   longest {max(taken):6.2f} s"
            f"   {moves / sum(taken):6.1f} moves/s   processor for twenty moves"
            f" {20 * worked / moves:5.2f} s"
        )


if __name__ == "__main__":
    main()
