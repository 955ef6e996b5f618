"""How each scripted lab decides: one rule, one test."""

from typing import Any

import pytest
from msgspec.structs import replace

from bazaarbatna.market import WAIT, MarketAction, State, advance, make_market
from bazaarbatna.market.archetypes import (
    MANNERS,
    Signals,
    bar_for,
    perceived_value,
    pressure,
    signals_in,
)
from bazaarbatna.market.events import OfferMade, PromiseBroken
from bazaarbatna.market.quantities import Cents
from bazaarbatna.market.scenario import Archetype
from bazaarbatna.market.scripted import refusals_of
from bazaarbatna.market.trading import TRUST_OF_TRADE
from tests.support.gpu_market import (
    a_block,
    a_job,
    a_world,
    an_offer,
    begun,
    do,
    waiting_until,
    with_luck,
)

NEVER, ALWAYS = 0.999, 0.0
FAR = a_job(1, deadline=6)
"""A job that presses nobody in round 0, and that no block of the little world can run early."""


def asked(
    archetype: Archetype,
    payment: int,
    *,
    words: str = "",
    reputation: float = 0.65,
    deadline: int = 6,
    luck: float = NEVER,
    given: tuple[str, ...] = (),
    wanted: tuple[str, ...] = ("block_2",),
) -> str:
    """What becomes of an offer of lab 0 to a lab with an archetype."""
    blocks = [a_block(number, number // 2, start=4, duration=1) for number in range(4)]
    scenario = a_world(
        blocks,
        [[a_job()], [a_job(1, deadline=deadline, hours=8)]],
        reputations=[reputation, 0.65],
        archetypes=["selfish", archetype],
    )
    offer = MarketAction(
        "send_offer",
        target_lab_id="lab_1",
        block_ids=given,
        requested_block_ids=wanted,
        payment=Cents(payment),
        message=words,
    )
    state = do(with_luck(begun(scenario), luck), offer)
    state, _ = advance(state)
    return state.offers[0].status


# A block costs them 0.16, so the bar is reached at 100 x (bar + 0.16) credits.
@pytest.mark.parametrize(
    ("archetype", "price"),
    [
        ("cooperative", 5100),
        ("selfish", 9100),
        ("deadline_panicked", 6100),
        ("deceptive", 7100),
        ("retaliatory", 8100),
    ],
)
def test_every_archetype_has_its_bar(archetype: Archetype, price: int) -> None:
    assert asked(archetype, price) == "accepted"
    assert asked(archetype, price - 10) == "rejected"


def test_blocks_count_for_less_when_given_than_when_taken() -> None:
    swap = an_offer(offered=("block_2",), requested=("block_0",), payment=Cents(0))
    assert perceived_value(swap) == pytest.approx(0.06)
    assert asked("cooperative", 2890, given=("block_0",)) == "rejected"
    assert asked("cooperative", 2900, given=("block_0",)) == "accepted"
    assert asked("cooperative", 700, given=("block_0", "block_1")) == "accepted"


def test_fair_words_move_a_cooperative_lab_by_a_tenth_and_no_further() -> None:
    words = "A fair, mutual, balanced trade: join our coalition, let us pool and share together."
    assert asked("cooperative", 4200) == "rejected"
    assert asked("cooperative", 4200, words=words) == "accepted"
    assert asked("cooperative", 4000, words=words * 4) == "rejected"


def test_a_selfish_lab_hears_no_words() -> None:
    assert (
        asked("selfish", 9000, words="fair mutual urgent deadline together or else") == "rejected"
    )


def test_a_panicked_lab_gives_in_as_its_deadline_comes() -> None:
    assert asked("deadline_panicked", 2700, deadline=6) == "rejected"
    assert asked("deadline_panicked", 2700, deadline=2) == "accepted"


def test_a_retaliatory_lab_trades_with_nobody_of_bad_repute() -> None:
    assert asked("retaliatory", 9900, reputation=0.45) == "accepted"
    assert asked("retaliatory", 9900, reputation=0.44) == "rejected"
    assert asked("retaliatory", 0, reputation=0.44, luck=ALWAYS) == "rejected"


def test_a_retaliatory_lab_answers_threats_with_a_higher_bar() -> None:
    assert asked("retaliatory", 8500) == "accepted"
    assert asked("retaliatory", 8500, words="or else you will regret it") == "rejected"


def test_a_little_luck_accepts_anything_and_more_under_pressure() -> None:
    assert asked("selfish", 0, luck=0.019) == "accepted"
    assert asked("selfish", 0, luck=0.021) == "rejected"
    assert asked("selfish", 0, luck=0.119, deadline=2) == "accepted"
    assert asked("selfish", 0, luck=0.121, deadline=2) == "rejected"


def test_pressure_is_the_share_of_open_jobs_due_soon() -> None:
    jobs = (a_job(deadline=2), a_job(0, 1, deadline=5), a_job(0, 2, deadline=1, done=True))
    assert pressure(jobs, 0) == 0.5
    assert pressure(jobs[2:], 0) == 0.0


@pytest.mark.parametrize("archetype", list(MANNERS))
def test_words_are_bounded(archetype: Archetype) -> None:
    manner = MANNERS[archetype]
    for heard in (Signals(1, 1, 1, 1), Signals(1, 1, 1, 0), Signals(0, 0, 0, 1)):
        assert abs(bar_for(manner, 0.0, heard) - manner.bar) <= 0.1 + 1e-12


def test_signals_are_bounded_and_words_repeated_count_once() -> None:
    assert signals_in("fair " * 100).fairness == 0.5
    assert signals_in("fair mutual balanced").fairness == 1.0
    assert signals_in("blocks for money") == Signals()


def test_a_message_is_heard_for_two_rounds_by_those_it_was_meant_for() -> None:
    blocks = [a_block(number, number // 2, start=4, duration=1) for number in range(6)]
    jobs = [[a_job(lab, hours=8, deadline=6)] for lab in range(3)]
    scenario = a_world(blocks, jobs, labs=3, archetypes=["selfish", "cooperative", "cooperative"])
    words = MarketAction("send_message", target_lab_id="lab_1", message="fair and mutual")

    def offer(lab: int) -> MarketAction:
        wanted = (f"block_{2 * lab}",)
        return MarketAction(
            "send_offer",
            target_lab_id=f"lab_{lab}",
            requested_block_ids=wanted,
            payment=Cents(4200),
        )

    spoken = do(with_luck(begun(scenario), NEVER), words, WAIT, WAIT)
    assert advance(do(spoken, offer(1)))[0].offers[0].status == "accepted"
    assert advance(do(spoken, offer(2), WAIT))[0].offers[0].status == "rejected"
    later = waiting_until(spoken, 3)
    assert advance(do(later, offer(1)))[0].offers[0].status == "rejected"


def test_an_offer_that_nobody_can_keep_is_turned_down() -> None:
    offer = an_offer(0, 0, 1, offered=("block_2",), payment=Cents(0))
    state = do(with_luck(begun(a_world(offers=[offer])), ALWAYS), WAIT)
    assert advance(state)[0].offers[0].status == "rejected"


def proposals(archetype: Archetype, **changed: Any) -> list[OfferMade]:
    values = {"round": 0, "luck": 0.0} | changed
    blocks = [a_block(number, number // 2, start=4, duration=1) for number in range(4)]
    state = begun(a_world(blocks, archetypes=["selfish", archetype], jobs=[[], []]))
    state = do(with_luck(waiting_until(state, values["round"]), values["luck"]), WAIT)
    _, events = advance(state)
    return [event for event in events if isinstance(event, OfferMade)]


def test_scripted_labs_propose_in_even_rounds_with_a_chance_of_a_third() -> None:
    assert len(proposals("selfish")) == 1
    assert len(proposals("selfish", luck=0.34)) == 1
    assert proposals("selfish", luck=0.36) == []
    assert proposals("selfish", round=1) == []
    assert len(proposals("selfish", round=2)) == 1


def test_proposals_pay_up_to_fifteen_and_the_panicked_ten_more() -> None:
    assert proposals("selfish", luck=0.0)[0].offer.payment == 0
    assert proposals("selfish", luck=0.34)[0].offer.payment == 510
    assert proposals("deadline_panicked", luck=0.0)[0].offer.payment == 1000
    swap = proposals("selfish")[0].offer
    assert (len(swap.offered), len(swap.requested)) == (1, 1)


def invited(archetype: Archetype, reputation: float) -> State:
    blocks = [a_block(0), *(a_block(number, 1, start=4, duration=1) for number in range(1, 5))]
    scenario = a_world(
        blocks, [[], [FAR]], reputations=[reputation, 0.65], archetypes=["selfish", archetype]
    )
    form = MarketAction("form_coalition", target_lab_id="lab_1")
    return advance(do(with_luck(begun(scenario), NEVER), form))[0]


@pytest.mark.parametrize(
    ("archetype", "least"),
    [("cooperative", 0.35), ("selfish", 0.7), ("deadline_panicked", 0.4), ("retaliatory", 0.55)],
)
def test_every_archetype_joins_from_some_reputation_on(archetype: Archetype, least: float) -> None:
    assert invited(archetype, least).coalitions[0].members == ("lab_0", "lab_1")
    declined = invited(archetype, least - 0.01).coalitions[0]
    assert declined.members == ("lab_0",)
    assert declined.invited == ()


def test_who_joins_commits_all_it_has_or_the_smallest_it_can_spare() -> None:
    # Of its four blocks two run its job; what is pooled the generous may still use themselves.
    for archetype, given in (("cooperative", 4), ("deadline_panicked", 4), ("selfish", 1)):
        joined = invited(archetype, 0.75)  # type: ignore[arg-type]
        assert len(joined.coalitions[0].pledged("lab_1")) == given


def test_a_deceptive_lab_joins_anybody_and_takes_its_block_back() -> None:
    joined = invited("deceptive", 0.0)
    assert joined.coalitions[0].members == ("lab_0", "lab_1")
    state, events = advance(do(with_luck(joined, 0.1), WAIT))
    assert state.coalitions[0].breach == "breached"
    assert [event.lab for event in events if isinstance(event, PromiseBroken)] == ["lab_1"]
    assert state.reputations[1] == pytest.approx(0.65 - 0.12)
    assert all(block.status == "available" for block in state.blocks)


def test_a_scripted_lab_runs_its_job_when_the_block_starts() -> None:
    blocks = [a_block(0, start=1), a_block(1, 1, start=1)]
    state = with_luck(begun(a_world(blocks)), NEVER)
    for _ in range(2):
        state, _ = advance(state)
    assert state.tallies[1].finished == 0
    for _ in range(2):
        state, _ = advance(state)
    assert state.tallies[1].finished == 1


def test_both_sides_of_a_trade_gain_reputation() -> None:
    offer = an_offer(offered=("block_2",))
    state = do(begun(a_world(offers=[offer])), MarketAction("accept_offer", offer_id="offer_1_0_0"))
    assert state.reputations == (0.65 + TRUST_OF_TRADE, 0.65 + TRUST_OF_TRADE)


def test_archetypes_cycle_with_the_seed() -> None:
    names = list(MANNERS)
    for seed in range(10):
        sealed = make_market("coalition_market", seed).sealed
        expected = [names[(seed + lab) % 5] for lab in range(len(sealed.budgets))]
        assert list(sealed.archetypes) == expected


@pytest.mark.parametrize(
    ("payment", "why"), [(2_000, "far"), (6_000, "short"), (8_500, "near"), (9_100, None)]
)
def test_a_refusal_says_in_bands_how_far_an_offer_was_from_enough(
    payment: int, why: str | None
) -> None:
    assert refused_for("selfish", payment) == why


def test_a_grudge_is_told_as_a_matter_of_trust() -> None:
    assert refused_for("retaliatory", 20_000, reputation=0.3) == "distrust"


def test_what_is_no_longer_there_is_told_before_any_price() -> None:
    assert refused_for("selfish", 20_000, status="used") == "gone"


def test_what_was_sold_a_moment_earlier_in_the_turn_is_told_as_gone() -> None:
    sold = an_offer(0, 2, 1, requested=("block_2",), payment=Cents(9_900))
    late = an_offer(0, 0, 1, requested=("block_2",), payment=Cents(6_000))
    blocks = [a_block(number, number // 2, start=4, duration=1) for number in range(6)]
    for offers, why in (((sold, late), "gone"), ((late,), "short"), ((late, sold), "short")):
        state = begun(a_world(blocks, [[FAR], [FAR], []], labs=3, offers=offers))
        assert refusals_of(with_luck(state, NEVER), 1) == {late.id: why}


def test_what_luck_accepts_has_no_reason() -> None:
    offers = [an_offer(0, 0, 1, requested=("block_2",), payment=Cents(0))]
    assert refusals_of(with_luck(begun(a_world(offers=offers)), ALWAYS), 1) == {}


def refused_for(
    archetype: Archetype, payment: int, *, reputation: float = 0.65, status: str = "available"
) -> str | None:
    """Why a lab says no to credits for one of its blocks."""
    offer = an_offer(0, 0, 1, requested=("block_2",), payment=Cents(payment))
    blocks = [a_block(number, number // 2, start=4, duration=1) for number in range(4)]
    scenario = a_world(
        blocks,
        [[a_job()], [a_job(1, deadline=6, hours=8)]],
        reputations=[reputation, 0.65],
        archetypes=["selfish", archetype],
        budgets=[50_000, 50_000],
        offers=[offer],
    )
    state = with_luck(begun(scenario), NEVER)
    there = [replace(one, status=status) if one.id == "block_2" else one for one in state.blocks]
    return refusals_of(replace(state, blocks=tuple(there)), 1).get(offer.id)
