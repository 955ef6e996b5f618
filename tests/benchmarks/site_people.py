"""The live benchmark's games without a site: more of them, and the same ones for every buyer.

Held-out sellers in turn, goods of the catalogue, the site's reservation prices, budgets and rounds,
all from the number of the game. A game is winnable when its budget is not below its
reservation price.

    python -m tests.benchmarks.site_people --games 1500 --policies sauda-network,sauda:rules
"""

import argparse
import os
import random
import statistics
from collections.abc import Sequence

import django
import msgspec

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from bazaarbatna.bargain.episode import State, advance, show_tells, start  # noqa: E402
from bazaarbatna.bargain.observe import observe_buyer, observe_seller  # noqa: E402
from bazaarbatna.bargain.people.held_out import HELD_OUT  # noqa: E402
from bazaarbatna.bargain.people.seller import PersonSeller  # noqa: E402
from bazaarbatna.bargain.quantities import Paise  # noqa: E402
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues  # noqa: E402
from negotiation.bargain.scenarios import (  # noqa: E402
    MAX_ROUNDS,
    SEED_LIMIT,
    default_reservation,
    draw_budget,
)
from negotiation.catalogue.stock import Entry, read_stock  # noqa: E402
from negotiation.policies import policy  # noqa: E402
from tests.benchmarks.live_people import STRIDE  # noqa: E402


def scenario_of(number: int, stock: Sequence[Entry]) -> Scenario:
    """Deal a game as the site does, from its number alone."""
    entry = stock[number * STRIDE % len(stock)]
    asking, reservation = Paise(100 * entry.list), default_reservation(100 * entry.street)
    seed = random.Random(number).randrange(SEED_LIMIT)
    return Scenario(
        suite="sell@1",
        item=Item(entry.title, condition=entry.text, condition_label=entry.condition),
        max_rounds=MAX_ROUNDS,
        anchor=asking,
        sealed=SealedValues(
            reservation=reservation,
            cost=reservation,
            budget=draw_budget(seed, asking, reservation, 100 * entry.street),
            seed=seed,
        ),
        salt="0" * 32,
    )


def play(name: str, number: int, scenario: Scenario) -> State:
    """Play a game to its end."""
    person = PersonSeller.drawn(HELD_OUT[number % len(HELD_OUT)], number)
    share = scenario.sealed.reservation / scenario.anchor
    first, second = (msgspec.structs.replace(one, floor=share) for one in person.manners)
    person.manners = (first, second)
    buyer = policy(name).make(scenario.sealed.seed)
    state, _ = start(scenario)
    while state.ended is None:
        if state.to_move == "buyer":
            state, _ = advance(state, buyer.act(observe_buyer(state)))
        else:
            state, _ = show_tells(state, "seller", person.tells(observe_seller(state)))
            state, _ = advance(state, person.act(observe_seller(state)))
    return state


def main() -> None:
    """Read the command line, play, print a row for each buyer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--policies", default="sauda-network,sauda:rules")
    given = parser.parse_args()
    stock = [entry for shelf in read_stock() for entry in shelf.listing]
    games = [(number, scenario_of(number, stock)) for number in range(given.games)]
    winnable = [(number, one) for number, one in games if one.zopa >= 0]
    for name in given.policies.split(","):
        ends = [play(name, number, one).ended for number, one in winnable]
        deals = [end for end in ends if end is not None and end.outcome == "deal"]
        share = sum(end.buyer_share or 0.0 for end in deals) / len(winnable)
        rounds = statistics.median(end.round for end in deals)
        print(
            f"{name:<20} {len(winnable)} winnable, closed {len(deals) / len(winnable):.3f}, "
            f"share {share:.3f}, rounds {rounds:g}",
            flush=True,
        )


if __name__ == "__main__":
    main()
