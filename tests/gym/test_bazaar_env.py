"""``Bazaar-v0`` keeps Gymnasium's contract and plays the engine's games."""

import json
import re
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from agents.buyers.classic import Smart
from bazaarbatna.bargain import UnknownSuite, make_scenario, play_suite_game, suite_ids, to_text
from bazaarbatna.bargain.errors import UnknownSeller
from bazaarbatna.envs.bargain.gymnasium_env import BazaarEnv
from bazaarbatna.envs.bargain.gymnasium_spaces import to_action
from bazaarbatna.players.simple import TitForTat

STAY = {"move": 0, "price": np.array([0.01])}


@pytest.mark.parametrize("grid", [None, 8])
@pytest.mark.parametrize("suite_id", suite_ids())
def test_every_suite_passes_the_checker_without_a_warning(suite_id: str, grid: int | None) -> None:
    env = gymnasium.make("bazaarbatna.gym:Bazaar-v0", suite=suite_id, grid=grid, render_mode="ansi")
    check_env(env.unwrapped)


def test_make_finds_the_environment_by_its_module() -> None:
    env = gymnasium.make("bazaarbatna.gym:Bazaar-v0", suite="career_10")
    seen, info = env.reset(seed=1)
    assert seen in env.observation_space
    assert json.loads(info["view"])["games"] == 10


def test_the_docstring_names_every_key_of_the_spaces() -> None:
    env, text = BazaarEnv(), BazaarEnv.__doc__ or ""
    for key, space in env.observation_space.spaces.items():
        size = space.n if isinstance(space, gymnasium.spaces.Discrete) else space.shape[0]
        assert f"| `{key}` | {type(space).__name__}({size}) |" in text


@pytest.mark.parametrize("module", ["bazaarbatna.envs.bargain.vector_env", "agents.sweeps"])
def test_the_environment_needs_no_django(module: str) -> None:
    code = (
        "import sys; sys.modules['django'] = None\n"
        f"import {module}, gymnasium\n"
        "gymnasium.make('bazaarbatna.gym:Bazaar-v0').reset(seed=1)\n"
        "assert not any(name.startswith('django.') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("suite_id", ["career_10@sampled-1", "asymmetric_pressure@fixed-1"])
@pytest.mark.parametrize("buyer", [Smart, TitForTat])
def test_a_buyer_plays_here_what_it_plays_in_the_engine(suite_id: str, buyer: Any) -> None:
    env = BazaarEnv(suite_id)
    env.reset(seed=5)
    player, over = buyer(5), False
    while not over:
        assert env._seen is not None
        move = player.act(env._seen)
        *_, over, _, _ = env.step(to_action(move, env._seen.budget))
    assert env._game is not None
    assert [*map(to_text, env._game.logs)] == [*map(to_text, play_suite_game(suite_id, 5, buyer))]


def test_the_grid_bids_the_shares_of_the_budget_that_it_names() -> None:
    env = BazaarEnv("single_deal", variant="fixed", grid=20)
    env.reset(seed=0)
    seen, _, _, _, info = env.step(8)
    assert json.loads(info["view"])["own_last_bid"] == 45.0
    assert seen["prices"][2] == np.float32(0.45)


def test_a_game_may_be_chosen_by_its_number_and_is_drawn_without_one() -> None:
    env = BazaarEnv()
    chosen, _ = env.reset(options={"game": 3})
    assert chosen["prices"].tolist() == env.reset(seed=3)[0]["prices"].tolist()
    drawn = [env.reset()[0]["budget"].item() for _ in range(4)]
    env.reset(seed=3)
    assert drawn == [env.reset()[0]["budget"].item() for _ in range(4)]
    assert len({*drawn}) > 1


def test_options_of_a_reset_hold_for_that_reset_alone() -> None:
    env = BazaarEnv("single_deal")
    _, info = env.reset(seed=1, options={"suite": "impatient_seller", "seller": "collaborative"})
    assert json.loads(info["view"])["persona"] == "collaborative"
    _, info = env.reset(seed=1)
    assert json.loads(info["view"])["task"] == "single_deal"


def test_what_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(UnknownSuite, match="carer_10"):
        BazaarEnv("carer_10")
    with pytest.raises(UnknownSeller, match="shy"):
        BazaarEnv(seller="shy")
    with pytest.raises(ValueError, match="colour"):
        BazaarEnv().reset(options={"colour": "career_10"})
    with pytest.raises(ValueError, match="whole number"):
        BazaarEnv().reset(options={"game": -1})
    with pytest.raises(ValueError, match="at least one bid"):
        BazaarEnv(grid=0)
    with pytest.raises(UnknownSuite, match="no task ''"):
        BazaarEnv("")


@pytest.mark.parametrize("name", ["suite", "variant", "seller", "grid"])
@pytest.mark.parametrize("said", [4.5, b"people", ["people"], {}])
def test_what_is_no_name_or_number_is_refused_in_a_sentence(name: str, said: Any) -> None:
    with pytest.raises(ValueError, match=f"'{name}' is a (name, not|whole number from 0 up)"):
        BazaarEnv(**{name: said})
    if name != "grid":
        env = BazaarEnv()
        with pytest.raises(ValueError, match=f"'{name}' is a name, not "):
            env.reset(options={name: said})


def test_mallory_learns_what_is_wrong_with_her_actions() -> None:
    env = BazaarEnv()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(STAY)
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="not 7"):
        env.step({"move": 7, "price": [0.5]})
    for price in (np.nan, np.inf, 1.5, -1.0, 1e308, -1e308):
        env.reset(seed=1)
        *_, info = env.step({"move": 0, "price": [price]})
        assert info["reward_terms"]["bad_bid"] == -0.2


