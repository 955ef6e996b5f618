"""How many price games a sweep plays: ``python -m tests.benchmarks.sweeps``.

Rule buyers against every persona, in one process on one core; times are processor times, because
a test machine is seldom idle. The timed part of the first table starts from
arrays of scenarios and ends with arrays of results: price, round, outcome and who ended it. There
are no words, no tells, no logs and no commitments in it; the engine's games, timed in the same
run, have the seller's words and all the rest. The second table draws the suites' scenarios as
well. Before anything is timed, games of all suites, personas and buyers are compared one by one.
The bar: 1,000,000.
"""

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from agents.plug import BUYERS  # noqa: E402
from agents.sweeps import SWEEP_BUYERS  # noqa: E402
from bazaarbatna.bargain import play_episode, play_suite_game, suite_ids  # noqa: E402
from bazaarbatna.fast.arrays import Seeds  # noqa: E402
from bazaarbatna.fast.play import sweep  # noqa: E402
from bazaarbatna.fast.starts import OUTCOMES, SIDES, Bargains, SweepResult  # noqa: E402
from bazaarbatna.fast.suites import draw, sweep_suite  # noqa: E402
from bazaarbatna.players.base import RuleBuyer  # noqa: E402

SUITE_OF = {
    "default": "single_deal@sampled-1",
    "impatient": "impatient_seller@sampled-1",
    "collaborative": "collaborative_seller@sampled-1",
    "deceptive": "deceptive_seller@sampled-1",
}
RUNS = 3
BAR = 1_000_000
ENGINE_GAMES = 300
RULE_BUYERS = {buyer.name: buyer for buyer in BUYERS}


def rows(result: SweepResult) -> list[tuple[str, str | None, int, int]]:
    """Read a sweep's results as the engine would tell them."""
    columns = zip(result.outcome, result.by, result.price, result.rounds, strict=True)
    return [
        (OUTCOMES[outcome], SIDES[by], int(price), int(round_))
        for outcome, by, price, round_ in columns
    ]


class Quiet:
    """A buyer without its words: the same deeds, so that talk is not counted against the engine."""

    def __init__(self, buyer: RuleBuyer) -> None:
        self.act = buyer.decide


def compare(games: int) -> int:
    """Play games of all suites and buyers in both ways; give how many bargains were equal."""
    each = -(-games // (len(suite_ids()) * len(SWEEP_BUYERS)))
    same = 0
    for suite_id in suite_ids():
        for name, buyer in SWEEP_BUYERS.items():
            seeds = np.arange(same, same + each, dtype=np.uint64)
            swept = sweep_suite(suite_id, seeds, buyer.make, remembers=buyer.remembers)
            told = [rows(result) for result in swept]
            for place, seed in enumerate(seeds.tolist()):
                for bargain, log in enumerate(play_suite_game(suite_id, seed, RULE_BUYERS[name])):
                    ended = log.ended
                    assert ended is not None
                    want = (ended.outcome, ended.by, ended.price or 0, ended.round)
                    assert told[bargain][place] == want, (suite_id, name, seed, bargain)
                    same += 1
    return same


def rate(play: Callable[[], object], games: int) -> float:
    """Return games per processor second, the median of a few runs."""
    taken = []
    for _ in range(RUNS):
        began = time.process_time()
        play()
        taken.append(time.process_time() - began)
    return games / statistics.median(taken)


def engine_rate(name: str, bargains: Bargains) -> float:
    """Return the games per second of the engine on the first of the same scenarios."""
    few = min(ENGINE_GAMES, len(bargains) // 50)
    scenarios = [bargains.scenario(game) for game in range(few)]
    make = RULE_BUYERS[name]
    return rate(lambda: [play_episode(s, Quiet(make(n))) for n, s in enumerate(scenarios)], few)


def by_buyer(persona: str, seeds: Seeds) -> None:
    """Print a line for each buyer against one persona."""
    bargains = draw(SUITE_OF[persona], seeds).bargains
    for name, buyer in SWEEP_BUYERS.items():
        swept = rate(
            lambda buyer=buyer: sweep(bargains, buyer.make(seeds), remembers=buyer.remembers),
            len(seeds),
        )
        ratio = swept / engine_rate(name, bargains)
        bar = "  over the bar" if swept >= BAR else ""
        print(f"{persona:<15}{name:<20}{swept:>12,.0f} games/s {ratio:>7,.0f} x{bar}")


def drawn_too(persona: str, seeds: Seeds) -> None:
    """Print what a suite's games cost from the seed on."""
    suite_id, buyer = SUITE_OF[persona], SWEEP_BUYERS["rules:linear"]
    whole = rate(lambda: sweep_suite(suite_id, seeds, buyer.make), len(seeds))
    some = [*range(ENGINE_GAMES)]
    linear = RULE_BUYERS["rules:linear"]
    engine = rate(lambda: [play_suite_game(suite_id, seed, linear) for seed in some], len(some))
    print(f"{suite_id:<35}{whole:>12,.0f} games/s {whole / engine:>7,.0f} x")


def main() -> None:
    """Compare, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300_000, help="games per run")
    parser.add_argument("--compare", type=int, default=10_000, help="games played in both ways")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, numpy {np.__version__}, one core")
    print(f"{compare(options.compare):,} bargains of all suites and buyers: equal")
    seeds = np.arange(options.games, dtype=np.uint64)
    print(f"From scenarios to results, {options.games:,} games, median of {RUNS} runs:")
    for persona in SUITE_OF:
        by_buyer(persona, seeds)
    print("From seeds to results, the linear buyer:")
    for persona in SUITE_OF:
        drawn_too(persona, seeds)


if __name__ == "__main__":
    main()
