"""How long a what-if takes: the whole answer, and one quiet continuation.

python -m tests.benchmarks.what_ifs [--games N] [--matches N]
"""

import argparse
import os
import statistics
import time

import django


def main() -> None:
    """Measure what-ifs of games of two sides, and of matches."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--matches", type=int, default=12)
    wanted = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()
    of_two(wanted.games)
    of_matches(wanted.matches)


def of_two(games: int) -> None:
    """Print milliseconds per question and microseconds per continuation."""
    from bazaarbatna.bargain.moves import Walk
    from negotiation.bargain.continuation import Crossroads
    from negotiation.games.fork import difference
    from tests.support.recorded import moves_of, simulated

    asked, rolled, continuations = [], 0.0, 0
    for record in simulated(games):
        seq = moves_of(record)[len(moves_of(record)) // 2]
        walk = Walk()
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
    tell(f"what-ifs of {games} games", asked)
    print(f"  {1e6 * rolled / continuations:.0f} us a quiet continuation")


def of_matches(matches: int) -> None:
    """Print milliseconds for a buyer that leaves in the second round of a match of four.

    The first buyer is meant, or the next one that still bids then.
    """
    from arena.auction.web.game import Crossroads
    from bazaarbatna.auction.events import Leave, Placed
    from negotiation.games.fork import difference
    from tests.support.matches import a_full_match, played

    asked = []
    for number in range(matches):
        scenario = a_full_match(number)
        events = played(scenario)
        second = [e for e in events if isinstance(e, Placed) and e.round == 2]
        if not second:
            continue  # over in one round
        started = time.perf_counter()
        at = Crossroads(scenario, events, events.index(second[0]) + 1)
        at.play(Leave())
        difference(at, Leave())
        asked.append(1000 * (time.perf_counter() - started))
    tell(f"what-ifs of {len(asked)} matches of four buyers", asked)


def tell(what: str, asked: list[float]) -> None:
    """Print the milliseconds of some questions."""
    print(f"{what}, 100 pairs each")
    print(f"  median {statistics.median(asked):.0f} ms, longest {max(asked):.0f} ms")


if __name__ == "__main__":
    main()
