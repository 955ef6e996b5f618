"""Offers, counter-offers, contracts and their conditions, windows of blocks."""

import msgspec
import pytest

from bazaarbatna.market import FINISH, WAIT, MarketAction, apply, observe
from bazaarbatna.market.blocks import CONDITIONS, Condition, hours_left, yield_of
from bazaarbatna.market.events import JobRun, OfferClosed, PromiseBroken
from bazaarbatna.market.quantities import Cents, to_cents, to_credits
from tests.support.gpu_market import (
    a_block,
    a_job,
    a_world,
    an_offer,
    begun,
    do,
    scripted,
    waiting_until,
)

OFFER = MarketAction(
    "send_offer",
    target_lab_id="lab_1",
    block_ids=("block_0",),
    requested_block_ids=("block_2",),
    payment=Cents(700),
)
ACCEPT = MarketAction("accept_offer", offer_id="offer_0_1_0")
ACCEPT_BACK = MarketAction("accept_offer", offer_id="offer_1_0_0")


def with_terms(*conditions: Condition) -> MarketAction:
    return MarketAction(
        "send_offer",
        target_lab_id="lab_1",
        block_ids=("block_0",),
        conditions=conditions,
    )


def asks(target: str) -> MarketAction:
    """Offer a lab a little money for its first block."""
    wanted = f"block_{2 * int(target[-1])}"
    return MarketAction("send_offer", target_lab_id=target, requested_block_ids=(wanted,))


def code_of(state: object, lab: int, action: MarketAction) -> str | None:
    after, _ = apply(state, lab, action)  # type: ignore[arg-type]
    result = after.results[lab]
    assert result is not None
    return result.code


def test_blocks_and_money_change_hands_when_it_is_accepted() -> None:
    state = do(begun(a_world()), OFFER)
    assert state.budgets == (10_000, 10_000)
    state = do(state, ACCEPT)
    assert state.budgets == (9300, 10_700)
    assert (state.blocks[0].owner, state.blocks[2].owner) == ("lab_1", "lab_0")
    assert state.tallies[0].utility == -700
    assert state.tallies[1].utility == 700


