"""``Case-v0`` keeps Gymnasium's contract and plays the games that OpenEnv serves."""

from typing import Any

import gymnasium
import msgspec
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from bazaarbatna.cases import play
from bazaarbatna.cases.case import in_library
from bazaarbatna.envs.cases.episode import CaseEpisode, case_of, rival_of
from bazaarbatna.envs.cases.gymnasium_env import CaseEnv, to_move, to_places
from negotiation.cases.game import CASE
from negotiation.games.turn_views import TurnReset, TurnSeat

NAME = "bazaarbatna.gym:Case-v0"


@pytest.mark.parametrize("case", ["shelf", "drawn", *sorted(in_library())])
@pytest.mark.parametrize("seat", ["a", "b"])
def test_every_case_passes_the_checker_without_a_warning(case: str, seat: str) -> None:
    check_env(gymnasium.make(NAME, case=case, seat=seat, render_mode="ansi").unwrapped)


def test_the_docstring_names_every_key() -> None:
    text = CaseEnv.__doc__ or ""
    for key, space in CaseEnv()._spaces.items():
        assert space.shape is not None
        assert f"| `{key}` | Box({space.shape[0]}) |" in text


def play_through(env: Any, seed: int) -> tuple[list[play.Move], list[str], list[float]]:
    """Random actions to the end: the moves that were played, the views, the rewards."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    moves: list[play.Move] = []
    views, rewards = [info["view"]], []
    done = False
    while not done:
        action = env.action_space.sample()
        action["move"] = 0 if len(moves) < 4 else action["move"]
        before = len(env.unwrapped._episode.events())
        seen, reward, done, truncated, info = env.step(action)
        assert not truncated
        assert seen in env.observation_space
        event = env.unwrapped._episode._log[before]
        told = play.move_of(event)
        assert told is not None
        moves.append(told[1])
        views.append(info["view"])
        rewards.append(reward)
    return moves, views, rewards


@pytest.mark.parametrize("seat", ["a", "b"])
@pytest.mark.parametrize("seed", range(12))
def test_the_games_are_openenvs_to_the_byte(seed: int, seat: str) -> None:
    moves, views, rewards = play_through(gymnasium.make(NAME, seat=seat), seed)
    other = TurnSeat(CASE)
    answers = [other.reset(TurnReset(seat=seat), seed=seed, episode_id="one")]
    answers += [other.step(move) for move in moves]
    assert [msgspec.json.encode(one.observation.events).decode() for one in answers] == views
    assert [one.reward for one in answers[1:]] == rewards
    assert answers[-1].done


def test_a_seed_names_a_game_and_a_reset_without_one_draws_the_next() -> None:
    env = gymnasium.make(NAME, case="drawn")
    first = env.reset(seed=3)[1]["view"]
    second = env.reset()[1]["view"]
    assert env.reset(seed=3)[1]["view"] == first != second
    assert env.reset()[1]["view"] == second


def test_nothing_of_the_other_role_is_seen_before_the_end() -> None:
    case = in_library()["scooter"]
    env = gymnasium.make(NAME, case="scooter")
    seen, info = env.reset(seed=1)
    assert case.b.sheet["en"][:30] not in info["view"]
    changed = msgspec.structs.replace(case, b=msgspec.structs.replace(case.b, outside=3))
    rival = env.unwrapped._episode.rival  # type: ignore[attr-defined]
    other = CaseEpisode(1, "a", changed, rival)
    assert not other.state.history
    again = CaseEnv._seen(env.unwrapped, other)  # type: ignore[arg-type]
    assert all((seen[key] == again[key]).all() for key in seen)


@pytest.mark.parametrize("seat", ["a", "b"])
@pytest.mark.parametrize("seed", range(4))
def test_no_view_tells_of_the_other_sheet_while_a_case_is_played(seat: str, seed: int) -> None:
    case = in_library()["scooter"]
    other = case.b if seat == "a" else case.a
    _, views, _ = play_through(gymnasium.make(NAME, case="scooter", seat=seat), seed)
    told = [text for text in other.sheet["en"].split(". ") if len(text) > 20]
    assert len(views) > 1
    assert told
    assert not [text for view in views[:-1] for text in told if text in view]


def test_places_of_a_package_are_read_back() -> None:
    for seed in range(20):
        case = case_of(seed, "drawn")
        episode = CaseEpisode(seed, "a", case, rival_of(case, "trader"))
        package = {issue.key: issue.values[seed % len(issue.values)] for issue in case.issues}
        action = {"move": 0, "package": to_places(episode, package)}
        assert to_move(episode, action).package == package


def test_what_the_rules_refuse_is_repaired_and_said() -> None:
    env = gymnasium.make(NAME, case="scooter", seat="b", rival="boulware")
    env.reset(seed=2)
    nothing = {"move": 0, "package": np.full(8, -1, np.float32)}
    _, _, done, _, info = env.step(nothing)
    assert info["repaired"]
    assert not done
    worst = {"move": 0, "package": np.array([1, 0, 0, 0, 0, 0, 0, 0], np.float32)}
    _, _, done, _, info = env.step(worst)
    assert info["repaired"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"case": "nowhere"}, "There is no case 'nowhere'. Known: shelf, drawn, caterer"),
        ({"seat": "c"}, "There is no seat 'c'"),
        ({"render_mode": "human"}, "There is no render mode"),
    ],
)
def test_what_is_asked_wrongly_is_answered_in_a_sentence(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        CaseEnv(**asked)


@pytest.mark.parametrize("action", ["hello", {}, {"move": -1}, {"move": 3}, {"move": 0.5}])
def test_what_is_no_action_is_told_and_the_game_goes_on(action: Any) -> None:
    env = CaseEnv()
    env.reset(seed=3)
    with pytest.raises(gymnasium.error.InvalidAction, match="A move is"):
        env.step(action)
    assert env.step({"move": 2})[2]


@pytest.mark.parametrize("package", ["much", [None, "x"], [[1], [2, 3]], 10**400], ids=str)
def test_what_is_no_package_is_told_and_the_game_goes_on(package: Any) -> None:
    env = CaseEnv()
    env.reset(seed=3)
    with pytest.raises(gymnasium.error.InvalidAction, match="A package is eight numbers, not"):
        env.step({"move": 0, "package": package})
    assert env.step({"move": 2})[2]


@pytest.mark.parametrize("place", [1e308, np.inf])
def test_a_place_beyond_the_last_value_is_the_last_value(place: float) -> None:
    first, second = CaseEnv(), CaseEnv()
    first.reset(seed=3)
    second.reset(seed=3)
    told = [env.step({"move": 0, "package": [one] * 8})[4] for env, one in
            ((first, place), (second, 1.0))]  # fmt: skip
    assert told[0]["view"] == told[1]["view"]


def test_an_option_that_is_unknown_is_refused() -> None:
    env = CaseEnv()
    with pytest.raises(ValueError, match="There is no player 'nobody'"):
        env.reset(seed=1, options={"rival": "nobody"})
    with pytest.raises(ValueError, match="Unknown option 'speed'"):
        env.reset(seed=1, options={"speed": 1})
