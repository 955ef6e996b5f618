"""``GpuMarket-v0`` keeps Gymnasium's contract and plays the engine's own episodes."""

import json
import subprocess
import sys
from typing import Any

import gymnasium
import msgspec
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env

from bazaarbatna.envs.market.action_codec import USES, choose
from bazaarbatna.envs.market.actions import write_action
from bazaarbatna.envs.market.gymnasium_env import GpuMarketEnv
from bazaarbatna.envs.market.info import action_mask, possible_actions
from bazaarbatna.envs.market.resets import UnknownMarket
from bazaarbatna.envs.market.spaces import (
    COALITION_PLACES,
    MOST_BLOCKS,
    PHRASES,
    TARGETS,
    coalitions_shown,
    offers_shown,
    to_numbers,
)
from bazaarbatna.envs.market.views import read_view
from bazaarbatna.market import (
    ACTION_NAMES,
    COLUMNS,
    MarketAction,
    Observation,
    make_market,
    observe,
    play_market,
    start,
)
from bazaarbatna.market.blocks import CONDITIONS
from bazaarbatna.market.planner import ceiling, play_scored
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.quantities import BLOCK_IDS, LAB_IDS
from tests.gpu_market.test_leaks import positions, with_other_secrets

TASKS = ("single_trade", "market_round", "coalition_market")
WAIT = '{"action": "wait"}'


def to_numbers_of(action: MarketAction, seen: Observation) -> dict[str, Any]:
    """Write an action as one of the space, by its place in every list.

    Words that are no phrase become none, and offers and coalitions without a row cannot be named.
    """
    offers = [offer.id for offer in offers_shown(seen)]
    coalitions = [coalition.id for coalition in coalitions_shown(seen)]
    jobs = [job.id for job in seen.jobs]

    def row(name: str, rows: list[str], otherwise: int) -> np.int64:
        return np.int64(rows.index(name) if name in rows else otherwise)

    def flags(names: tuple[str, ...], of: tuple[str, ...]) -> npt.NDArray[np.int8]:
        return np.array([name in names for name in of], np.int8)

    return {
        "action": np.int64(ACTION_NAMES.index(action.action)),
        "target": row(action.target_lab_id, [*TARGETS], len(TARGETS) - 1),
        "offer": row(action.offer_id, offers, 0),
        "coalition": row(action.coalition_id, coalitions, COALITION_PLACES),
        "job": row(action.job_id, jobs, 0),
        "blocks": flags(action.block_ids, BLOCK_IDS[:MOST_BLOCKS]),
        "requested": flags(action.requested_block_ids, BLOCK_IDS[:MOST_BLOCKS]),
        "payment": np.array([min(action.payment / max(seen.budget, 1), 1.0)]),
        "phrase": row(action.message, [*PHRASES], 0),
        "conditions": flags(action.conditions, CONDITIONS),
    }


def played(env: GpuMarketEnv, seed: int, *, name: str = "rule_expert") -> Any:
    """Play an episode by a policy; give its return and every byte that was told."""
    policy = make_policy(name, seed)
    numbers, info = env.reset(seed=seed)
    told, total, done = [_bytes(numbers, info)], 0.0, False
    while not done:
        action = policy(read_view(json.loads(info["view"])))
        text = msgspec.json.encode(write_action(action)).decode()
        numbers, reward, done, cut, info = env.step(text)
        assert env.observation_space.contains(numbers)
        assert not cut
        told.append(_bytes(numbers, info))
        total += reward
    return total, b"".join(told), info


def _bytes(numbers: dict[str, Any], info: dict[str, Any]) -> bytes:
    return b"".join(np.asarray(part).tobytes() for part in numbers.values()) + repr(info).encode()


@pytest.mark.parametrize("reward", ["default", "published"])
@pytest.mark.parametrize("task", TASKS)
def test_it_passes_gymnasiums_own_check(task: str, reward: str) -> None:
    made = gymnasium.make(
        "bazaarbatna.gym:GpuMarket-v0",
        task=task,
        reward=reward,
        render_mode="ansi",
    )
    check_env(made.unwrapped)
    made.close()


@pytest.mark.parametrize("reward", ["default", "published"])
@pytest.mark.parametrize("task", TASKS)
def test_its_episodes_and_returns_are_those_of_the_engine(task: str, reward: Any) -> None:
    for lab in (0, 1):
        env = GpuMarketEnv(task, lab=lab, reward=reward)
        total, _, info = played(env, 11)
        scored = play_scored(
            make_market(task, 11, reward=reward), make_policy("rule_expert", 11), lab=lab
        )
        assert total == scored.total
        assert info["utility"] == scored.state.tallies[lab].utility / 100
        assert tuple(info["columns"]) == COLUMNS


