"""What the market's advice is worth: ``python -m tests.benchmarks.market_advice``.

A lab presses the first of the choices on the page in every turn, as a player could; where a first
bid is too low it hears the price, and presses the first of the choices as they stand then. Blind
rules sit in the same chair on the same seeds among the same house labs: do nothing; work alone;
accept the first offer; accept what costs less than half of what it brings; bid half of what a block
brings and hear nobody; random moves. The planner and the expert stand beside them. Credits of the
first lab, and what the advice made more, in pairs of one seed, with 95 % bootstrap intervals.

``--dealt`` keeps those in which trading brings 25 credits more, and says in how many of them the
advice keeps less than half of that: those are dealt to nobody, but they count here.
"""

import argparse
import itertools
import os
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import cast

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from arena.gpu_market.board import wants  # noqa: E402
from arena.gpu_market.board.advice import Choice  # noqa: E402
from arena.gpu_market.board.folding import board_of  # noqa: E402
from arena.gpu_market.board.parts import Board  # noqa: E402
from arena.gpu_market.twins import ARCHETYPE, PERSON  # noqa: E402
from arena.gpu_market.web.dealing import (  # noqa: E402
    action_for,
    advised,
    made_by_advice,
    seen_by_first,
    to_gain,
)
from arena.gpu_market.web.watching import Seen  # noqa: E402
from bazaarbatna.intervals import paired_interval  # noqa: E402
from bazaarbatna.market import (  # noqa: E402
    WAIT,
    MarketAction,
    MarketScenario,
    State,
    advance,
    apply,
    consider,
    make_market,
    observe,
    start,
)
from bazaarbatna.market.blocks import Offer  # noqa: E402
from bazaarbatna.market.events import MarketEvent, OfferMade  # noqa: E402
from bazaarbatna.market.policies.plain import no_negotiation_allocator  # noqa: E402
from bazaarbatna.market.policies.registry import make_policy  # noqa: E402
from bazaarbatna.market.quantities import LAB_IDS  # noqa: E402

CREDIT = 100
Log = tuple[MarketEvent, ...]
Move = Callable[[State, Log], MarketAction]
moves: Counter[str] = Counter()
named: defaultdict[int, list[float]] = defaultdict(list)
"""Prices that the advice has heard, by how many blocks went with the bid."""
shares: list[float] = []
"""What the advice keeps of what trading can bring, in markets where it can."""


