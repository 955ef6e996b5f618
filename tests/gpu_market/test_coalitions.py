"""Consent, pools and what a member may take out of them."""

import pytest

from bazaarbatna.market import WAIT, MarketAction, State, advance, apply
from bazaarbatna.market.events import CoalitionEnded, JobRun, PromiseBroken
from tests.support.gpu_market import a_block, a_job, a_world, begun, do, waiting_until, with_luck

FORM = MarketAction("form_coalition", target_lab_id="lab_1", message="Share the night hours.")
JOIN = MarketAction("accept_offer", coalition_id="coalition_0")
DECLINE = MarketAction("reject_offer", coalition_id="coalition_0")


def commit(*blocks: str) -> MarketAction:
    return MarketAction("commit_to_coalition", coalition_id="coalition_0", block_ids=blocks)


def run(*blocks: str) -> MarketAction:
    return MarketAction("allocate_to_job", job_id="job_0_0", block_ids=blocks)


def pooled(*, mine: tuple[str, ...] = ("block_1",), needs: int = 6) -> State:
    """Lab 1 has put block 2 into the pool of both, lab 0 what it likes; it is lab 0's turn."""
    blocks = [a_block(number, number // 2, start=2) for number in range(4)]
    state = begun(a_world(blocks, [[a_job(hours=needs)], []]))
    return do(state, FORM, JOIN, commit(*mine) if mine else WAIT, commit("block_2"))


def test_nobody_is_a_member_before_consenting() -> None:
    state = do(begun(a_world()), FORM)
    coalition = state.coalitions[0]
    assert (coalition.members, coalition.invited) == (("lab_0",), ("lab_1",))
    assert coalition.purpose == "Share the night hours."
    assert do(state, JOIN).coalitions[0].members == ("lab_0", "lab_1")
    assert do(state, DECLINE).coalitions[0].members == ("lab_0",)


def test_the_founder_may_commit_at_once() -> None:
    form = MarketAction("form_coalition", target_lab_id="lab_1", block_ids=("block_1",))
    state = do(begun(a_world()), form)
    assert state.coalitions[0].pledged("lab_0") == ("block_1",)
    assert state.blocks[1].pool == "coalition_0"
    foreign = MarketAction("form_coalition", target_lab_id="lab_1", block_ids=("block_2",))
    refused = do(begun(a_world()), foreign)
    assert not refused.coalitions
    assert refused.results[0] is not None
    assert refused.results[0].code == "unowned_block"


def test_published_rules_ask_nobody() -> None:
    state = do(begun(a_world(reward="published")), FORM)
    assert state.coalitions[0].members == ("lab_0", "lab_1")


def test_a_member_may_invite_one_more() -> None:
    more = MarketAction("form_coalition", target_lab_id="lab_2", coalition_id="coalition_0")
    state = do(begun(a_world(labs=3)), FORM, JOIN, WAIT, more)
    assert state.coalitions[0].invited == ("lab_2",)
    assert len(state.coalitions) == 1


def test_trust_is_the_mean_reputation_of_the_members() -> None:
    state = do(begun(a_world(reputations=[0.7, 0.5])), FORM, JOIN)
    assert state.coalitions[0].trust == pytest.approx(0.6)


def test_a_member_runs_its_job_on_a_pooled_block() -> None:
    state, events = apply(pooled(), 0, run("block_0", "block_2"))
    (ran,) = [event for event in events if isinstance(event, JobRun)]
    assert (ran.hours, ran.late) == (8, False)
    assert state.blocks[2].job == "job_0_0"
    assert state.blocks[2].owner == "lab_1"


def test_who_gives_nothing_takes_nothing() -> None:
    state, _ = apply(pooled(mine=()), 0, run("block_0", "block_2"))
    assert state.results[0] is not None
    assert state.results[0].code == "unowned_block"


def test_what_was_used_by_its_owner_was_no_gift() -> None:
    blocks = [a_block(number, number // 2, start=2) for number in range(4)]
    state = begun(a_world(blocks, [[a_job(), a_job(0, 1)], []]))
    state = do(state, FORM, JOIN, commit("block_1"), commit("block_2"), run("block_1"), WAIT)
    again = MarketAction("allocate_to_job", job_id="job_0_1", block_ids=("block_2",))
    state, _ = apply(state, 0, again)
    assert state.results[0] is not None
    assert state.results[0].code == "unowned_block"


def test_who_took_out_of_a_pool_leaves_as_many_of_its_own() -> None:
    blocks = [a_block(number, number // 2, start=2) for number in range(4)]
    state = begun(a_world(blocks, [[a_job(hours=6), a_job(0, 1)], []]))
    state = do(state, FORM, JOIN, commit("block_1"), commit("block_2"), run("block_0", "block_2"))
    again = MarketAction("allocate_to_job", job_id="job_0_1", block_ids=("block_1",))
    refused = do(state, WAIT, again)
    assert refused.results[0] is not None
    assert refused.results[0].code == "unavailable_block"
    assert refused.blocks[1].status == "committed"


@pytest.mark.parametrize("given", [True, False])
def test_a_scripted_member_runs_its_job_on_the_pool_when_it_has_given_a_block(given: bool) -> None:
    mine = [a_block(1, 1, gpus=1)] if given else []
    state = begun(a_world([a_block(0), *mine], archetypes=["selfish", "cooperative"]))
    form = MarketAction("form_coalition", target_lab_id="lab_1", block_ids=("block_0",))
    state, events = advance(do(with_luck(state, 0.99), form))
    ran = [event for event in events if isinstance(event, JobRun)]
    assert [(event.lab, event.blocks) for event in ran] == [("lab_1", ("block_0",))] * given
    assert state.blocks[0].owner == "lab_0"


def test_published_pools_are_of_no_use() -> None:
    blocks = [a_block(number, number // 2) for number in range(4)]
    state = begun(a_world(blocks, [[a_job(hours=6)], []], reward="published"))
    state = do(state, FORM, commit("block_2"), commit("block_1"), WAIT)
    state, _ = apply(state, 0, run("block_0", "block_2"))
    assert state.results[0] is not None
    assert state.results[0].code == "unowned_block"


def test_a_commitment_creates_no_capacity() -> None:
    blocks = [a_block(number, number // 2, start=2) for number in range(4)]
    state = begun(a_world(blocks))
    before = sum(block.hours for block in state.blocks)
    assert sum(block.hours for block in do(state, FORM, JOIN, commit("block_0")).blocks) == before


def test_taking_a_block_back_is_a_breach() -> None:
    state, events = apply(pooled(), 0, MarketAction("release_capacity", block_ids=("block_1",)))
    (broken,) = [event for event in events if isinstance(event, PromiseBroken)]
    assert (broken.lab, broken.blocks, broken.excused) == ("lab_0", ("block_1",), False)
    assert state.coalitions[0].breach == "breached"
    assert state.coalitions[0].pledged("lab_0") == ()
    assert state.reputations[0] == pytest.approx(0.65 - 0.12)


def test_a_coalition_expires_and_gives_back_what_was_not_used() -> None:
    state = waiting_until(pooled(), 3)
    assert state.blocks[1].status == "committed"
    state = do(state, WAIT)
    state, events = apply(state, 1, WAIT)
    assert [event.breach for event in events if isinstance(event, CoalitionEnded)] == ["none"]
    assert not state.coalitions[0].open
    assert {state.blocks[1].status, state.blocks[2].status} == {"available"}
    assert state.blocks[1].pool == ""
