"""Models that act by tools: TRL's class, OpenEnv's MCP client and a plain one, at a real site."""

import itertools
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError
from openenv.core.mcp_client import MCPToolClient
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve

from bazaarbatna.bargain import make_scenario
from bazaarbatna.bargain.errors import GameError
from bazaarbatna.envs.bargain.remote import RemotePlayer
from bazaarbatna.envs.bargain.tools import LOST, OVER, BazaarEnv
from bazaarbatna.envs.openenv.bazaar import BAZAAR, PREFIX
from bazaarbatna.envs.openenv.dialogue import Dialogue
from bazaarbatna.envs.openenv.errors import TooFast
from bazaarbatna.envs.openenv.frames import write_error
from bazaarbatna.envs.openenv.market import PREFIX as MARKET_PREFIX
from tests.support.secrets import leaks
from tests.support.servers import Site

SEED = 70_007
BIDS = (20.0, 30.0, 35.0)
TOOLS = ["reset", "offer", "say", "accept", "walk"]


def plays(env: BazaarEnv, seed: int = 7, task: str = "single_deal") -> tuple[list[str], float]:
    """Make some bids, say something, and leave: what was told, and the reward."""
    told = [env.reset(seed=seed, task=task), *(env.offer(bid, "hello") for bid in BIDS)]
    told.append(env.say("that is all I have"))
    return told, env.get_reward()


@contextmanager
def a_line_that_breaks(url: str, *after: int) -> Iterator[tuple[str, list[int]]]:
    """A way to a socket that is cut after so many answers, and once again after so many more.

    Gives its address, and how many answers each connection had.
    """
    lives, had = iter(after), list[int]()

    def relay(near: ServerConnection) -> None:
        left = next(lives, None)
        had.append(0)
        here = len(had) - 1
        with connect(url) as far:
            for _ in itertools.count():
                try:
                    far.send(near.recv())
                except Exception:  # noqa: BLE001  the client has hung up
                    return
                answer = far.recv()
                if left is not None and had[here] >= left:
                    near.socket.close()
                    return
                near.send(answer)
                had[here] += 1

    with serving(relay) as address:
        yield address, had


