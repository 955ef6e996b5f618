"""The arena for several learners keeps PettingZoo's contract and plays the arena's matches."""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from bazaarbatna.auction.events import Bid, Hold
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.observe import play_match
from bazaarbatna.auction.scenario import Seat
from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.goods import SAMPLE_LISTINGS
from bazaarbatna.envs.auction.parallel import ArenaParallelEnv, env, parallel_env

HOLD = {"move": 2, "price": [0.0], "signal": 0}
LEAVE = {"move": 3, "price": [0.0], "signal": 0}


def bid(share: float, signal: int = 0) -> dict[str, Any]:
    return {"move": 0, "price": [share], "signal": signal}


@pytest.mark.parametrize("grid", [None, 9])
@pytest.mark.parametrize("buyers", [2, 3, 4])
def test_it_passes_the_parallel_api_test(buyers: int, grid: int | None) -> None:
    parallel_api_test(parallel_env(buyers=buyers, grid=grid), num_cycles=60)


def test_the_same_seed_is_the_same_match() -> None:
    parallel_seed_test(parallel_env)
    seed_test(env, num_cycles=60)


@pytest.mark.filterwarnings("ignore:(Observation|Action|We recommend) .*:UserWarning")
def test_agents_may_also_act_one_after_the_other() -> None:
    api_test(env(buyers=3), num_cycles=40)