NO_MOVES = [None, 3, [0, 0.5], {}, {"move": 0}, {"move": 0.5, "price": [0.5]}]
NO_MOVES += [{"move": np.array([0, 1]), "price": [0.5]}, {"move": 0, "price": []}]
NO_MOVES += [{"move": "offer", "price": [0.5]}, {"move": np.nan, "price": [0.5]}]
NO_MOVES += [{"move": 0, "price": ["much"]}, {"move": 0, "price": [0.5, 0.6]}]
NO_MOVES += [{"move": 0, "price": 10**400}]


@pytest.mark.parametrize("action", NO_MOVES, ids=str)
def test_what_is_no_action_is_refused_and_changes_nothing(action: Any) -> None:
    env, again = BazaarEnv(), BazaarEnv()
    env.reset(seed=1)
    again.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction):
        env.step(action)
    assert env.step(STAY)[1] == again.step(STAY)[1]


@pytest.mark.parametrize("number", [2.5, np.nan, None, "a", np.array([1, 2]), 7, -1])
def test_what_is_no_number_of_the_grid_is_refused(number: Any) -> None:
    env = BazaarEnv(grid=5)
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction):
        env.step(number)
    env.step(np.array([6.0]))


def test_running_out_of_rounds_terminates_and_never_truncates() -> None:
    env = BazaarEnv("collaborative_seller", variant="fixed")
    env.reset(seed=3)
    for round_ in range(1, 9):
        _, reward, terminated, truncated, info = env.step({"move": 0, "price": [0.28]})
        assert (terminated, truncated) == (round_ == 8, False)
    assert info["outcome"] == "expired"
    assert reward == pytest.approx(-0.15 - 0.1, abs=0.01)
    assert info["score"] == 0.0
    assert not info["solved"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(STAY)


@pytest.mark.parametrize("seed", range(8))
def test_chetan_finds_no_sealed_value_before_the_end(seed: int) -> None:
    env = BazaarEnv("deceptive_seller", render_mode="ansi")
    sealed = make_scenario("deceptive_seller@sampled-1", seed).sealed
    secrets = {sealed.reservation / 100, sealed.cost / 100, sealed.seed}
    seen, info = env.reset(seed=seed)
    over = False
    while not over:
        assert env._seen is not None
        # At its limit a seller asks for its reservation price: then that is the ask, no secret.
        known = env._seen.standing_ask / 100
        told = re.findall(r"\d+\.?\d*", f"{info} {seen} {env.render()} {env!r}")
        assert secrets & {*map(float, told)} <= {known}
        assert "result" not in info
        seen, _, over, _, info = env.step(STAY)
    assert json.loads(info["result"])["opened"]["seed"] == sealed.seed


def test_the_table_can_be_drawn_as_text() -> None:
    env = BazaarEnv("single_deal", variant="fixed", render_mode="ansi")
    env.reset(seed=7)
    env.step({"move": 0, "price": [0.36]})
    drawn = env.render()
    assert drawn is not None
    assert drawn.splitlines()[0].endswith("single_deal@fixed-1 | bargain 1 of 1")
    assert "1  you bid ₹36" in drawn
    assert "your budget is ₹100" in drawn
    assert BazaarEnv().render() is None


def test_words_can_be_left_out_for_speed() -> None:
    env = BazaarEnv(words=False)
    _, info = env.reset(seed=1)
    assert sorted(info) == ["action_mask", "bargain", "commitment"]


def test_many_can_play_side_by_side() -> None:
    envs = gymnasium.make_vec(
        "bazaarbatna.gym:Bazaar-v0", 3, vectorization_mode="sync", suite="read_the_tells"
    )
    envs.reset(seed=1)
    envs.action_space.seed(1)
    ends = 0
    for _ in range(60):
        *_, terminated, _, _ = envs.step(envs.action_space.sample())
        ends += int(terminated.sum())
    assert ends > 0