@contextmanager
def serving(answer: Callable[[ServerConnection], None]) -> Iterator[str]:
    """A socket of one's own; gives its address."""
    with serve(answer, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def socket_url(site: Site) -> str:
    return f"{site.ws_url}{PREFIX}/ws"


@pytest.mark.parametrize("task", ["single_deal", "people", "career_10"])
def test_the_same_bargain_here_and_at_a_site(socket_url: str, task: str) -> None:
    assert plays(BazaarEnv(), task=task) == plays(BazaarEnv(socket_url), task=task)


@pytest.mark.parametrize("after", [(0,), (1,), (2, 1), (3,), (4, 0, 4)])
def test_a_bargain_goes_on_where_its_line_was_cut(socket_url: str, after: tuple[int, ...]) -> None:
    with a_line_that_breaks(socket_url, *after) as (url, had):
        player = RemotePlayer(url, sleep=lambda _: None)
        assert plays(BazaarEnv(player=player)) == plays(BazaarEnv())
    assert len(had) == len(after) + 1


def test_a_bargain_whose_server_is_gone_is_truncated(socket_url: str) -> None:
    with a_line_that_breaks(socket_url, 2, *[0] * 9) as (url, _):
        env = BazaarEnv(player=RemotePlayer(url, sleep=lambda _: None))
        env.reset(seed=7, task="single_deal")
        env.offer(BIDS[0])
        assert (env.offer(BIDS[1]), env.truncated) == (LOST, True)
    assert env.accept() == OVER
    assert env.get_reward() == pytest.approx(0.0224, abs=1e-4)
    assert env.reset(seed=7) == LOST
    assert env.get_reward() == 0.0


ERROR = '{"type":"error","data":{"code":"%s","message":"no"%s}}'
WRONG_ANSWERS = {
    "a page": "<html>502</html>",
    "a list": "[]",
    "bytes": b"\xff\xfe",
    "another shape": '{"type":"observation","data":{"x":1}}',
    "an error of nothing": '{"type":"error"}',
    "a fault": ERROR % ("EXECUTION_ERROR", ""),
    "no place": ERROR % ("CAPACITY_REACHED", ""),
    "rests without end": ERROR % ("CAPACITY_REACHED", ',"retry_after_s":99'),
    "a rest below nothing": ERROR % ("CAPACITY_REACHED", ',"retry_after_s":-1'),
}


@pytest.mark.parametrize("name", WRONG_ANSWERS)
@pytest.mark.parametrize("good", [0, 2])
def test_what_a_server_says_wrong_truncates_a_bargain(name: str, good: int) -> None:
    """A trainer ends with the first thing that its environment raises."""

    def serves(near: ServerConnection) -> None:
        dialogue = Dialogue(BAZAAR)
        for number, message in enumerate(near):
            told = dialogue.answer(str(message)) if number < good else WRONG_ANSWERS[name]
            near.send(told or "")

    with serving(serves) as url:
        env = BazaarEnv(player=RemotePlayer(url, sleep=lambda _: None))
        told = [env.reset(seed=7, task="single_deal"), *map(env.offer, BIDS)]
        reward = env.get_reward()
    assert (told[good], set(told[good + 1 :]), env.truncated) == (LOST, {OVER}, True)
    assert reward == pytest.approx(0.0224 if good else 0.0, abs=1e-4)


@pytest.mark.parametrize("again", ["another game", "the move is refused"])
def test_a_bargain_is_not_taken_up_where_the_server_plays_another_one(again: str) -> None:
    lines = itertools.count()

    def serves(near: ServerConnection) -> None:
        is_first, dialogue = not next(lines), Dialogue(BAZAAR)
        for number, message in enumerate(near):
            if is_first and number == 2:
                return
            asked = str(message).replace('"seed":7', '"seed":7' if is_first else '"seed":8')
            if again == "the move is refused" and not is_first:
                near.send(ERROR % ("VALIDATION_ERROR", ""))
            else:
                near.send(dialogue.answer(asked) or "")

    with serving(serves) as url:
        env = BazaarEnv(player=RemotePlayer(url, sleep=lambda _: None))
        env.reset(seed=7, task="single_deal")
        env.offer(BIDS[0])
        assert (env.offer(BIDS[1]), env.truncated) == (LOST, True)


def test_a_walk_that_is_refused_ends_the_bargain_all_the_same() -> None:
    def serves(near: ServerConnection) -> None:
        dialogue = Dialogue(BAZAAR)
        for message in near:
            refused = ERROR % ("VALIDATION_ERROR", "")
            near.send(refused if "walk" in str(message) else dialogue.answer(str(message)) or "")

    with serving(serves) as url:
        env = BazaarEnv(url)
        env.reset(seed=7, task="single_deal")
        assert (env.get_reward(), env.truncated) == (0.0, True)


def test_what_a_model_does_wrong_it_is_told(socket_url: str) -> None:
    for env in (BazaarEnv(), BazaarEnv(socket_url)):
        assert env.offer(3) == OVER
        env.reset(seed=7)
        with pytest.raises(ValueError, match="name a price first"):
            env.say("please")
        with pytest.raises(ValueError, match="a price: a number of rupees"):
            env.offer(float("nan"))
        with pytest.raises(ValueError, match="float"):
            env.offer("a lot")  # type: ignore[arg-type]
        assert "Round 2" in env.offer("20")  # type: ignore[arg-type]
        with pytest.raises(GameError, match="There is no task 'nowhere'"):
            env.reset(seed=7, task="nowhere")


async def test_openenvs_mcp_client_plays_and_sees_no_secret(site: Site) -> None:
    heard: list[Any] = []
    async with MCPToolClient(base_url=site.url + PREFIX) as env:
        assert [tool.name for tool in await env.list_tools()] == TOOLS
        heard.append((await env.reset(seed=SEED, task="single_deal")).observation.model_dump())
        heard.append(await env.call_tool("offer", price=20, message="hello"))
        heard.append(await env.call_tool("say", message="please"))
        assert heard[-1]["observation"]["own_last_bid"] == 20
        assert (await env.state()).step_count == 2
        hidden = make_scenario("single_deal@sampled-1", SEED)
        for one in map(json.dumps, heard):
            assert leaks(one.replace(f'"seed": {SEED}', '"chosen": true'), hidden) == []
        with pytest.raises(RuntimeError, match="There is no tool 'fly': reset, offer, say"):
            await env.call_tool("fly")
        ended = await env.call_tool("walk")
        assert (ended["done"], ended["observation"]["outcome"]) == (True, "walk")
        assert (
            await env.call_tool("walk")
            == "All bargains of this game are over; reset starts another one."
        )


async def test_the_market_has_one_tool(site: Site) -> None:
    async with MCPToolClient(base_url=site.url + MARKET_PREFIX) as env:
        assert [tool.name for tool in await env.list_tools()] == ["reset", "step"]
        await env.reset(seed=1)
        told = await env.call_tool("step", action="wait")
        assert told["observation"]["last_action_result"]["ok"]


async def test_a_plain_mcp_client_keeps_its_game_in_its_session(site: Site) -> None:
    async with Client(f"{site.url}{PREFIX}/mcp") as asha, Client(f"{site.url}{PREFIX}/mcp") as ben:
        assert [tool.name for tool in await asha.list_tools()] == TOOLS
        with pytest.raises(ToolError, match="call reset"):
            await asha.call_tool("offer", {"price": 3})
        for one, seed in ((asha, 7), (ben, 8)):
            await one.call_tool("reset", {"seed": seed, "task": "single_deal"})
        told = await asha.call_tool("offer", {"price": 20, "message": "hello"})
        env = BazaarEnv()
        env.reset(seed=7, task="single_deal")
        assert told.content[0].text == env.offer(20, "hello")
        with pytest.raises(ToolError, match="Expected `float`, got `str`"):
            await asha.call_tool("offer", {"price": "lots"})
        with pytest.raises(ToolError, match="name a price first"):
            await ben.call_tool("say", {"message": "please"})


def test_whoever_is_told_to_rest_rests_on_the_same_line() -> None:
    """Moves that were made anew over another line would only be more messages."""
    rests, heard = list[float](), list[str]()
    dialogue = Dialogue(BAZAAR)

    def serves(near: ServerConnection) -> None:
        for message in near:
            heard.append(str(message))
            if len(heard) == 2:
                near.send(write_error(TooFast("Rest a little.", 3)))
            else:
                near.send(dialogue.answer(str(message)) or "")

    with serving(serves) as url:
        player = RemotePlayer(url, sleep=rests.append)
        told = plays(BazaarEnv(player=player))
    assert told == plays(BazaarEnv())
    assert rests == [0.0, 3]
    assert heard[1] == heard[2]


def calls(name: str, arguments: dict[str, object]) -> str:
    """A call of a tool in a frame; the name is written as it stands."""
    params = f'{{"name":"{name}","arguments":{json.dumps(arguments)}}}'
    rpc = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'
    return f'{{"type":"mcp","data":{rpc}}}'


@pytest.mark.parametrize("name", ["reset", "\\u0072eset"])
def test_a_game_that_a_tool_begins_is_counted_however_it_is_spelt(name: str) -> None:
    dialogue = Dialogue(BAZAAR)
    dialogue.answer(calls(name, {}))
    dialogue.answer(calls("offer", {"price": 9, "message": 'so "reset" it'}))
    assert dialogue.games == 1
