"""The openenv package's own client and validator at the market, which is really served."""

import asyncio
import contextlib
import json
from typing import Any

import pytest
from openenv.cli._validation import validate_running_environment
from openenv.core import GenericEnvClient
from openenv.core.env_server import Action
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bazaarbatna.envs.market.actions import to_action, write_action
from bazaarbatna.envs.market.views import read_view
from bazaarbatna.envs.openenv.frames import LONGEST
from bazaarbatna.envs.openenv.market import PREFIX
from bazaarbatna.market import advance, make_market, start, step
from bazaarbatna.market.planner import play_scored
from bazaarbatna.market.policies.registry import make_policy
from negotiation.hanging_up import CLOSE_FULL
from tests.support.market_secrets import market_leaks
from tests.support.openenv_clients import (
    TypedClient,
    connect_from,
    hold_places,
    take_a_place,
)
from tests.support.servers import Site

TASKS = ("single_trade", "market_round", "coalition_market")


async def played(env: GenericEnvClient, name: str, **wanted: Any) -> tuple[list[float], Any]:
    """Play an episode by a policy; give the rewards and the last answer."""
    result, policy, rewards = await env.reset(**wanted), make_policy(name, wanted["seed"]), []
    while not result.done:
        result = await env.step(write_action(policy(read_view(result.observation))))
        rewards.append(result.reward)
    return rewards, result


class Asked(Action):
    """An action of the package, which carries metadata of its own."""

    action: str
    target_lab_id: str | None = None
    block_ids: list[str] | None = None
    payment: float | None = None


@pytest.mark.parametrize("reward", ["default", "published"])
async def test_the_async_client_plays_to_the_engines_own_scores(site: Site, reward: Any) -> None:
    async with GenericEnvClient(base_url=site.url + PREFIX) as env:
        for seed, task in enumerate(TASKS, 5):
            for lab in (0, 1):
                wanted = {"task": task, "seed": seed, "lab": f"lab_{lab}", "reward": reward}
                rewards, result = await played(env, "rule_expert", **wanted)
                scored = play_scored(
                    make_market(task, seed, reward=reward),
                    make_policy("rule_expert", seed),
                    lab=lab,
                )
                assert rewards == [one.normalized_reward for one in scored.rewards]
                assert result.metadata["score"] == scored.total
                state = await env.state()
                assert (state["done"], state["seed"]) == (True, seed)


def test_a_typed_client_reads_every_field_and_its_metadata_is_no_part_of_the_action(
    site: Site,
) -> None:
    with TypedClient(base_url=site.url + PREFIX).sync() as env:
        result = env.reset(seed=3, task="market_round")
        mine = [one["id"] for one in result.observation.blocks if one["owner"] == "lab_0"]
        result = env.step(Asked(action="reserve_capacity", block_ids=mine[:1], metadata={"n": 1}))
        assert result.observation.last_action_result["ok"], result.observation.last_action_result
        assert env.state().step_count == 1


def test_a_refusal_reaches_the_caller_in_words_and_the_session_goes_on(site: Site) -> None:
    with GenericEnvClient(base_url=site.url + PREFIX).sync() as env:
        with pytest.raises(RuntimeError, match=r"reset starts one.*EXECUTION_ERROR"):
            env.step({"action": "wait"})
        with pytest.raises(RuntimeError, match=r"Known: single_trade.*VALIDATION_ERROR"):
            env.reset(task="nothing")
        env.reset(seed=1, options=[])
        assert env.step({"action": "fly"}).reward == -0.15
        assert env.step({"action": "finish"}).done


async def test_sixteen_clients_each_play_their_own_market(site: Site) -> None:
    async def play(seed: int) -> tuple[int, float]:
        async with GenericEnvClient(base_url=site.url + PREFIX) as env:
            _, result = await played(env, "rule_expert", seed=seed, task="market_round")
            return seed, result.metadata["score"]

    for seed, score in await asyncio.gather(*map(play, range(16))):
        policy = make_policy("rule_expert", seed)
        assert score == play_scored(make_market("market_round", seed), policy).total


async def asked(socket: ClientConnection, frame: object) -> str:
    await socket.send(frame if isinstance(frame, str) else json.dumps(frame))
    return str(await socket.recv())


async def test_nothing_that_chetan_receives_is_hidden_before_the_end(site: Site) -> None:
    wrong = ("{", '{"type":"peek"}', '{"type":"step","data":[]}', '{"type":"reset","data":7}')
    async with connect(f"{site.ws_url}{PREFIX}/ws", proxy=None) as chetan:
        for seed in range(6):
            lab = seed % 2
            state, _ = start(make_market("coalition_market", seed))
            state, _ = advance(state, (lab,))
            data = {"seed": seed, "task": "coalition_market", "lab": lab}
            answer = await asked(chetan, {"type": "reset", "data": data})
            policy = make_policy("random_valid", seed)
            while state.ended is None:
                got = [answer, await asked(chetan, {"type": "state"})]
                got.append(await asked(chetan, wrong[state.round % 4]))
                for text in got:
                    assert market_leaks(text, state, lab) == []
                seen = read_view(json.loads(answer)["data"]["observation"])
                action = write_action(policy(seen))
                state, _ = step(state, lab, to_action(action))
                answer = await asked(chetan, {"type": "step", "data": action})
            assert state.scenario.salt in answer


async def test_mallory_cannot_hang_up_on_herself_with_a_wrong_frame(site: Site) -> None:
    async with connect(f"{site.ws_url}{PREFIX}/ws", proxy=None) as mallory:
        for frame in ("", "{}", "[" * 9000, "x" * LONGEST, '{"type":"step","data":null}'):
            assert json.loads(await asked(mallory, frame))["type"] == "error"
        assert json.loads(await asked(mallory, {"type": "reset"}))["type"] == "observation"
    with pytest.raises(Exception, match="403"):
        async with connect(
            f"{site.ws_url}{PREFIX}/ws",
            proxy=None,
            origin="https://evil.example",  # type: ignore[arg-type]
        ):
            raise AssertionError("the door was open")
    async with connect(f"{site.ws_url}{PREFIX}/ws", proxy=None) as mallory:
        # The server may hang up while the frame is still on its way.
        with contextlib.suppress(ConnectionClosed):
            await mallory.send("x" * 1_000_000)
        await mallory.wait_closed()
        # Daphne may cut the line (1006) before its close frame (1009) can be read.
        assert mallory.close_code in (1006, 1009)


async def test_a_flood_of_sessions_is_told_so_and_ends_when_they_leave(site: Site) -> None:
    url, elsewhere = f"{site.ws_url}{PREFIX}/ws", "127.0.0.9"
    async with hold_places(url, 64, elsewhere):
        async with connect_from(elsewhere, url) as late:
            told = json.loads(await late.recv())["data"]
            assert (told["code"], told["max_sessions"]) == ("CAPACITY_REACHED", 64)
            await late.wait_closed()
            assert late.close_code == CLOSE_FULL
        # The bazaar's places are its own.
        async with connect_from(elsewhere, f"{site.ws_url}/env/bazaar/ws") as bazaar:
            assert json.loads(await asked(bazaar, {"type": "reset"}))["type"] == "observation"
    await take_a_place(url, elsewhere)


def test_the_packages_validator_passes(site: Site) -> None:
    report = validate_running_environment(site.url + PREFIX, timeout_s=30)
    assert report["summary"]["failed_criteria"] == []
    assert report["passed"] is True
    assert report["mode"] == "simulation"
