"""Judge mode in the environments: one judge, one bonus, and verdicts that tell nothing hidden."""

import json
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import gymnasium
import msgspec
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from bazaarbatna.envs.market.actions import read_turn, write_action
from bazaarbatna.envs.market.gymnasium_env import GpuMarketEnv
from bazaarbatna.envs.market.labs import LabsEnv, env, parallel_env
from bazaarbatna.envs.market.resets import MarketReset, UnknownMarket
from bazaarbatna.envs.market.seat import MarketAnswer, MarketSeat
from bazaarbatna.envs.market.table import Table
from bazaarbatna.envs.market.views import read_view
from bazaarbatna.envs.openenv.kinds import Record, seat_of, to_bytes
from bazaarbatna.envs.openenv.market import MARKET
from bazaarbatna.market import (
    WAIT,
    MarketAction,
    MarketScenario,
    Observation,
    make_market,
    play_market,
)
from bazaarbatna.market.blocks import Job
from bazaarbatna.market.judging import (
    facts_seen,
    honest_pitch,
    judged_rounds,
    pitch_every_round,
    play_judged,
)
from bazaarbatna.market.making import ARCHETYPES
from bazaarbatna.market.planner import measure
from bazaarbatna.market.policies.plain import keyword_pitcher
from bazaarbatna.market.quantities import LAB_IDS, Cents

TASKS = ("single_trade", "market_round", "coalition_market")
QUIET = pytest.mark.filterwarnings("ignore:(Observation|Action|We recommend) .*:UserWarning")
PITCH = read_turn({"action": "make_pitch", "message": "We need many GPU-hours, fairly soon."})


def seated(**wanted: Any) -> tuple[MarketSeat, MarketAnswer]:
    seat = MarketSeat()
    return seat, seat.reset(MarketReset(**wanted), seed=4711, episode_id="drawn")


def over_the_wire(answer: MarketAnswer) -> dict[str, Any]:
    return dict(json.loads(msgspec.json.encode(answer)))


@pytest.mark.parametrize("judge_pays", [False, True])
@pytest.mark.parametrize("reward", ["default", "published"])
@pytest.mark.parametrize("task", TASKS)
def test_every_lab_earns_over_json_what_the_judge_beside_the_engine_gives(
    task: str, reward: str, judge_pays: bool
) -> None:
    scenario = make_market(task, 3, reward=reward)  # type: ignore[arg-type]
    for lab in range(len(scenario.labs)):
        for player in (pitch_every_round, keyword_pitcher):
            seat, answer = seated(
                task=task,
                seed=3,
                lab=lab,
                reward=reward,
                judge_mode="rule",
                judge_pays=judge_pays,
            )
            columns = []
            while not answer.done:
                seen = read_view(over_the_wire(answer)["observation"])
                answer = seat.step(read_turn(write_action(player(seen))))
                columns.append(answer.metadata.reward_columns)
            expected = play_judged(
                scenario,
                player,
                judge_mode="rule",
                lab=lab,
                normaliser=measure,
                judge_pays=judge_pays,
            )
            assert tuple(columns) == expected.scored.rewards
            assert seat.state.score == expected.scored.total
            assert any(one.judge_argument for one in expected.scored.rewards)


@pytest.mark.parametrize("task", TASKS)
def test_without_a_say_in_the_reward_an_episode_pays_to_the_bit_what_it_pays_unjudged(
    task: str,
) -> None:
    """The sum over the default mix stays the change of true utility; the column only reports."""
    returns = {}
    for mode in ("off", "rule"):
        seat, answer = seated(task=task, seed=5, judge_mode=mode)
        rewards, argued = [], 0.0
        while not answer.done:
            seen = read_view(over_the_wire(answer)["observation"])
            answer = seat.step(read_turn(write_action(pitch_every_round(seen))))
            rewards.append(answer.reward)
            assert answer.metadata.reward_columns is not None
            argued += abs(answer.metadata.reward_columns.judge_argument)
        returns[mode] = rewards
        assert bool(argued) == (mode == "rule")
    assert returns["off"] == returns["rule"]


