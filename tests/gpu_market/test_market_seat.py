"""What a client is told of its market, and that its score is the engine's own."""

import json
from typing import Any

import msgspec
import pytest

from bazaarbatna.bargain import is_kept
from bazaarbatna.envs.bargain.episode import NotReset
from bazaarbatna.envs.market.actions import Turn, read_turn, write_action
from bazaarbatna.envs.market.resets import MarketReset, UnknownMarket
from bazaarbatna.envs.market.seat import MarketAnswer, MarketSeat, MarketStanding
from bazaarbatna.envs.market.table import Table
from bazaarbatna.envs.market.views import read_view
from bazaarbatna.envs.openenv.kinds import Record, seat_of, to_bytes
from bazaarbatna.envs.openenv.market import MARKET
from bazaarbatna.market import COLUMNS, MarketAction, MarketScenario, make_market
from bazaarbatna.market.planner import play_scored
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.quantities import LAB_IDS

WAIT = read_turn({"action": "wait"})
TASKS = ("single_trade", "market_round", "coalition_market")


def seated(**wanted: Any) -> tuple[MarketSeat, MarketAnswer]:
    seat = MarketSeat()
    return seat, seat.reset(MarketReset(**wanted), seed=4711, episode_id="drawn")


def over_the_wire(answer: MarketAnswer) -> dict[str, Any]:
    return dict(json.loads(msgspec.json.encode(answer)))


@pytest.mark.parametrize("reward", ["default", "published"])
@pytest.mark.parametrize("task", TASKS)
def test_any_policy_plays_any_lab_over_json_to_the_engines_own_score(
    task: str, reward: str
) -> None:
    for seed, name in ((3, "rule_expert"), (4, "random_valid")):
        scenario = make_market(task, seed, reward=reward)  # type: ignore[arg-type]
        for lab in range(len(scenario.labs)):
            seat, answer = seated(task=task, seed=seed, lab=LAB_IDS[lab], reward=reward)
            policy, rewards = make_policy(name, seed), []
            while not answer.done:
                seen = read_view(over_the_wire(answer)["observation"])
                answer = seat.step(read_turn(write_action(policy(seen))))
                rewards.append(answer.reward)
            expected = play_scored(scenario, make_policy(name, seed), lab=lab)
            assert rewards == [one.normalized_reward for one in expected.rewards]
            assert answer.metadata.score == expected.total
            assert seat.state.score == expected.total


def test_every_step_tells_the_eleven_columns_and_what_became_of_the_action() -> None:
    seat, first = seated(task="market_round", seed=1)
    assert first.reward is None
    assert first.observation.last_action_result is None
    told = over_the_wire(seat.step(WAIT))
    assert tuple(told["metadata"]["reward_columns"]) == COLUMNS
    assert told["reward"] == told["metadata"]["reward_columns"]["normalized_reward"]
    assert told["observation"]["last_action_result"]["ok"] is True
    refused = over_the_wire(seat.step(read_turn({"action": "accept_offer", "offer_id": "x"})))
    assert refused["observation"]["last_action_result"]["code"] == "unknown_offer"
    assert refused["reward"] == -0.1
    malformed = over_the_wire(seat.step(read_turn({"action": "fly"})))
    assert malformed["observation"]["last_action_result"]["code"] == "malformed_action"
    assert malformed["reward"] == -0.15
    assert seat.state.step_count == malformed["observation"]["round"] == 3


def test_money_is_in_credits_and_an_observation_comes_back_as_it_was() -> None:
    _, answer = seated(task="coalition_market", seed=7)
    scenario = make_market("coalition_market", 7)
    assert answer.observation.budget == scenario.sealed.budgets[0] / 100
    assert [job.base_value for job in answer.observation.jobs] == [
        job.base_value / 100 for job in scenario.sealed.jobs[0]
    ]
    again = read_view(over_the_wire(answer)["observation"])
    assert (again.blocks, again.jobs) == (scenario.blocks, scenario.sealed.jobs[0])


def test_an_action_after_the_end_changes_nothing_and_is_told_so() -> None:
    seat, answer = seated(seed=2)
    while not answer.done:
        answer = seat.step(WAIT)
    before = seat.state
    late = seat.step(read_turn({"action": "finish"}))
    assert seat.state == before
    assert (late.done, late.reward, late.metadata.reward_columns) == (True, 0.0, None)
    assert late.observation.last_action_result is not None
    assert late.observation.last_action_result.code == "episode_done"
    assert late.observation.result == answer.observation.result