@pytest.mark.parametrize("task", TASKS)
def test_the_same_seed_is_the_same_bytes(task: str) -> None:
    first = played(GpuMarketEnv(task), 5, name="random_valid")
    assert played(GpuMarketEnv(task), 5, name="random_valid")[:2] == first[:2]
    assert played(GpuMarketEnv(task), 6, name="random_valid")[1] != first[1]


def test_later_resets_draw_worlds_by_the_first_seed() -> None:
    env, again = GpuMarketEnv(), GpuMarketEnv()
    drawn = [env.reset(seed=3), env.reset(), env.reset()]
    same = [again.reset(seed=3), again.reset(), again.reset()]
    assert [_bytes(*one) for one in drawn] == [_bytes(*one) for one in same]
    assert len({_bytes(*one) for one in drawn}) == 3
    chosen = env.reset(options={"world": 9})
    assert _bytes(*chosen) == _bytes(*again.reset(seed=9))


def test_others_may_be_played_by_policies_that_are_named_or_given() -> None:
    players = {"lab_1": "rule_expert", 2: make_policy("greedy_hoarder", 0)}
    env = GpuMarketEnv("market_round", players=players)
    total, told, _ = played(env, 8)
    policies = {0: make_policy("rule_expert", 8), 1: make_policy("rule_expert", 8)}
    state, _ = play_market(
        make_market("market_round", 8), {**policies, 2: make_policy("greedy_hoarder", 0)}
    )
    best = ceiling(state.scenario, 0)
    assert state.tallies[0].refused == 0
    assert total == pytest.approx(state.tallies[0].utility / best, abs=1e-9)
    assert played(GpuMarketEnv("market_round"), 8)[1] != told


def test_json_and_numbers_say_the_same() -> None:
    """Every action of three policies, written as numbers and read again."""
    compared = 0
    for name in ("rule_expert", "random_valid", "always_accept"):
        for seed in range(6):
            policy = make_policy(name, seed)
            state, _ = start(make_market("coalition_market", seed))
            env = GpuMarketEnv("coalition_market")
            _, info = env.reset(seed=seed)
            done = False
            while not done:
                seen = read_view(json.loads(info["view"]))
                action = policy(seen)
                numbers = to_numbers_of(action, seen)
                assert env.action_space.contains(numbers), numbers
                again = choose(numbers, seen)
                assert isinstance(again, MarketAction)
                for field in USES[action.action]:
                    if field == "block_ids" or field == "requested_block_ids":
                        assert set(getattr(again, field)) == set(getattr(action, field))
                    elif field != "message":
                        assert getattr(again, field) == getattr(action, field), field
                compared += 1
                _, _, done, _, info = env.step(action)
        assert state.ended is None
    assert compared > 120


def test_masks_allow_what_the_policies_do_and_nothing_that_the_rules_never_allow() -> None:
    for number in range(30):
        for state in positions(number, lambda scenario: scenario):
            if state.ended is not None:
                continue
            seen = observe(state, state.turn)
            possible = possible_actions(seen)
            for name in ("rule_expert", "random_valid", "always_accept", "greedy_hoarder"):
                assert make_policy(name, number)(seen).action in possible
            if not seen.offers_to_me and not any(
                seen.lab in one.invited for one in seen.coalitions
            ):
                assert not {"accept_offer", "reject_offer", "counter_offer"} & {*possible}
            if not seen.coalitions_enabled:
                assert not {"form_coalition", "commit_to_coalition"} & {*possible}


def test_masked_samples_are_mostly_valid_and_reach_all_fourteen_actions() -> None:
    env, done_well, tried = GpuMarketEnv("coalition_market", words=False), 0, set()
    env.action_space.seed(1)
    total = 0
    for seed in range(60):
        _, info = env.reset(seed=seed)
        done = False
        while not done:
            action = env.action_space.sample(info["action_mask"])
            assert env.action_space.contains(action)
            tried.add(ACTION_NAMES[action["action"]])
            _, _, done, _, info = env.step(action)
            done_well += info["last_action_result"]["ok"]
            total += 1
    assert tried == set(ACTION_NAMES)
    assert done_well / total > 0.4


NO_ACTIONS: list[Any] = [None, 3, [], {}, {"action": 14}, {"action": 0.5}, {"action": [1, 2]}]


