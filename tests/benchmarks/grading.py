"""How long the grades of a game take: ``python -m tests.benchmarks.grading --games 40``.

Prints seconds of wall clock per game, and the processor time that ten full turns (twenty moves)
take at that pace. One process, no model.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable

import django


def main() -> None:
    """Grade simulated games, long sales that people might have played, and matches."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=40)
    games = parser.parse_args().games
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()
    from replays.grade_match import grade_match
    from replays.grading import grade
    from tests.support.graded import a_long_sale, a_simulated_game
    from tests.support.matches import a_full_match, played

    def of_suite(suite: str) -> Callable[[int], int]:
        return lambda number: len(grade(a_simulated_game(f"{suite}@sampled-1", number)))

    def of_match(number: int) -> int:
        scenario = a_full_match(number)
        return len(grade_match(scenario, played(scenario)))

    kinds = {suite: of_suite(suite) for suite in ("single_deal", "deceptive_seller")}
    kinds["a person's sale, ten rounds"] = lambda number: len(grade(a_long_sale(number)))
    kinds["a match of four buyers"] = of_match
    for name, graded in kinds.items():
        taken, moves, worked = [], 0, 0.0
        for number in range(max(games // len(kinds), 1)):
            began, busy = time.perf_counter(), time.process_time()
            moves += graded(number)
            taken.append(time.perf_counter() - began)
            worked += time.process_time() - busy
        print(
            f"{name:28} median {statistics.median(taken):6.2f} s   longest {max(taken):6.2f} s"
            f"   {moves / sum(taken):6.1f} moves/s   processor for twenty moves"
            f" {20 * worked / moves:5.2f} s"
        )


if __name__ == "__main__":
    main()
