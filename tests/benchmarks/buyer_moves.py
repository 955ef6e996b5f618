"""How long a buyer thinks: ``python -m tests.benchmarks.buyer_moves --games 300``."""

import argparse
import os
import statistics
import time
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from agents.plug import BUYERS  # noqa: E402
from agents.testing.players import SELLERS, a_scenario  # noqa: E402
from bazaarbatna.bargain.episode import apply, start  # noqa: E402
from bazaarbatna.bargain.observe import observe_buyer  # noqa: E402
from negotiation.policies import BuyerFactory  # noqa: E402


def milliseconds(make: BuyerFactory, games: int) -> list[float]:
    """Time every move of some games, in milliseconds."""
    taken = []
    for number in range(games):
        dice = Random(number)
        state, _ = start(a_scenario(dice))
        while state.to_move is not None:
            if state.to_move == "seller":
                seller = SELLERS[number % len(SELLERS)]
                state, _ = apply(state, "seller", seller(state, dice))
                continue
            observation = observe_buyer(state)
            began = time.perf_counter()
            move = make(number).act(observation)
            taken.append(1000 * (time.perf_counter() - began))
            state, _ = apply(state, "buyer", move)
    return taken


def main() -> None:
    """Print the median, the 99th percentile and the longest move of each buyer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=300)
    games = parser.parse_args().games
    for buyer in BUYERS:
        taken = sorted(milliseconds(buyer, games))
        late = taken[int(0.99 * (len(taken) - 1))]
        print(
            f"{buyer.name:28} {statistics.median(taken):7.3f} ms   p99 {late:7.3f}"
            f"   longest {taken[-1]:7.3f}   moves {len(taken)}"
        )


if __name__ == "__main__":
    main()