def test_a_pitch_is_answered_by_a_hearing_and_silence_by_none() -> None:
    seat, answer = seated(task="market_round", seed=1, judge_mode="rule")
    assert answer.observation.hearing is None
    assert answer.metadata.judge_mode == "rule"
    seen = read_view(over_the_wire(answer)["observation"])
    words = honest_pitch(facts_seen(seen))
    told = over_the_wire(seat.step(read_turn({"action": "make_pitch", "message": words})))
    hearing = told["observation"]["hearing"]
    assert [one["lab"] for one in hearing["labs"]] == ["lab_0", "lab_1", "lab_2"]
    assert hearing["labs"][0]["text"] == words
    assert all(one["text"] for one in hearing["labs"][1:])
    assert all(0 <= one["score"] <= 1 for one in hearing["labs"])
    assert (hearing["winner"], hearing["judge"], hearing["round"]) == ("lab_0", "rule", 0)
    assert hearing["bonus"] == told["metadata"]["reward_columns"]["judge_argument"] > 0
    assert seat.step(read_turn({"action": "wait"})).observation.hearing is None
    assert seat.state.judge_mode == "rule"


def test_judge_mode_is_off_unless_asked_for() -> None:
    seat, _ = seated(task="market_round", seed=1)
    answer = seat.step(PITCH)
    assert answer.observation.hearing is None
    assert "judge_mode" not in over_the_wire(answer)["metadata"]
    assert seat.state.judge_mode == "off"
    for wrong in ({"judge_mode": "harsh"}, {"judge_mode": "rule", "judge_pays": 1}):
        with pytest.raises(UnknownMarket):
            GpuMarketEnv(**wrong)  # type: ignore[arg-type]
        with pytest.raises(UnknownMarket):
            LabsEnv(**wrong)  # type: ignore[arg-type]
        with pytest.raises(UnknownMarket):
            GpuMarketEnv().reset(seed=1, options=wrong)
        with pytest.raises(msgspec.ValidationError):
            MARKET.resets.decode(json.dumps(wrong))


def test_gymnasium_reports_the_same_hearing_and_columns() -> None:
    learner = gymnasium.make(
        "bazaarbatna.gym:GpuMarket-v0",
        task="market_round",
        judge_mode="rule",
    )
    _, info = learner.reset(seed=1)
    assert info["hearing"] is None
    expected = play_judged(
        make_market("market_round", 1), pitch_every_round, judge_mode="rule", normaliser=measure
    )
    for step, judged in zip(expected.scored.rewards, expected.rounds, strict=True):
        action = pitch_every_round(read_view(json.loads(info["view"])))
        _, reward, _, _, info = learner.step(write_action(action))
        assert info["columns"] == msgspec.structs.asdict(step)
        assert reward == step.normalized_reward
        assert info["hearing"]["reason"] == judged.hearing.reason
        assert info["hearing"]["bonus"] == step.judge_argument


def test_a_reset_may_open_the_court_for_one_episode() -> None:
    learner = GpuMarketEnv("market_round", words=False)
    learner.reset(seed=1, options={"judge_mode": "rule", "judge_pays": True})
    *_, info = learner.step({"action": "make_pitch", "message": "We need 3 GPU-hours."})
    assert info["columns"]["judge_argument"] != 0
    assert info["columns"]["normalized_reward"] == info["columns"]["judge_argument"]
    learner.reset(seed=1)
    *_, info = learner.step({"action": "make_pitch", "message": "We need 3 GPU-hours."})
    assert (info["columns"]["judge_argument"], info["hearing"]) == (0, None)


