"""How long the grades of a game take, and how much they owe to luck.

    python -m tests.benchmarks.grading --games 40
    python -m tests.benchmarks.grading --games 21 --again

Prints seconds of wall clock per game, and the processor time that ten full turns (twenty moves)
take at that pace. With ``--again`` games of two sides are graded twice, the second time on luck
that the first had no part of. One process, no model.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from statistics import fmean

import django

ELSEWHERE = 100_000
"""Added to the numbers of the luck, of which one move's grade takes some hundred."""


def main() -> None:
    """Grade simulated games, long sales that people might have played, and matches."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--again", action="store_true", help="grade twice, on two kinds of luck")
    wanted = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()
    (graded_again if wanted.again else timed)(wanted.games)


def timed(games: int) -> None:
    """Print how long the grades of each kind of game take."""
    from replays.grade.jobs import grade_match
    from replays.grade.moves import grade
    from tests.support.graded import a_long_sale, a_simulated_game
    from tests.support.matches import a_full_match, played

    def of_suite(suite: str) -> Callable[[int], int]:
        return lambda number: len(tuple(grade(a_simulated_game(f"{suite}@sampled-1", number))))

    def of_match(number: int) -> int:
        scenario = a_full_match(number)
        return len(tuple(grade_match(scenario, played(scenario))))

    kinds = {suite: of_suite(suite) for suite in ("single_deal", "deceptive_seller")}
    kinds["a person's sale, ten rounds"] = lambda number: len(tuple(grade(a_long_sale(number))))
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


def graded_again(games: int) -> None:
    """Print how far grades of simulated games and of long sales move on other luck."""
    from bazaarbatna.bargain.moves import Move
    from negotiation.bargain.continuation import Crossroads, move_of
    from replays.grade.moves import WORDS, grade, grade_move, word_for
    from replays.grade.result import result_of
    from tests.support.graded import a_long_sale, a_simulated_game

    class Elsewhere(Crossroads):
        def share(self, move: Move, luck: int) -> float:
            return super().share(move, luck + ELSEWHERE)

    words = [word.name for word in WORDS]
    apart: list[int] = []
    losses: list[float] = []
    accuracies: list[float] = []
    for number in range(games):
        suite = ("single_deal@sampled-1", "deceptive_seller@sampled-1")[number % 2]
        record = a_long_sale(number) if number % 7 == 6 else a_simulated_game(suite, number)
        log = enumerate(record.events, start=1)
        seqs = [seq for seq, event in log if move_of(event) is not None]
        first, second = (
            tuple(grade(record)),
            tuple(grade_move(Elsewhere(record, seq)) for seq in seqs),
        )
        for one, other in zip(first, second, strict=True):
            ranks = [words.index(word_for(graded.loss).name) for graded in (one, other)]
            apart.append(abs(ranks[0] - ranks[1]))
            losses.append(abs(one.loss - other.loss))
        zones = dict.fromkeys(("seller", "buyer"), max(record.setting.zopa, 0))
        for side in zones:
            found = [result_of(zones, moves).of(side).accuracy for moves in (first, second)]
            if found[0] is not None and found[1] is not None:
                accuracies.append(abs(found[0] - found[1]))
    print(f"{len(apart)} moves of {games} games graded again on other luck")
    print(f"  {100 * apart.count(0) / len(apart):.0f} % the same word, {max(apart)} apart at most")
    print(f"  losses move by {fmean(losses):.4f}, accuracies by {fmean(accuracies):.1f} points")


if __name__ == "__main__":
    main()
