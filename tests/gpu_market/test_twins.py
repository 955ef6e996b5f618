"""Another action, or no shocks: the same market otherwise, on the same luck."""

import pytest

from arena.gpu_market.twins import (
    ARCHETYPE,
    PERSON,
    STAND_IN,
    NoTurnHere,
    all_steps_of,
    fork,
    gains,
    players_of,
    shock_twin,
)
from bazaarbatna.market import (
    WAIT,
    BrokenLog,
    MarketAction,
    MarketEvent,
    MarketScenario,
    fold,
    make_market,
    play_market,
)
from bazaarbatna.market.events import ShockStruck, TurnTaken
from bazaarbatna.market.planner import play_scored
from bazaarbatna.market.policies.registry import make_policy

SEATS = ("random_valid", ARCHETYPE, ARCHETYPE)


def a_match(
    seed: int, seats: tuple[str, ...] = SEATS
) -> tuple[MarketScenario, tuple[MarketEvent, ...]]:
    scenario = make_market("market_round", seed)
    return scenario, play_market(scenario, players_of(scenario, seats))[1]


def turns_of(events: tuple[MarketEvent, ...], lab: str) -> list[int]:
    return [
        number
        for number, event in enumerate(events, start=1)
        if isinstance(event, TurnTaken) and event.lab == lab
    ]


@pytest.mark.parametrize("seed", range(8))
def test_the_own_action_gives_the_recorded_match_byte_for_byte(seed: int) -> None:
    scenario, events = a_match(seed)
    for seq in turns_of(events, "lab_0"):
        turn = events[seq - 1]
        assert isinstance(turn, TurnTaken)
        assert turn.action is not None
        same = fork(scenario, events, seq, turn.action, SEATS)
        assert same.events == events
        assert same.difference == 0
        assert same.own == same.forked == same.recorded


@pytest.mark.parametrize("seed", range(8))
def test_another_action_leaves_the_past_alone_and_gives_a_legal_match(seed: int) -> None:
    scenario, events = a_match(seed)
    for lab in ("lab_0", "lab_1"):
        for seq in turns_of(events, lab):
            other = fork(scenario, events, seq, MarketAction("finish"), SEATS)
            assert other.events[: seq - 1] == events[: seq - 1]
            end = fold(scenario, other.events).ended
            assert end is not None
            assert tuple(one.utility for one in end.results) == other.forked
            assert other.own == other.recorded
            assert other.events != events


def test_policies_play_on_as_they_would_have() -> None:
    # Waiting where the policy waited anyway leads back to the same match.
    seats = ("never_act", ARCHETYPE, ARCHETYPE)
    scenario, events = a_match(3, seats)
    pitch = MarketAction("reserve_capacity", block_ids=("block_0",))
    first = turns_of(events, "lab_0")[0]
    other = fork(scenario, events, first, pitch, seats)
    later = [e for e in other.events if isinstance(e, TurnTaken) and e.lab == "lab_0"][1:]
    assert {e.action for e in later} == {WAIT}


def test_where_a_person_played_a_stand_in_plays_both_courses() -> None:
    seats = (PERSON, ARCHETYPE, ARCHETYPE)
    scenario, events = a_match(4, ("always_accept", ARCHETYPE, ARCHETYPE))
    seq = turns_of(events, "lab_0")[0]
    other = fork(scenario, events, seq, WAIT, seats)
    expert = (STAND_IN, ARCHETYPE, ARCHETYPE)
    as_expert = fork(scenario, events, seq, WAIT, expert)
    assert other.forked == as_expert.forked
    assert other.recorded != other.own
    assert other.difference == other.forked[0] - other.own[0]


def test_on_other_luck_both_courses_of_a_pair_meet_the_same() -> None:
    scenario, events = a_match(5)
    seq = turns_of(events, "lab_0")[0]
    own = events[seq - 1]
    assert isinstance(own, TurnTaken)
    assert own.action is not None
    assert gains(scenario, events, seq, own.action, SEATS, pairs=4) == (0, 0, 0, 0)
    other = gains(scenario, events, seq, MarketAction("finish"), SEATS, pairs=8)
    assert len(set(other)) > 1
    assert other == gains(scenario, events, seq, MarketAction("finish"), SEATS, pairs=8)


def test_only_a_turn_of_a_finished_match_can_be_replaced() -> None:
    scenario, events = a_match(6)
    for seq in (0, 1, len(events), len(events) + 1, -1):
        with pytest.raises(NoTurnHere):
            fork(scenario, events, seq, WAIT, SEATS)
    seq = turns_of(events, "lab_0")[0]
    with pytest.raises(NoTurnHere):
        fork(scenario, events[:seq], seq, WAIT, SEATS)
    with pytest.raises(BrokenLog):
        fork(make_market("market_round", 7), events, seq, WAIT, SEATS)


@pytest.mark.parametrize("seed", range(6))
def test_the_twin_without_shocks_is_the_same_up_to_the_first_shock(seed: int) -> None:
    scenario, events = a_match(seed)
    twin = shock_twin(scenario, SEATS)
    assert twin.struck == events
    assert twin.stand_ins == ()
    first = next(n for n, event in enumerate(events) if isinstance(event, ShockStruck))
    # The opening differs in the commitment alone: the calm world seals other values.
    assert twin.calm[1:first] == events[1:first]
    assert not any(isinstance(event, ShockStruck) for event in twin.calm)
    ends = fold(scenario, twin.struck).ended
    assert ends is not None
    assert [cost.struck for cost in twin.costs] == [one.utility for one in ends.results]
    assert all(cost.cost == cost.calm - cost.struck for cost in twin.costs)


def test_shocks_cost_somebody_something_somewhere() -> None:
    costs = []
    for seed in range(6):
        scenario = make_market("coalition_market", seed)
        seats = ("rule_expert", *[ARCHETYPE] * (len(scenario.labs) - 1))
        costs += [one.cost for one in shock_twin(scenario, seats).costs]
    assert any(cost > 0 for cost in costs)
    assert any(cost == 0 for cost in costs)


def test_a_market_without_shocks_is_its_own_twin() -> None:
    scenario = make_market("single_trade", 1)
    twin = shock_twin(scenario, (PERSON, ARCHETYPE))
    assert twin.struck[1:-1] == twin.calm[1:-1]
    assert [cost.cost for cost in twin.costs] == [0, 0]
    assert twin.stand_ins == (0,)


@pytest.mark.parametrize("lab", [0, 1])
@pytest.mark.parametrize("task", ["single_trade", "market_round", "coalition_market"])
def test_steps_are_scored_as_the_environment_scores_them(task: str, lab: int) -> None:
    scenario = make_market(task, 9)
    scored = play_scored(scenario, make_policy("rule_expert", 0), lab=lab)
    steps = all_steps_of(scenario, scored.events)[lab]
    assert tuple(one.reward for one in steps) == scored.rewards
    assert [one.round for one in steps] == list(range(scenario.rounds))
    assert all(isinstance(scored.events[one.seq - 1], TurnTaken) for one in steps)


def test_a_log_of_another_market_is_not_scored() -> None:
    scenario, events = a_match(6)
    with pytest.raises(BrokenLog):
        all_steps_of(make_market("market_round", 7), events)
    with pytest.raises(BrokenLog):
        all_steps_of(scenario, (*events[:5], *events[6:]))