def test_the_arena_needs_no_django() -> None:
    code = (
        "import sys; sys.modules['django'] = None\n"
        "from bazaarbatna.envs.auction.parallel import parallel_env; parallel_env().reset(seed=1)\n"
        "assert not any(name.startswith('django.') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_docstring_has_the_keys_of_its_own() -> None:
    text = ArenaParallelEnv.__doc__ or ""
    space = parallel_env().observation_space("buyer_1")
    assert isinstance(space, gymnasium.spaces.Dict)
    for key in ("prices", "budget", "clock", "rivals"):
        assert f"| `{key}` | Box({space[key].shape[0]}) |" in text


def test_its_matches_are_those_of_the_engine() -> None:
    shares = (0.4, 0.7, 0.5, 0.6)
    table = parallel_env(persona="deceptive")
    table.reset(seed=11)
    while table.agents:
        _, rewards, _, _, infos = table.step(
            {name: bid(shares[seat], seat) for seat, name in enumerate(table.agents)}
        )
    seats = tuple(Seat(f"buyer-{seat + 1}", "learner", "learner") for seat in range(4))
    scenario = make_match(SAMPLE_LISTINGS[11 % 8], seats, "deceptive", 11)
    signals = (None, "cooperate", "compete", "bluff")

    def player(seat: int) -> Any:
        def play(seen: Any) -> Any:
            price = int(shares[seat] * seen.budget + 0.5)
            same = seen.own_bid == price
            return Hold("", signals[seat]) if same else Bid(price, "", signals[seat])

        return play

    ended = play_match(scenario, player)[-1]
    assert [*rewards.values()] == [*ended.shares]  # type: ignore[union-attr]
    assert infos["buyer_1"]["outcome"] == ended.outcome  # type: ignore[union-attr]


def test_the_winner_is_paid_its_share_and_nobody_else_anything() -> None:
    table = parallel_env(buyers=2, persona="default")
    _, infos = table.reset(seed=4)
    _, rewards, ends, truncated, infos = table.step({"buyer_1": bid(0.9), "buyer_2": bid(0.2)})
    while table.agents:
        _, rewards, ends, truncated, infos = table.step({"buyer_1": bid(0.9)})
    told = infos["buyer_2"]
    assert told["winner"] == "buyer_1"
    assert 0.0 < rewards["buyer_1"] < 1.0
    assert rewards["buyer_2"] == 0.0
    assert told["reservation_price"] <= told["sold_for"]
    assert all(ends.values())
    assert not any(truncated.values())


def test_who_leaves_is_gone_and_the_others_play_on() -> None:
    table = parallel_env(buyers=3)
    table.reset(seed=2)
    _, rewards, ends, _, _ = table.step({"buyer_1": LEAVE, "buyer_2": HOLD, "buyer_3": HOLD})
    assert ends == {"buyer_1": True, "buyer_2": False, "buyer_3": False}
    assert table.agents == ["buyer_2", "buyer_3"]
    seen, *_ = table.step({"buyer_2": LEAVE, "buyer_3": LEAVE})
    assert sorted(seen) == ["buyer_2", "buyer_3"]
    assert (table.agents, table.step({})) == ([], ({}, {}, {}, {}, {}))
    assert set(rewards.values()) == {0.0}


def test_chetan_cannot_tell_what_his_rivals_bid_or_own() -> None:
    """All that a rival does beyond being in front or not changes nothing that Chetan sees."""

    def seen_by_chetan(rivals_bid: float) -> str:
        table = parallel_env(buyers=3, persona="collaborative")
        told = [table.reset(seed=7)]
        told += [
            table.step({"buyer_1": bid(0.3), "buyer_2": bid(0.05), "buyer_3": bid(rivals_bid)})[::4]
        ]
        return str([(seen["buyer_1"], info["buyer_1"]) for seen, info in told])

    assert seen_by_chetan(0.06) == seen_by_chetan(0.07)
    assert "reservation" not in seen_by_chetan(0.06)


def test_illegal_moves_become_the_nearest_legal_one() -> None:
    table = parallel_env(buyers=2)
    seen, infos = table.reset(seed=9)
    assert infos["buyer_1"]["action_mask"]["move"].tolist()[1] in (0, 1)
    table.step({"buyer_1": bid(0.4), "buyer_2": bid(np.nan)})
    seen, *_ = table.step({"buyer_1": bid(0.1), "buyer_2": bid(-3.0)})
    assert seen["buyer_1"]["prices"][2] == pytest.approx(0.4, abs=1e-4)
    assert 0 < seen["buyer_2"]["prices"][2] < 1e-4
    with pytest.raises(gymnasium.error.InvalidAction, match="says 5 and 0"):
        table.step({"buyer_1": {"move": 5, "price": [0.5], "signal": 0}})


NO_MOVES: list[Any] = [None, 3, {}, {"move": 0, "signal": 0}, {"move": 0, "price": [0.5]}]
NO_MOVES += [{"move": 0, "price": [], "signal": 0}, {"move": 0.5, "price": [0.5], "signal": 0}]
NO_MOVES += [{"move": "bid", "price": [0.5], "signal": 0}]
NO_NUMBERS: list[Any] = [None, 3, [3], [3, 1, 0], [2.5, 0], ["a", 0], {"move": 3}]


@pytest.mark.parametrize(
    ("grid", "action"),
    [(None, action) for action in NO_MOVES] + [(10, action) for action in NO_NUMBERS],
    ids=str,
)
def test_what_is_no_action_is_refused_and_opens_no_envelope(grid: int | None, action: Any) -> None:
    table = parallel_env(buyers=2, grid=grid)
    table.reset(seed=9)
    with pytest.raises(gymnasium.error.InvalidAction):
        table.step({"buyer_1": action})
    after, *_ = table.step({})
    table.reset(seed=9)
    undisturbed, *_ = table.step({})
    assert after["buyer_1"]["clock"].tolist() == undisturbed["buyer_1"]["clock"].tolist()


@pytest.mark.parametrize("match", ["x", 1.5, -1, True])
def test_a_match_is_named_by_a_whole_number(match: Any) -> None:
    with pytest.raises(ValueError, match="whole number"):
        parallel_env().reset(options={"match": match})
    with pytest.raises(ValueError, match="goods"):
        parallel_env(listings=())


def test_a_grid_lays_bids_out_up_to_the_budget() -> None:
    table = parallel_env(buyers=2, grid=10)
    table.reset(seed=9)
    seen, *_ = table.step({"buyer_1": np.array([3, 1]), "buyer_2": np.array([11, 0])})
    assert seen["buyer_1"]["prices"][2] == pytest.approx(0.4, abs=1e-4)
    assert seen["buyer_2"]["prices"][2] == 0.0
    assert seen["buyer_2"]["rivals"].tolist() == [1.0, 1.0, 1.0, 1.0, 0.0]
    _, _, ends, _, _ = table.step({"buyer_1": np.array([12, 0])})
    assert ends["buyer_1"]


def test_a_match_and_a_persona_may_be_chosen() -> None:
    table = parallel_env()
    chosen, _ = table.reset(options={"match": 5, "persona": "impatient"})
    again, _ = parallel_env(persona="impatient").reset(seed=5)
    assert str(chosen) == str(again)
    with pytest.raises(UnknownSuite, match="shy"):
        table.reset(options={"persona": "shy"})
    with pytest.raises(ValueError, match="not 5"):
        parallel_env(buyers=5)


def test_spectators_see_opened_envelopes_only() -> None:
    table = parallel_env(buyers=2, render_mode="ansi")
    table.reset(seed=3)
    assert "buyer_1" not in str(table.render())
    table.step({"buyer_1": bid(0.4), "buyer_2": LEAVE})
    drawn = str(table.render())
    assert "buyer_2 leaves" in drawn
    assert drawn.splitlines()[-1].startswith("  round 2 of 12")
    assert parallel_env().render() is None


def test_taking_the_ask_ends_the_match_for_everybody() -> None:
    table = parallel_env(buyers=2, persona="impatient")
    _, infos = table.reset(seed=8)
    taker = None
    while table.agents:
        taker = next(
            (name for name in table.agents if infos[name]["action_mask"]["move"][1]), taker
        )
        actions = {name: {**HOLD, "move": 1 if name == taker else 2} for name in table.agents}
        *_, infos = table.step(actions)
    assert taker is not None
    assert infos["buyer_1"]["winner"] == taker