def test_who_finishes_is_played_to_the_end() -> None:
    seat, _ = seated(task="market_round", seed=4)
    answer = seat.step(read_turn({"action": "finish"}))
    assert (answer.done, answer.observation.round, seat.state.step_count) == (True, 5, 1)


def test_the_end_opens_what_the_commitment_promised_and_tells_a_drawn_seed() -> None:
    seat, answer = seated(task="single_trade")
    promise = answer.metadata.commitment
    assert answer.metadata.seed is seat.state.seed is None
    while not answer.done:
        assert answer.observation.result is None
        answer = seat.step(WAIT)
    result = answer.observation.result
    assert result is not None
    assert result.commitment == promise
    assert is_kept(promise, result.opened, result.salt)
    assert answer.metadata.seed == seat.state.seed == 4711
    assert {one.lab for one in result.labs} == {"lab_0", "lab_1"}
    assert "MarketSealed" not in repr(result)


def test_a_lab_that_only_some_worlds_have_is_found_unless_the_seed_is_chosen() -> None:
    seeds = {len(make_market("coalition_market", seed).labs): seed for seed in range(20)}
    assert set(seeds) == {4, 5}
    seat = MarketSeat()
    wanted = MarketReset(task="coalition_market", lab="lab_4")
    answer = seat.reset(wanted, seed=seeds[4], episode_id="drawn")
    assert answer.observation.lab == "lab_4"
    with pytest.raises(UnknownMarket, match="has the labs lab_0"):
        seat.reset(
            MarketReset(task="coalition_market", lab=4, seed=seeds[4]), seed=0, episode_id="x"
        )


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"task": "nothing"}, "Known: single_trade"),
        ({"lab": "lab_9"}, "Labs are lab_0"),
        ({"lab": -1}, "Labs are lab_0"),
        ({"lab": 10**30}, "Labs are lab_0"),
        ({"lab": "lab_3", "seed": 1}, "has the labs lab_0, lab_1"),
        ({"options": ("sudden_supply",)}, "offers the options"),
    ],
)
def test_what_does_not_exist_is_refused_and_the_old_episode_goes_on(
    wanted: dict[str, Any], told: str
) -> None:
    seat, _ = seated(seed=1)
    seat.step(WAIT)
    with pytest.raises(UnknownMarket, match=told):
        seat.reset(MarketReset(**wanted), seed=1, episode_id="other")
    assert (seat.state.step_count, seat.state.episode_id) == (1, "drawn")


def test_options_bring_further_shocks() -> None:
    seat, answer = seated(task="coalition_market", seed=2, options=("emergency_auction",))
    while not answer.done:
        answer = seat.step(WAIT)
    assert "emergency_auction" in [one.shock for one in answer.observation.shocks]
    assert seat.state.options == ("emergency_auction",)


def test_nobody_steps_before_a_reset() -> None:
    seat = MarketSeat()
    assert seat.state == MarketStanding()
    with pytest.raises(NotReset, match="reset starts one"):
        seat.step(WAIT)


def test_a_record_is_the_same_seat_again_and_stays_small() -> None:
    record: Record[MarketReset, Turn] = Record("asha", "mine", MarketReset(task="market_round"), 5)
    seat, answer = seat_of(record, MARKET)
    wild: list[dict[str, Any]] = [
        {"action": "send_message", "message": "Less?", "metadata": {"note": "not kept"}},
        {"action": "fly", "x" * 4000: [[["y"] * 900]]},
        {"action": "z" * 16_000},
        {"action": "send_offer", "payment": -1e308},
        {"action": "wait"},
    ]
    for data in wild:
        turn = MARKET.read(data)
        answer, record = seat.step(turn), MARKET.records.decode(to_bytes(record.after(turn)))
        again, same = seat_of(record, MARKET)
        assert (same, again.state) == (answer, seat.state)
    assert answer.done
    assert b"not kept" not in to_bytes(record)
    assert len(to_bytes(record)) < 2000


def test_the_ceiling_is_asked_for_when_the_first_reward_needs_it_and_once() -> None:
    asked: list[int] = []

    def counted(scenario: MarketScenario, lab: int) -> float:
        asked.append(lab)
        return 6000.0

    scenario = make_market("market_round", 5)
    table = Table(scenario, (0, 2), normaliser=counted)
    assert table.seen_by(0).round == 0
    for lab in (0, 2):
        assert table.state.turn == lab
        table.act(MarketAction("wait"))
    assert asked == []
    for _ in range(2):
        table.pay(2)
        table.pay(0)
    assert asked == [2, 0]
