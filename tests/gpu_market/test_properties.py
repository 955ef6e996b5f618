"""What holds in every episode, whoever plays: labs that try anything, archetypes and policies."""

from collections import Counter
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bazaarbatna.bargain.sealed import is_kept
from bazaarbatna.market import (
    FINISH,
    TASK_NAMES,
    MarketEvent,
    MarketScenario,
    State,
    advance,
    apply,
    consider,
    fold,
    make_market,
    observe,
    reward,
    start,
    value_of_all_jobs,
)
from bazaarbatna.market.blocks import Block, hours_left
from bazaarbatna.market.events import (
    Ended,
    JobRun,
    OfferClosed,
    OfferMade,
    Opened,
    TradeMade,
    TurnTaken,
)
from bazaarbatna.market.policies.plain import random_valid
from bazaarbatna.market.quantities import LAB_IDS
from bazaarbatna.market.scenario import HOUSE, task_of
from tests.support.gpu_market import a_wild_action

EPISODES = 4000
PARTS = 4
OPTIONS = ("sudden_supply", "deadline_acceleration", "emergency_auction")

ENCODER = msgspec.json.Encoder()
DECODER: msgspec.json.Decoder[tuple[MarketEvent, ...]] = msgspec.json.Decoder(
    tuple[MarketEvent, ...]
)


def a_random_market(number: int) -> MarketScenario:
    task = TASK_NAMES[number % 3]
    options = OPTIONS if task == "coalition_market" and number % 2 else ()
    return make_market(
        task, number, reward="published" if number % 5 == 4 else "default", options=options
    )


def money(state: State) -> int:
    return sum(state.budgets) + state.house


def check_state(state: State, whole: int) -> None:
    assert money(state) == whole
    assert min(state.budgets) >= 0
    assert state.house >= 0
    assert all(0.0 <= value <= 1.0 for value in state.reputations)
    owners = {*LAB_IDS[: len(state.budgets)], HOUSE}
    assert len({block.id for block in state.blocks}) == len(state.blocks)
    for block in state.blocks:
        assert block.owner in owners
        assert (block.status == "used") == bool(block.job)
        assert block.status != "committed" or block.pool
    assert state.round <= state.scenario.rounds
    for lab, tally in enumerate(state.tallies):
        assert state.budgets[lab] == (
            state.scenario.sealed.budgets[lab] + tally.received - tally.paid
        )


def check_step(before: State, after: State) -> None:
    """Blocks change hands only by contract; nothing final is undone; nothing grows."""
    gave = Counter(
        name
        for contract in after.contracts[len(before.contracts) :]
        for name in (*contract.given, *contract.taken)
    )
    for old, new in zip(before.blocks, after.blocks, strict=False):
        if old.owner != new.owner:
            assert gave[old.id]
        if old.status in ("used", "failed"):
            assert new == old
        assert hours_left(new, after.round) <= hours_left(old, before.round)
        assert (old.id, old.start, old.duration, old.gpus) == (
            new.id,
            new.start,
            new.duration,
            new.gpus,
        )
    for old_jobs, new_jobs in zip(before.jobs, after.jobs, strict=True):
        for old_job, new_job in zip(old_jobs, new_jobs, strict=False):
            assert new_job.done or not old_job.done


def check_log(state: State, events: list[MarketEvent]) -> None:
    assert isinstance(events[0], Opened)
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert is_kept(events[0].commitment, ended.opened, ended.salt)
    used: set[str] = set()
    ran: set[str] = set()
    blocks: dict[str, Block] = {block.id: block for block in state.blocks}
    for event in events:
        if isinstance(event, JobRun):
            assert event.job not in ran
            assert used.isdisjoint(event.blocks)
            ran.add(event.job)
            used |= set(event.blocks)
            assert all(blocks[name].status == "used" for name in event.blocks)
            assert event.value >= 0
    closed = {event.offer for event in events if isinstance(event, OfferClosed)}
    accepted = {event.contract.offer for event in events if isinstance(event, TradeMade)}
    assert not closed & accepted
    made = {event.offer.id: event.offer for event in events if isinstance(event, OfferMade)}
    for event in events:
        if isinstance(event, TradeMade):
            offer = made[event.contract.offer]
            assert offer.created <= event.contract.round <= offer.expires
    turns = [event for event in events if isinstance(event, TurnTaken)]
    assert len(turns) <= state.scenario.rounds * len(state.budgets)