@QUIET
@pytest.mark.parametrize("task", TASKS)
def test_the_forms_for_several_labs_keep_pettingzoos_contract(task: str) -> None:
    api_test(env(task, judge_mode="rule", judge_pays=True), num_cycles=30)
    parallel_api_test(parallel_env(task, judge_mode="rule"), num_cycles=30)


@QUIET
def test_the_same_seed_is_the_same_judge() -> None:
    seed_test(lambda: env("market_round", judge_mode="rule"), num_cycles=20)


def told_in_turn(table: LabsEnv, seed: int, players: dict[str, Any]) -> dict[str, list[float]]:
    table.reset(seed=seed)
    argued: dict[str, list[float]] = {agent: [] for agent in table.agents}
    for agent in table.agent_iter():
        *_, ended, cut, info = table.last()
        argued[agent].append(info["columns"]["judge_argument"])
        assert table._table is not None
        seen = table._table.seen_by(int(agent[-1]))
        table.step(None if ended or cut else players[agent](seen))
    return argued


def test_several_labs_are_paid_what_the_log_says_for_their_own_words() -> None:
    """The third says nothing; the second is a policy that pitches and is nobody's agent."""
    players = {"lab_0": pitch_every_round, "lab_2": lambda seen: WAIT}
    table = env(
        "market_round",
        labs=("lab_0", "lab_2"),
        players={"lab_1": keyword_pitcher},
        judge_mode="rule",
    )
    argued = told_in_turn(table, 5, players)
    _, events = play_market(
        make_market("market_round", 5),
        {0: pitch_every_round, 1: keyword_pitcher, 2: lambda seen: WAIT},
    )
    rounds = judged_rounds(make_market("market_round", 5), events)
    assert [one for one in argued["lab_0"] if one] == [one.bonuses[0] for one in rounds]
    assert not any(argued["lab_2"])
    assert [heard.own for heard in rounds[0].hearing.labs] == [True, True, False]
    assert sum(argued["lab_0"]) == pytest.approx(rounds[-1].bonuses_so_far[0])


def test_at_once_and_in_turn_one_lab_is_judged_alike() -> None:
    argued = told_in_turn(
        env("market_round", labs=("lab_1",), judge_mode="rule"), 6, {"lab_1": pitch_every_round}
    )
    table = parallel_env("market_round", labs=("lab_1",), judge_mode="rule")
    _, infos = table.reset(seed=6)
    once = [infos["lab_1"]["columns"]["judge_argument"]]
    while table.agents:
        seen = read_view(json.loads(infos["lab_1"]["view"]))
        *_, infos = table.step({"lab_1": pitch_every_round(seen)})
        once.append(infos["lab_1"]["columns"]["judge_argument"])
    assert once == argued["lab_1"]
    assert any(once)


def test_a_kept_session_is_judged_the_same_when_it_is_played_again() -> None:
    wanted = MarketReset(task="market_round", seed=1, judge_mode="rule")
    record = Record("asha", "run", wanted, 0, (PITCH, PITCH))
    kept = MARKET.records.decode(to_bytes(record))
    seat, answer = seat_of(kept, MARKET)
    other, _ = seated(task="market_round", seed=1, judge_mode="rule")
    other.step(PITCH)
    assert answer.observation == other.step(PITCH).observation
    assert answer.observation.hearing is not None
    assert seat.state.total_reward == other.state.total_reward


# What a verdict may tell. A scripted lab's own words are public; nothing else of it is.


def marked(scenario: MarketScenario) -> MarketScenario:
    """The same world with private numbers that nobody would say, in credits either."""

    def other(job: Job, lab: int, number: int) -> Job:
        place = 10 * lab + number
        return msgspec.structs.replace(
            job,
            base_value=Cents(7_654_311 + place),
            urgency=round(1.0 + (54_321 + place) / 1e6, 6),
            min_reliability=round(0.7 + (4_321 + place) / 1e6, 6),
        )

    sealed = scenario.sealed
    jobs = tuple(
        tuple(other(job, lab, number) for number, job in enumerate(row))
        for lab, row in enumerate(sealed.jobs)
    )
    budgets = tuple(Cents(876_541 + lab) for lab in range(len(sealed.budgets)))
    changed = msgspec.structs.replace(sealed, jobs=jobs, budgets=budgets)
    return msgspec.structs.replace(scenario, sealed=changed)


