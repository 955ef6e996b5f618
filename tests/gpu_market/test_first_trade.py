"""The first trade: choices matter, luck does not, and words about old GPUs can be checked."""

import re
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from arena.gpu_market import yardsticks
from arena.gpu_market.twins import players_of
from arena.gpu_market.web.dealing import SHARE, dealt, made_by_advice, to_gain
from arena.gpu_market.web.orders import YOU, Order, checked
from arena.gpu_market.yardsticks import (
    best_first_trade,
    best_known,
    dearest_turn,
    sides_of,
    simple_players,
)
from bazaarbatna.market import (
    TASK_NAMES,
    WAIT,
    MarketAction,
    advance,
    apply,
    make_first_trade,
    make_market,
    play_market,
    start,
)
from bazaarbatna.market.archetypes import STEP
from bazaarbatna.market.blocks import Offer
from bazaarbatna.market.first_trade import NEW, OLD, OWN, TRADERS, counter_to
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.quantities import LAB_IDS, Cents
from bazaarbatna.market.scripted import asked_price, price_of, refusals_of

SEEDS = range(30)
SEATS = ("person", "archetype")
DOCS = Path(yardsticks.__file__).parents[2] / "docs"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_good_trade_beats_no_trade_which_beats_the_first_offer(seed: int) -> None:
    scenario = make_first_trade(seed)
    made = {one.name: one.utility for one in simple_players(scenario, SEATS, 0)}
    best = best_first_trade(scenario)
    assert made["never_act"] == 0 < made["always_accept"] == 300
    assert made["always_accept"] < made["no_negotiation_allocator"]
    assert best.utility > 1.1 * made["no_negotiation_allocator"]
    # A price above the other half's worth is taken, and is worse than no trade.
    half = made["no_negotiation_allocator"]
    assert _bought_at(seed, half + 500) < half


