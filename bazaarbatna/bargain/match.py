"""Play whole games in one process: what training, evaluation and benchmarks stand on."""

from collections.abc import Callable
from typing import Protocol

from bazaarbatna.bargain.career import Career, remember
from bazaarbatna.bargain.episode import advance, show_tells, start
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import (
    BuyerObservation,
    CareerSummary,
    SellerObservation,
    observe_buyer,
    observe_seller,
)
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sellers import make_seller
from bazaarbatna.bargain.tasks import ListingPrices, make_scenario, suite
from bazaarbatna.bargain.tells import Tells


class Buyer(Protocol):
    """Anything that answers a buyer's observation with a move."""

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a move; what is not legal gets repaired."""


class Seller(Protocol):
    """Anything that answers a seller's observation, after showing its tells."""

    def tells(self, seen: SellerObservation) -> Tells:
        """Show what the buyer may notice in this turn; asked once, before ``act``."""

    def act(self, seen: SellerObservation) -> Move:
        """Choose a move; what is not legal gets repaired."""


def play_episode(
    scenario: Scenario,
    buyer: Buyer,
    *,
    seller: Seller | None = None,
    career: CareerSummary | None = None,
) -> Log:
    """Play one game to its end; ``career`` is what the buyer is told about its earlier games.

    Same scenario and same players give the same bytes on every machine.
    """
    if seller is None:
        seller = make_seller(scenario)
    state, opening = start(scenario)
    events: list[Event] = [*opening]
    while state.ended is None:
        if state.to_move == "buyer":
            move = repair(state, "buyer", buyer.act(observe_buyer(state, career)))
        else:
            seen = observe_seller(state)
            state, shown = show_tells(state, "seller", seller.tells(seen))
            events += shown
            move = repair(state, "seller", seller.act(seen))
        state, happened = advance(state, move)
        events += happened
    return Log(scenario, tuple(events))


def play_suite_game(
    suite_id: str,
    seed: int,
    make_buyer: Callable[[int], Buyer],
    *,
    listings: tuple[ListingPrices, ...] | None = None,
) -> list[Log]:
    """Play all episodes of one game of a suite against its pinned seller; raises ``UnknownSuite``.

    The buyer is made once and keeps playing; where the suite has a career, the seller remembers
    it and sells from a dwindling stock. Without ``listings`` a built-in sample is sold.
    """
    rules = suite(suite_id)
    buyer = make_buyer(seed)
    career = Career()
    logs = []
    for episode in range(rules.episodes):
        scenario = make_scenario(suite_id, seed, episode, career, listings=listings)
        told = career.summary() if rules.career else None
        log = play_episode(scenario, buyer, career=told)
        logs.append(log)
        ended = log.ended
        if rules.career and ended is not None:
            career = remember(career, scenario.anchor, ended)
    return logs
