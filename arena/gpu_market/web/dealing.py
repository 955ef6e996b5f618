"""Which market a person is dealt: one where trading pays, and following the page does too.

The page's first choice is pressed in every turn, as a player could; where a first bid is too low
its price is heard, and the first of the choices as they stand then is pressed.
"""

import secrets
from collections.abc import Callable, Sequence

import msgspec

from arena.gpu_market.board.advice import Choice
from arena.gpu_market.twins import ARCHETYPE, PERSON
from arena.gpu_market.web.market import part_of
from arena.gpu_market.web.orders import SEEDS, YOU, Order
from arena.gpu_market.web.visibility import Facts, Viewer, shown
from arena.gpu_market.web.watching import Seen
from arena.gpu_market.yardsticks import best_known, made_alone
from arena.models import MarketMatch
from bazaarbatna.market import (
    FIRST_TRADE,
    TASK_NAMES,
    WAIT,
    MarketAction,
    MarketEvent,
    MarketScenario,
    State,
    advance,
    apply,
    make_market,
    start,
)
from bazaarbatna.market.blocks import Offer
from bazaarbatna.market.quantities import LAB_IDS, LAB_NUMBERS, Cents
from bazaarbatna.market.scripted import asked_price

TO_GAIN, DRAWS = 2500, 30
"""What trading brings at least, in hundredths of a credit, and how often a market is drawn for
that: of ten markets three have it, and each takes some hundredths of a second."""

SHARE = 0.5
"""What following the page keeps at least of what the best we know of gains by trading."""

Log = tuple[MarketEvent, ...]


def dealt(order: Order, below: Callable[[int], int] = secrets.randbelow) -> Order:
    """Return the order with a market worth playing, where a person asks for none by its seed.

    It tells a player that a trade is to be had, and nothing of with whom.
    """
    is_drawn = order.seed is None and order.task in TASK_NAMES and order.task != FIRST_TRADE
    if not is_drawn or order.policy != YOU or order.others != ARCHETYPE or order.lab:
        return order
    for _ in range(DRAWS):
        seed = below(SEEDS)
        scenario = make_market(order.task, seed)
        seats = (PERSON, *(ARCHETYPE for _ in scenario.labs[1:]))
        found = to_gain(scenario, seats)
        if found and made_by_advice(scenario, seats) - found[0] >= SHARE * (found[1] - found[0]):
            break
    return msgspec.structs.replace(order, seed=seed)


def to_gain(scenario: MarketScenario, seats: Sequence[str]) -> tuple[int, int] | None:
    """Return what the first lab makes alone and at best, or None where trading pays too little."""
    _, most, trades, _ = best_known(scenario, seats, 0)
    alone = made_alone(scenario, seats, 0)
    return (alone, most) if trades and most - alone >= TO_GAIN else None


def made_by_advice(scenario: MarketScenario, seats: Sequence[str]) -> int:
    """Return what the first lab makes that does what its page says first."""
    state, log = start(scenario)
    while state.ended is None:
        if state.turn:
            state, happened = advance(state, (0,))
        else:
            seen = seen_by_first(state, log, seats)
            state, happened = apply(state, 0, action_for(advised(seen, state)))
        log = (*log, *happened)
    return state.ended.results[0].utility


def seen_by_first(state: State, log: Log, seats: Sequence[str]) -> Seen:
    """Return the market as the page of the first lab has it."""
    viewer, facts = Viewer("lab", 0), Facts(state.scenario, tuple(seats))
    frames = shown(list(enumerate(log, start=1)), facts, viewer)
    return Seen(MarketMatch(), viewer, facts, log, frames, {"labs": []})


def advised(seen: Seen, state: State) -> Choice:
    """Return what the page says first once prices are heard; those stay in ``seen.match.bids``."""
    advice: Choice = part_of(seen, None)["choices"][0]
    while advice.move == "bid" and advice.bid and not advice.is_named:
        block, gives, price = advice.bid.block, advice.gives, Cents(advice.price)
        now = state.round
        bid = Offer("", LAB_IDS[0], block.owner, gives, (block.id,), price, "", (), now, now)
        counter = asked_price(state, LAB_NUMBERS[block.owner], bid)
        if counter is None or price >= counter:
            break
        about = [block.owner, list(gives), [block.id]]
        heard = {"about": about, "payment": price, "counter": counter, "kind": "asked"}
        seen.match.bids.append(heard | {"round": now})
        advice = part_of(seen, None)["choices"][0]
    return advice


def action_for(choice: Choice) -> MarketAction:
    """Return what pressing a choice does."""
    if choice.move == "accept" and choice.card:
        return MarketAction("accept_offer", offer_id=choice.card.offer.id)
    if choice.move == "bid" and choice.bid:
        return MarketAction(
            "send_offer",
            target_lab_id=choice.bid.block.owner,
            block_ids=choice.gives,
            requested_block_ids=(choice.bid.block.id,),
            payment=Cents(choice.price),
        )
    if choice.move == "run" and choice.run:
        names = tuple(block.id for block in choice.run.blocks)
        return MarketAction("allocate_to_job", job_id=choice.run.job.id, block_ids=names)
    return WAIT