def main() -> None:
    """Play, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--task", default="market_round")
    parser.add_argument("--dealt", action="store_true")
    parser.add_argument("--only", nargs="*", help="these rules alone")
    asked = parser.parse_args()
    seeds = list(itertools.islice(_seeds(asked.task, asked.first, dealt=asked.dealt), asked.seeds))
    made: dict[str, list[float]] = {}
    for name, make in RULES.items():
        if not asked.only or name in ("advice", *asked.only):
            made[name] = [_play(make_market(asked.task, seed), make(seed)) for seed in seeds]
    print(f"{asked.task}, {len(seeds)} seeds from {asked.first}, dealt: {asked.dealt}")
    print("| who | credits | the advice makes more by |\n|---|---:|---|")
    for name, values in sorted(made.items(), key=lambda row: -statistics.fmean(row[1])):
        gained = paired_interval(
            [one - other for one, other in zip(made["advice"], values, strict=True)]
        )
        more = f"{gained.mean:+.1f} ({gained.low:+.1f} to {gained.high:+.1f})"
        wins = sum(one > other for one, other in zip(made["advice"], values, strict=True))
        print(f"| {name} | {statistics.fmean(values):.1f} | {more}, ahead in {wins} |")
    print(dict(moves))
    if shares:
        few = [sum(share < least for share in shares) for least in (0.2, 0.5)]
        print(f"of {len(shares)} the advice keeps less than 0.2 of it in {few[0]}, 0.5 in {few[1]}")
    for gives, prices in sorted(named.items()):
        fifths = statistics.quantiles(prices, n=10)[::2] if len(prices) > 9 else prices
        print(f"named with {gives} blocks given: {len(prices)}, {[round(one) for one in fifths]}")


def _seeds(task: str, first: int, *, dealt: bool) -> Iterator[int]:
    for seed in itertools.count(first):
        scenario = make_market(task, seed)
        seats = _seats(scenario)
        if not dealt:
            yield seed
            continue
        if found := to_gain(scenario, seats):
            yield seed
            kept = made_by_advice(scenario, seats) - found[0]
            shares.append(kept / (found[1] - found[0]))


def _seats(scenario: MarketScenario) -> tuple[str, ...]:
    return (PERSON, *(ARCHETYPE for _ in scenario.labs[1:]))


def _play(scenario: MarketScenario, move: Move) -> float:
    state, log = start(scenario)
    while state.ended is None:
        if state.turn:
            state, happened = advance(state, (0,))
        else:
            state, happened = apply(state, 0, move(state, log))
        log = (*log, *happened)
    return state.ended.results[0].utility / CREDIT


def _seen(state: State, log: Log) -> Seen:
    return seen_by_first(state, log, _seats(state.scenario))


def follow_advice(state: State, log: Log) -> MarketAction:
    """Press what the page suggests; a price that is heard is agreed to where the page says so."""
    seen = _seen(state, log)
    advice = advised(seen, state)
    for bid in seen.match.bids:
        moves["heard a price"] += 1
        named[len(bid["about"][1])].append(bid["counter"] / CREDIT)
    moves[advice.move + (", named" if advice.is_named else "")] += 1
    action = action_for(advice)
    assert consider(state, 0, action).ok, action
    return action


def accept_below_half(state: State, log: Log) -> MarketAction:
    """Accept the first offer that costs less than half of what it brings; else work alone."""
    board = board_of(_seen(state, log).frames)
    for offer in board.open_offers:
        if offer.target == LAB_IDS[0] and 2 * _cost(board, offer) < _gain(board, offer):
            action = MarketAction("accept_offer", offer_id=offer.id)
            if consider(state, 0, action).ok:
                return action
    return no_negotiation_allocator(observe(state, 0))


def _gain(board: Board, offer: Offer) -> int:
    return wants.brings(board, (), offer.offered) + offer.payment


def _cost(board: Board, offer: Offer) -> int:
    return max(-wants.brings(board, offer.requested, ()), 0)


def bid_half(state: State, log: Log) -> MarketAction:
    """Bid half of what the best block brings, whatever was said of it, once a block; else work."""
    seen = _seen(state, log)
    board = board_of(seen.frames)
    made = [one.offer for one in log if isinstance(one, OfferMade)]
    tried = {one.requested for one in made if one.sender == LAB_IDS[0]}
    for one in wants.wanted(board):
        price = min(one.worth // 2, observe(state, 0).budget)
        if (one.block.id,) not in tried and price > 0 and not _runs_now(state):
            action = action_for(Choice("bid", price=price, bid=one))
            if consider(state, 0, action).ok:
                return action
    return no_negotiation_allocator(observe(state, 0))


def _runs_now(state: State) -> bool:
    return no_negotiation_allocator(observe(state, 0)) is not WAIT


def _policy(name: str) -> Callable[[int], Move]:
    def make(seed: int) -> Move:
        policy = make_policy(name, seed)
        return lambda state, _: cast("MarketAction", policy(observe(state, 0)))

    return make


def _always(move: Move) -> Callable[[int], Move]:
    return lambda _: move


RULES: dict[str, Callable[[int], Move]] = {
    "advice": _always(follow_advice),
    "do nothing": _policy("never_act"),
    "random moves": _policy("random_valid"),
    "accept the first, else work": _policy("accepts_first"),
    "accept below half, else work": _always(accept_below_half),
    "bid half, else work": _always(bid_half),
    "work alone": _policy("no_negotiation_allocator"),
    "expert": _policy("rule_expert"),
    "planner": _policy("optimal_planner"),
}


if __name__ == "__main__":
    main()