def play_wild(number: int, outside: set[int]) -> tuple[State, list[MarketEvent]]:
    scenario = a_random_market(number)
    rng, sensible = Random(number), random_valid(number)
    state, opening = start(scenario)
    events = [*opening]
    whole = money(state)
    while state.ended is None:
        before = state
        if state.turn in outside:
            if rng.random() < 0.4:
                action = sensible(observe(state, state.turn))
            else:
                action = a_wild_action(state, state.turn, rng)
            expected = consider(state, state.turn, action)
            lab = state.turn
            state, happened = apply(state, lab, action)
            assert state.results[lab] == expected
            if not expected.ok:
                assert state.tallies[lab].refused == before.tallies[lab].refused + 1
        else:
            state, happened = advance(state)
        events += happened
        check_state(state, whole)
        check_step(before, state)
    check_log(state, events)
    return state, events


@pytest.mark.parametrize("part", range(PARTS))
def test_every_episode_keeps_the_rules(part: int) -> None:
    size = EPISODES // PARTS
    done: Counter[str] = Counter()
    for number in range(part * size, (part + 1) * size):
        outside = [{0}, {0, 1, 2, 3, 4}, {1, 2}, set()][number // 3 % 4]
        _, events = play_wild(number, outside)
        done.update(type(event).__name__ for event in events)
    # Otherwise the properties were proven of nothing.
    for name in ("TradeMade", "JobRun", "Committed", "PromiseBroken", "ShockStruck", "Answered"):
        assert done[name] > 5, name


@settings(max_examples=150, deadline=None)
@given(number=st.integers(0, 10**9), outside=st.sets(st.integers(0, 4)))
def test_every_episode_keeps_the_rules_wherever_hypothesis_looks(
    number: int, outside: set[int]
) -> None:
    play_wild(number, outside)


@settings(max_examples=60, deadline=None)
@given(number=st.integers(0, 10**9))
def test_the_same_seed_and_actions_give_the_same_bytes(number: int) -> None:
    one, other = play_wild(number, {0, 2}), play_wild(number, {0, 2})
    assert ENCODER.encode(one[1]) == ENCODER.encode(other[1])
    assert one[0] == other[0]


def test_the_log_folds_to_the_position_and_survives_json() -> None:
    for number in range(120):
        state, events = play_wild(number, {0, 1})
        scenario = a_random_market(number)
        assert fold(scenario, events) == state
        assert DECODER.decode(ENCODER.encode(events)) == tuple(events)


def test_the_reward_of_every_step_is_bounded_and_its_columns_add_up() -> None:
    for number in range(300):
        scenario = a_random_market(number)
        rng = Random(number)
        state, _ = start(scenario)
        best = value_of_all_jobs(scenario, 0)
        while state.ended is None:
            before = state
            state, _ = apply(state, 0, a_wild_action(state, 0, rng))
            if state.ended is None:
                state, _ = advance(state, (0,))
            earned = reward(before, state, 0, best)
            terms = msgspec.structs.astuple(earned)
            assert -1.0 <= earned.normalized_reward <= 1.0
            if scenario.reward == "published":
                assert earned.normalized_reward == pytest.approx(
                    min(max(sum(terms[:10]), -1.0), 1.0)
                )


def test_the_default_reward_sums_to_the_change_of_true_utility() -> None:
    checked = 0
    for number in range(400):
        scenario = make_market(TASK_NAMES[number % 3], number)
        rng, lab = Random(number), number % 2
        before, _ = start(scenario)
        best, total = value_of_all_jobs(scenario, lab), 0.0
        # What happened to it before its first turn belongs to the first step.
        state, _ = advance(before, (lab,))
        while state.ended is None:
            state, _ = apply(state, lab, a_wild_action(state, lab, rng))
            if state.ended is None:
                state, _ = advance(state, (lab,))
            earned = reward(before, state, lab, best)
            terms = msgspec.structs.astuple(earned)
            total += earned.normalized_reward - sum(terms[7:10])
            before = state
            if abs(earned.normalized_reward) == 1.0:
                break
        else:
            checked += 1
            reached = state.tallies[lab].utility / best
            assert total == pytest.approx(min(max(reached, -1.0), 1.0), abs=1e-9)
    assert checked > 380


def test_views_of_all_labs_can_be_shown_at_any_time() -> None:
    for number in range(60):
        scenario = a_random_market(number)
        rng = Random(number)
        state, _ = start(scenario)
        while state.ended is None:
            for lab in range(len(state.budgets)):
                seen = observe(state, lab)
                assert msgspec.json.decode(msgspec.json.encode(seen), type=type(seen)) == seen
            state, _ = apply(state, state.turn, a_wild_action(state, state.turn, rng))


def test_every_lab_may_leave_and_the_episode_still_ends() -> None:
    for number in range(30):
        scenario = a_random_market(number)
        state, _ = start(scenario)
        while state.ended is None:
            state, _ = apply(state, state.turn, FINISH)
        assert state.round == task_of(scenario.task).rounds
