"""What the market's advice is worth: ``python -m tests.benchmarks.market_advice``.

A lab presses the first of the choices on the page in every turn, as a player could; where a first
bid is too low it hears the price, and presses the first of the choices as they stand then. Blind
rules sit in the same chair on the same seeds among the same house labs: do nothing; work alone;
accept the first offer; accept what costs less than half of what it brings; bid half of what a block
brings and hear nobody; random moves. The planner and the expert stand beside them. Credits of the
first lab, and what the advice made more, in pairs of one seed, with 95 % bootstrap intervals.

``--dealt`` keeps the markets that a person would be dealt, in which trading brings 25 credits more.
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
from arena.gpu_market.web.market import part_of  # noqa: E402
from arena.gpu_market.web.orders import TO_GAIN  # noqa: E402
from arena.gpu_market.web.visibility import Facts, Viewer, shown  # noqa: E402
from arena.gpu_market.web.watching import Seen  # noqa: E402
from arena.gpu_market.yardsticks import best_known, made_alone  # noqa: E402
from arena.models import MarketMatch  # noqa: E402
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
from bazaarbatna.market.quantities import LAB_IDS, LAB_NUMBERS, Cents  # noqa: E402
from bazaarbatna.market.scripted import asked_price  # noqa: E402

CREDIT = 100
Log = tuple[MarketEvent, ...]
Move = Callable[[State, Log], MarketAction]
moves: Counter[str] = Counter()
named: defaultdict[int, list[float]] = defaultdict(list)
"""Prices that the advice has heard, by how many blocks went with the bid."""


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
        _, most, trades, _ = best_known(scenario, seats, 0)
        if trades and most - made_alone(scenario, seats, 0) >= TO_GAIN:
            yield seed


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
    """Return the market as its player's page has it."""
    viewer, facts = Viewer("lab", 0), Facts(state.scenario, _seats(state.scenario))
    frames = shown(list(enumerate(log, start=1)), facts, viewer)
    return Seen(MarketMatch(), viewer, facts, log, frames, {"labs": []})


def follow_advice(state: State, log: Log) -> MarketAction:
    """Press what the page suggests; a price that is heard is agreed to where the page says so."""
    seen = _seen(state, log)
    advice: Choice = part_of(seen, None)["choices"][0]
    while advice.move == "bid" and advice.bid and not advice.is_named:
        counter, block = _asked(state, advice), advice.bid.block
        if counter is None or advice.price >= counter:
            break
        about = [block.owner, list(advice.gives), [block.id]]
        bid = {"about": about, "payment": advice.price, "counter": counter, "kind": "asked"}
        seen.match.bids.append(bid | {"round": state.round})
        moves["heard a price"] += 1
        named[len(advice.gives)].append(counter / CREDIT)
        advice = part_of(seen, None)["choices"][0]
    moves[advice.move + (", named" if advice.is_named else "")] += 1
    action = _action(advice)
    assert consider(state, 0, action).ok, action
    return action


def _asked(state: State, advice: Choice) -> Cents | None:
    assert advice.bid
    block, now = advice.bid.block, state.round
    lab = LAB_NUMBERS[block.owner]
    gives, price = advice.gives, Cents(advice.price)
    offer = Offer("", LAB_IDS[0], block.owner, gives, (block.id,), price, "", (), now, now)
    return asked_price(state, lab, offer)


def _bid(advice: Choice, price: int) -> MarketAction:
    assert advice.bid
    block = advice.bid.block
    return MarketAction(
        "send_offer",
        target_lab_id=block.owner,
        block_ids=advice.gives,
        requested_block_ids=(block.id,),
        payment=Cents(price),
    )


def _action(advice: Choice) -> MarketAction:
    if advice.move == "accept":
        assert advice.card
        return MarketAction("accept_offer", offer_id=advice.card.offer.id)
    if advice.move == "bid":
        return _bid(advice, advice.price)
    if advice.move == "run":
        assert advice.run
        names = tuple(block.id for block in advice.run.blocks)
        return MarketAction("allocate_to_job", job_id=advice.run.job.id, block_ids=names)
    return WAIT


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
            action = _bid(Choice("bid", bid=one), price)
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