def test_an_offer_lives_for_two_more_rounds() -> None:
    blocks = [a_block(number, number // 2, start=4) for number in range(4)]
    state = do(begun(a_world(blocks)), OFFER, WAIT)
    state = waiting_until(state, 2)
    assert code_of(do(state, WAIT), 1, ACCEPT) is None
    state = waiting_until(state, 3)
    assert state.offers[0].status == "expired"
    assert code_of(do(state, WAIT), 1, ACCEPT) == "expired_offer"


def test_a_counter_offer_closes_the_first_and_is_linked_to_it() -> None:
    counter = MarketAction("counter_offer", offer_id="offer_0_1_0", block_ids=("block_3",))
    state = do(begun(a_world()), OFFER, counter)
    first, second = state.offers
    assert first.status == "countered"
    assert (second.sender, second.target, second.linked) == ("lab_1", "lab_0", "offer_0_1_0")
    state = do(state, ACCEPT_BACK)
    assert state.blocks[3].owner == "lab_0"


def test_who_spent_its_money_elsewhere_cannot_pay() -> None:
    offers = [an_offer(0, offered=("block_2",)), an_offer(1, offered=("block_3",))]
    state = begun(a_world(offers=offers, budgets=[10_000, 700]))
    second = MarketAction("accept_offer", offer_id="offer_1_0_1")
    assert code_of(do(state, ACCEPT_BACK, WAIT), 0, second) == "budget_overspend"


def test_an_offer_s_name_tells_nobody_what_others_offered_before() -> None:
    """Its two sides can count the ones between them; a spectator hears the names of contracts."""
    world = a_world([a_block(number, number // 2, start=4) for number in range(6)], labs=3)
    quiet = do(begun(world), WAIT, WAIT, WAIT)
    busy = do(begun(world), WAIT, asks("lab_2"), asks("lab_1"))
    for state in (quiet, busy):
        assert do(state, OFFER).offers[-1].id == "offer_0_1_0"
        assert do(state, OFFER, WAIT, WAIT, OFFER).offers[-1].id == "offer_0_1_1"
    assert [one.id for one in busy.offers] == ["offer_1_2_0", "offer_2_1_0"]


def test_who_leaves_takes_its_offers_along() -> None:
    state, events = apply(do(begun(a_world()), OFFER, WAIT), 0, FINISH)
    assert [event.status for event in events if isinstance(event, OfferClosed)] == ["withdrawn"]
    assert code_of(state, 1, ACCEPT) == "inactive_offer"


def test_a_block_that_must_not_be_resold_stays() -> None:
    state = do(begun(a_world()), with_terms("must_not_resell"), ACCEPT, WAIT)
    pass_on = MarketAction("send_offer", target_lab_id="lab_0", block_ids=("block_0",))
    assert code_of(state, 1, pass_on) == "unavailable_block"


def test_a_block_for_the_most_urgent_job_runs_no_other() -> None:
    jobs = [[], [a_job(1, deadline=5), a_job(1, 1, deadline=2)]]
    state = do(begun(a_world(jobs=jobs)), with_terms("deadline_priority"), ACCEPT, WAIT)
    wrong = MarketAction("allocate_to_job", job_id="job_1_0", block_ids=("block_0", "block_2"))
    right = MarketAction("allocate_to_job", job_id="job_1_1", block_ids=("block_0", "block_2"))
    assert code_of(state, 1, wrong) == "unavailable_block"
    assert code_of(state, 1, right) is None


def test_a_block_that_must_be_used_and_was_not_is_a_breach() -> None:
    blocks = [a_block(number, number // 2, start=4) for number in range(4)]
    state = do(begun(a_world(blocks)), with_terms("must_allocate_to_job"), ACCEPT)
    run = MarketAction("allocate_to_job", job_id="job_1_0", block_ids=("block_0",))
    kept = waiting_until(do(state, WAIT, run), 6)
    broken = waiting_until(state, 6)
    assert (kept.tallies[1].breaches, broken.tallies[1].breaches) == (0, 1)
    assert broken.reputations[1] == pytest.approx(0.67 - 0.12)


def test_every_condition_is_known() -> None:
    assert len(CONDITIONS) == 4


@pytest.mark.parametrize(("round_", "left"), [(0, 6), (1, 6), (2, 4), (3, 2), (4, 0), (5, 0)])
def test_a_block_loses_its_hours_as_its_window_passes(round_: int, left: int) -> None:
    block = a_block(0, start=1, duration=3)
    assert hours_left(block, round_) == left
    assert hours_left(block, round_, windows=False) == 6


def test_a_job_is_late_when_its_last_block_ends_after_the_deadline() -> None:
    job = a_job(deadline=3, base_value=Cents(10_000), urgency=1.5)
    soon, later = a_block(0, start=1), a_block(1, start=2)
    assert yield_of(job, [soon], 0, windows=True).value == 15_000
    late = yield_of(job, [later], 0, windows=True)
    assert (late.late, late.value, late.energy) == (True, 5250, 800)
    assert not yield_of(job, [later], 0, windows=False).late


def test_partial_credit_is_the_share_of_the_hours() -> None:
    state = begun(a_world(jobs=[[a_job(hours=8, partial=True)], []]))
    run = MarketAction("allocate_to_job", job_id="job_0_0", block_ids=("block_0",))
    state, events = apply(state, 0, run)
    (ran,) = [event for event in events if isinstance(event, JobRun)]
    assert (ran.completion, ran.value) == (0.5, 3000)
    assert state.jobs[0][0].done


def test_reserved_blocks_are_out_of_the_market_and_can_come_back() -> None:
    reserve = MarketAction("reserve_capacity", block_ids=("block_0", "block_1"))
    release = MarketAction("release_capacity", block_ids=("block_0",))
    state = do(begun(a_world()), reserve, WAIT)
    assert code_of(state, 0, OFFER) == "unavailable_block"
    state, events = apply(state, 0, release)
    assert [block.status for block in state.blocks[:2]] == ["available", "reserved"]
    assert not any(isinstance(event, PromiseBroken) for event in events)
    ended = waiting_until(state, 6)
    assert ended.tallies[0].idle == 1


def test_credits_are_hundredths_inside() -> None:
    assert (to_cents(4.555), to_cents(-1), to_credits(455)) == (456, -100, 4.55)


def test_three_times_the_same_is_counted() -> None:
    words = MarketAction("send_message", message="Hello?")
    state = begun(a_world())
    counts = []
    for action in (words, words, WAIT, words, words, words):
        state = do(state, action)
        counts.append(state.tallies[0].repeats)
        state = do(state, WAIT)
    assert counts == [1, 2, 1, 1, 2, 3]
    assert observe(state, 0).done


def test_an_old_offer_gives_nothing_that_must_not_be_passed_on_any_more() -> None:
    state = do(begun(a_world()), with_terms(), WAIT)
    bound = msgspec.structs.replace(state.blocks[0], terms=("must_not_resell",))
    state = msgspec.structs.replace(state, blocks=(bound, *state.blocks[1:]))
    assert code_of(do(state, WAIT), 1, ACCEPT) == "unavailable_block"


def test_a_scripted_lab_keeps_what_it_agreed_to() -> None:
    """A block for its most urgent job is not given to the other one, however valuable."""
    jobs = [a_job(0, 0, deadline=2, hours=8, base_value=Cents(3000)), a_job(0, 1, deadline=4)]
    for terms, ran in (((), {"job_0_1"}), (("deadline_priority",), set())):
        world = a_world([a_block(0, 0, terms=terms), a_block(1, 1)], jobs=[jobs, [a_job(1)]])
        _, events = scripted(begun(world))
        assert {event.job for event in events if isinstance(event, JobRun)} == ran