def hearings(scenario: MarketScenario, lab: int, seed: int) -> Iterator[str]:
    """What a lab that says anything is told after each of its turns, as JSON."""
    dice, table = Random(seed), Table(scenario, (lab,), judge_mode="rule")
    while not table.is_done:
        seen = table.seen_by(lab)
        table.act(dice.choice((pitch_every_round, keyword_pitcher, a_lie))(seen))
        table.pay(lab)
        yield json.dumps(msgspec.to_builtins(table.heard_by(lab)))


def a_lie(seen: Observation) -> MarketAction:
    return MarketAction("make_pitch", message="We need 31 GPU-hours, due in round 97. Urgent!")


@pytest.mark.parametrize("number", range(9))
def test_no_hidden_value_of_another_lab_is_in_a_verdict(number: int) -> None:
    scenario = marked(make_market(TASKS[number % 3], number))
    sealed, found = scenario.sealed, ""
    for lab in range(len(scenario.labs)):
        text = "".join(hearings(scenario, lab, number))
        found += text
        for other in set(range(len(scenario.labs))) - {lab}:
            hidden = {str(sealed.budgets[other] / 100), f"job_{other}_"}
            for job in sealed.jobs[other]:
                hidden |= {str(job.base_value / 100), str(job.urgency), str(job.min_reliability)}
            assert not [value for value in hidden if value in text]
        assert not [name for name in (*ARCHETYPES, str(sealed.seed)) if f'"{name}"' in text]
        assert "finding" in text
    assert "score" in found


@pytest.mark.parametrize("number", range(9))
def test_what_no_lab_said_changes_no_verdict(number: int) -> None:
    """Budgets, values and jobs that were not spoken of may be anything."""
    scenario = make_market(TASKS[number % 3], number)
    sealed = scenario.sealed
    dearer = tuple(
        tuple(msgspec.structs.replace(job, base_value=Cents(job.base_value + 1)) for job in row)
        for row in sealed.jobs
    )
    budgets = tuple(Cents(one + 1) for one in sealed.budgets)
    other = msgspec.structs.replace(
        scenario, sealed=msgspec.structs.replace(sealed, jobs=dearer, budgets=budgets)
    )
    first = next(hearings(scenario, 0, number))
    assert first == next(hearings(other, 0, number))


def test_findings_and_parts_reach_the_lab_that_spoke_alone() -> None:
    table = Table(make_market("market_round", 1), (0, 1, 2), judge_mode="rule")
    for lab in (0, 1, 2):
        table.act(pitch_every_round(table.seen_by(lab)))
    for lab in (0, 1, 2):
        hearing = table.heard_by(lab)
        assert hearing is not None
        for one in hearing.labs:
            assert bool(one.claims) == (one.card is not None) == (one.lab == LAB_IDS[lab])


def test_words_that_answer_one_lab_are_read_by_no_third() -> None:
    table = Table(make_market("market_round", 1), (0, 1, 2), judge_mode="rule")
    secret = "Between us: we need 3 GPU-hours."
    table.act(MarketAction("counter_pitch", target_lab_id="lab_1", message=secret))
    table.act(WAIT)
    table.act(WAIT)
    texts = [json.dumps(msgspec.to_builtins(table.heard_by(lab))) for lab in (0, 1, 2)]
    assert [secret in text for text in texts] == [True, True, False]
    scores = [[one["score"] for one in json.loads(text)["labs"]] for text in texts]
    assert all(one == other for one, other in pairwise(scores))