@pytest.mark.parametrize("action", NO_ACTIONS, ids=str)
def test_what_is_no_action_of_the_space_is_refused_and_changes_nothing(action: Any) -> None:
    env = GpuMarketEnv("market_round")
    numbers, _ = env.reset(seed=1)
    sample = env.action_space.sample()
    whole = {**sample, **action} if isinstance(action, dict) and action else action
    with pytest.raises(gymnasium.error.InvalidAction):
        env.step(whole)
    for key, value in (("blocks", [1]), ("payment", [np.nan]), ("conditions", [2, 0, 0, 0])):
        with pytest.raises(gymnasium.error.InvalidAction):
            env.step({**sample, "action": 0, key: value})
    after, *_ = env.step(WAIT)
    assert after["clock"][1] == 1.0
    assert numbers["clock"][1] == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        "null",
        '{"action": 7}',
        '{"action": "fly"}',
        '{"payment": NaN}',
        "\ud800",
    ],
)
def test_text_that_is_no_action_uses_the_turn_up_as_the_rules_say(text: str) -> None:
    env = GpuMarketEnv("market_round")
    env.reset(seed=1)
    numbers, reward, done, _, info = env.step(text)
    assert info["last_action_result"]["code"] == "malformed_action"
    assert (reward, done, numbers["clock"][1]) == (-0.15, False, 1.0)


def test_it_is_played_only_between_a_reset_and_the_end() -> None:
    env = GpuMarketEnv()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(WAIT)
    played(env, 1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(WAIT)


@pytest.mark.parametrize(
    "arguments",
    [
        {"task": "nothing"},
        {"task": 3},
        {"lab": "lab_7"},
        {"lab": None},
        {"lab": 0.5},
        {"reward": "generous"},
        {"shocks": ("flood",)},
        {"players": {"lab_1": "nobody"}},
        {"players": {"lab_9": "rule_expert"}},
    ],
    ids=str,
)
def test_arguments_that_do_not_exist_are_refused_with_what_does(arguments: dict[str, Any]) -> None:
    with pytest.raises(UnknownMarket):
        GpuMarketEnv(**arguments)
    with pytest.raises(ValueError, match="ansi"):
        GpuMarketEnv(render_mode="human")


@pytest.mark.parametrize(
    "options", [{"wrld": 1}, {"world": -1}, {"world": True}, {"task": "x"}, {"task": 3}]
)
def test_options_that_do_not_exist_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UnknownMarket):
        GpuMarketEnv().reset(options=options)


def test_options_hold_for_one_reset() -> None:
    env = GpuMarketEnv()
    seen, _ = env.reset(seed=1, options={"task": "coalition_market"})
    assert seen["clock"][2] == 9.0
    seen, _ = env.reset(seed=1)
    assert seen["clock"][2] == 3.0


def test_the_drawing_is_the_labs_own_view() -> None:
    env = GpuMarketEnv("market_round", lab=1, render_mode="ansi")
    env.reset(seed=3)
    env.step('{"action": "accept_offer", "offer_id": "offer_1_0_99"}')
    drawn = str(env.render())
    assert drawn.splitlines()[0].startswith("market_round | lab_1 | round 2 of 5")
    assert "job_1_0" in drawn
    assert "job_0_0" not in drawn
    assert "refused: unknown_offer" in drawn
    assert GpuMarketEnv().render() is None


def test_no_number_depends_on_what_others_keep_secret() -> None:
    compared = 0
    for number in range(15):
        for state in positions(number, lambda scenario: scenario):
            for lab in range(len(state.budgets)):
                other = observe(with_other_secrets(state, lab), lab)
                for tell in (to_numbers, action_mask):
                    mine, same = tell(observe(state, lab)), tell(other)
                    assert all(np.array_equal(mine[key], same[key]) for key in mine)
                compared += 1
    assert compared > 100


def test_the_docstring_has_the_fields_headings_and_the_shapes_of_its_spaces() -> None:
    text = GpuMarketEnv.__doc__ or ""
    heads = [line.strip()[3:] for line in text.splitlines() if line.strip().startswith("## ")]
    first = ["Description", "Action Space", "Observation Space", "Rewards", "Starting State"]
    assert heads == [*first, "Episode End", "Arguments", "Version History"]
    env = GpuMarketEnv()
    for space in (env.action_space, env.observation_space):
        assert isinstance(space, gymnasium.spaces.Dict)
        for key, part in space.items():
            size = str(part.n) if isinstance(part, gymnasium.spaces.Discrete) else None
            size = size or ", ".join(map(str, part.shape or ()))
            assert f"| `{key}` | {type(part).__name__}({size}) |" in text, key


def test_the_environments_need_no_django() -> None:
    code = (
        "import sys; sys.modules['django'] = None\n"
        "from bazaarbatna.envs.market.gymnasium_env import GpuMarketEnv\n"
        "from bazaarbatna.envs.market import labs, seat\n"
        "GpuMarketEnv().reset(seed=1)\n"
        "assert not any(name.startswith('django.') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_every_lab_can_be_the_learner() -> None:
    for lab in LAB_IDS:
        env = GpuMarketEnv("coalition_market", lab=lab)
        for seed in range(3):
            _, info = env.reset(seed=seed)
            assert json.loads(info["view"])["lab"] == lab