@pytest.mark.parametrize("seed", range(len(TRADERS)))
def test_a_price_is_taken_from_its_bar_on_and_never_by_luck(seed: int) -> None:
    taken = [_bought_at(seed, price) is not None for price in range(100, 10_000, 100)]
    assert taken == sorted(taken)
    assert not taken[0]
    assert taken[-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_low_offer_is_answered_with_a_price_that_is_taken_and_gains(seed: int) -> None:
    scenario = make_first_trade(seed)
    half = scenario.sealed.jobs[0][0].value // 2
    climbs = [(lowest, step) for lowest in (100, 2000, 4000) for step in (100, 500, 1000)]
    counters = set()
    for lowest, step in climbs:
        bids: list[int] = []
        told = []
        for price in range(lowest, 10_000, step):
            bids.append(price)
            told.append(counter_to(start(scenario)[0], bids))
        asked = [one for one in told if one is not None]
        assert told[: len(asked)] == asked, "who pays enough is asked for nothing more"
        counters |= set(asked)
    for counter in counters:
        made = _bought_at(seed, counter)
        assert made is not None
        assert made > half


@pytest.mark.parametrize("seed", SEEDS)
def test_a_lab_comes_down_for_steps_up_and_for_nothing_else(seed: int) -> None:
    state, _ = start(make_first_trade(seed))
    offer = Offer("", "lab_0", "lab_1", (), (NEW,), Cents(0), "", (), 0, 0)
    least = price_of(state, 1, offer)
    assert least is not None

    def asked(*bids: int) -> int:
        told = counter_to(state, bids)
        assert told is not None
        assert told > least, "its price never says what the least is"
        return told

    low = least // 2
    first = asked(low)
    assert asked(low, low + STEP) < first
    assert asked(low, low + 2 * STEP) < asked(low, low + STEP)
    assert asked(low, low - STEP) == asked(low, low) == asked(low, low + 100) == first
    assert asked(low, low - STEP, low) == first, "down and up again is no step"
    crumbs = range(low, least, 100)
    assert asked(*crumbs) == first, "many crumbs are no step either"


@pytest.mark.parametrize("seed", range(len(TRADERS)))
def test_the_label_tells_what_the_words_do_not(seed: int) -> None:
    scenario = make_first_trade(seed)
    labels = {block.id: block.reliability for block in scenario.blocks}
    job = scenario.sealed.jobs[0][0]
    assert labels[OLD] < job.min_reliability < min(labels[OWN], labels[NEW])
    said = int(re.findall(r"(\d+) %", scenario.offers[0].message)[0])
    is_lie = scenario.sealed.archetypes[1] != "cooperative"
    assert (said > 100 * labels[OLD]) is is_lie
    # Who lies is trusted less, and everybody can see that.
    assert (scenario.labs[1].reputation < 0.65) is is_lie


def test_it_is_no_task_that_is_drawn() -> None:
    assert "first_trade" not in TASK_NAMES
    assert make_first_trade(4) == make_first_trade(4) != make_first_trade(7)
    with pytest.raises(ValueError, match="0 or more"):
        make_first_trade(-1)


def test_the_docs_say_what_simple_players_make() -> None:
    rows: dict[str, list[float]] = {}
    for seed in range(30):
        scenario = make_first_trade(seed)
        for one in yardsticks.simple_players(scenario, ("person", "archetype"), 0):
            rows.setdefault(one.name, []).append(one.utility / 100)
        rows.setdefault("best trade", []).append(best_first_trade(scenario).utility / 100)
    told = [
        f"{name:26} {sum(made) / len(made):7.1f} ({min(made):g} to {max(made):g})"
        for name, made in rows.items()
    ]
    assert "\n".join(told) in (DOCS / "gpu_market.md").read_text()


def _bought_at(seed: int, price: int) -> int | None:
    """What a player makes who asks for the new GPUs at once, or None where it is turned down."""
    buys = yardsticks._Buyer(Cents(price), 0)
    state, _ = play_market(make_first_trade(seed), {0: buys})
    return state.tallies[0].utility if state.tallies[0].trades else None


def test_who_waits_for_the_last_round_buys_too_late() -> None:
    def late(seen: object) -> MarketAction:
        if seen.round == 2:  # type: ignore[attr-defined]
            return MarketAction(
                "send_offer",
                target_lab_id="lab_1",
                requested_block_ids=(NEW,),
                payment=Cents(9_000),
            )
        return WAIT

    state, _ = play_market(make_first_trade(0), {0: late})
    assert state.tallies[0].utility == -9_000


LABS = ("person", "archetype", "archetype", "archetype")


@pytest.mark.parametrize("task", ["market_round", "coalition_market"])
def test_the_costliest_turn_is_an_own_one_and_nobody_beats_the_best_known(task: Any) -> None:
    found = 0
    for seed in range(12):
        scenario = make_market(task, seed)
        seats = LABS[: len(scenario.labs)]
        players = players_of(scenario, seats) | {0: make_policy("rule_expert", 0)}
        _, events = play_market(scenario, players)
        planner, most, trades, _ = best_known(scenario, seats, 0)
        assert most == max(planner.utility, simple_players(scenario, seats, 0)[-1].utility)
        assert all("lab_0" in sides_of(one) for one in trades)
        dear = dearest_turn(scenario, seats, 0, events)
        if dear is not None:
            turn, cost = dear
            assert turn in events
            assert turn.lab == "lab_0"
            assert cost >= 100
            assert isinstance(turn.action, MarketAction)
            assert turn.action.action != "send_offer", "the page had advised it"
            found += 1
    assert found >= 3


@pytest.mark.parametrize("task", ["market_round", "coalition_market"])
def test_a_persons_market_has_trades_to_make_and_a_page_that_finds_them(task: str) -> None:
    draw = Random(7).randrange
    for _ in range(6):
        plan = checked(dealt(Order(task=task, policy=YOU), draw), draw)
        found = to_gain(plan.scenario, plan.seats)
        assert found
        alone, most = found
        assert made_by_advice(plan.scenario, plan.seats) - alone >= SHARE * (most - alone)


@pytest.mark.parametrize(
    "order",
    [
        Order(task="market_round", policy=YOU, seed=5),
        Order(task="market_round"),
        Order(task="first_trade", policy=YOU),
        Order(task="no such task", policy=YOU),
    ],
)
def test_only_a_market_that_a_person_leaves_open_is_chosen(order: Order) -> None:
    assert dealt(order, Random(7).randrange) is order


@pytest.mark.parametrize("seed", range(20))
def test_the_price_a_lab_names_is_the_least_that_it_takes(seed: int) -> None:
    state, _ = start(make_market("market_round", seed))
    for block in state.blocks:
        lab = LAB_IDS.index(block.owner)
        if lab == 0 or not block.is_tradeable:
            continue
        offer = Offer("", "lab_0", block.owner, (), (block.id,), Cents(0), "", (), 0, 0)
        least = price_of(state, lab, offer)
        if least is None:
            assert state.reputations[0] < 0.45
            continue
        for payment, taken in ((least, True), (least - 1, False)):
            if payment > state.budgets[0]:
                continue
            action = MarketAction(
                "send_offer",
                target_lab_id=block.owner,
                requested_block_ids=(block.id,),
                payment=Cents(payment),
            )
            after, _ = apply(state, 0, action)
            for _ in range(lab):
                why = refusals_of(after, lab)
                after, _ = advance(after)
            is_taken = any(one.id == block.id and one.owner == "lab_0" for one in after.blocks)
            if taken or why:
                assert is_taken is taken


def test_the_price_a_lab_names_tells_no_more_however_often_it_is_asked() -> None:
    above = set()
    for seed in range(40):
        state, _ = start(make_market("market_round", seed))
        for block in state.blocks:
            lab = LAB_IDS.index(block.owner)
            offer = Offer("", "lab_0", block.owner, (), (block.id,), Cents(0), "", (), 0, 0)
            least = price_of(state, lab, offer) if lab and block.is_tradeable else None
            if not least or least > state.budgets[0]:
                continue
            asks = {
                asked_price(state, lab, msgspec.structs.replace(offer, payment=Cents(payment)))
                for payment in (0, least // 2, least - 1)
            }
            (asked,) = asks
            assert asked is not None
            assert asked >= least
            above.add(asked - least)
    assert max(above) - min(above) >= 2 * STEP, "the same distance would tell the least"


@pytest.mark.parametrize("seed", SEEDS)
def test_waiting_a_round_for_the_new_gpus_never_costs_more(seed: int) -> None:
    # The page says so in round 1, whoever sells, so that it gives no character away.
    best: dict[int, int] = {}
    for one in yardsticks._tried(make_first_trade(seed)):
        best[one.round] = one.price
    assert best[1] <= best[0]
    now, _ = start(make_first_trade(seed))
    later = msgspec.structs.replace(now, round=1)
    for price in range(100, 10_000, 500):
        asked = counter_to(now, [price])
        assert asked is None or (counter_to(later, [price]) or price) <= asked
