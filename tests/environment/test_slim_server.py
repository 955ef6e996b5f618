"""The environments without the site: a real server of its own, and OpenEnv's own client."""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import gymnasium
import msgspec
import pytest
from openenv.cli._validation import validate_running_environment
from openenv.core import GenericEnvClient
from websockets.sync.client import connect

from bazaarbatna.bargain import Offer, Walk
from bazaarbatna.bargain.log import digest_of
from bazaarbatna.bargain.people import held_out
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.envs.bargain.actions import read_action, to_proposal
from bazaarbatna.envs.bargain.gymnasium_spaces import to_action
from bazaarbatna.envs.bargain.resets import Reset, wanted_suite
from bazaarbatna.envs.bargain.seat import Seat
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from bazaarbatna.envs.bargain.tools import BazaarEnv
from bazaarbatna.envs.bargain.views import View
from bazaarbatna.envs.bargain.words import describe
from bazaarbatna.envs.openenv.bazaar import BAZAAR
from bazaarbatna.envs.openenv.dialogue import Dialogue
from tests.support.commands import ROOT
from tests.support.servers import free_port

SEEDS = 100
READY_S = 60


@pytest.fixture(scope="module")
def slim() -> Iterator[str]:
    """The address of a server that has imported neither Django nor torch."""
    port = free_port()
    code = (
        "import sys; sys.argv[1:] = ['serve', '--port', sys.argv[1]]\n"
        "from bazaarbatna.envs.openenv import server\n"
        "assert not {'django', 'torch', 'redis', 'pydantic'} & set(sys.modules)\n"
        "from bazaarbatna.__main__ import main; sys.exit(main())"
    )
    served = subprocess.Popen([sys.executable, "-c", code, str(port)], cwd=ROOT)
    until = time.monotonic() + READY_S
    while True:
        assert served.poll() is None, "the server ended"
        assert time.monotonic() < until, "no answer"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                break
        except OSError:
            time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    served.terminate()
    served.wait(10)


@pytest.mark.parametrize("path", ["", "/env/bazaar", "/env/market"])
def test_the_packages_validator_passes(slim: str, path: str) -> None:
    report = validate_running_environment(slim + path, timeout_s=30)
    assert report["summary"]["failed_criteria"] == []


def plan(seed: int) -> list[dict[str, Any]]:
    """A buyer that comes nearer, and one that leaves now and then."""
    bids = [
        {"action": "offer", "price": 20.0 + seed % 7 + 4 * n, "message": "Bas."} for n in range(9)
    ]
    return [*bids[: 2 + seed % 8], {"action": "walk", "message": ""}]


def by_engine(task: str, seed: int) -> tuple[list[dict[str, Any]], str]:
    """Play without any environment: the moves that the game had room for, and its logs' digests."""
    game, moves = SuiteGame(wanted_suite(Reset(task=task)), seed), list[dict[str, Any]]()
    for move in plan(seed):
        if not game.done:
            game.step(to_proposal(read_action(move)))
            moves.append(move)
    return moves, " ".join(map(digest_of, game.logs))


def by_seat(task: str, seed: int, moves: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """Play at the seat that stands behind the doors: the digests of its logs, every view."""
    seat = Seat()
    answers = [seat.reset(Reset(seed, task=task), seed=0, episode_id="")]
    answers += [seat.step(read_action(move)) for move in moves]
    views = [msgspec.json.encode(answer.observation).decode() for answer in answers]
    return " ".join(map(digest_of, seat.logs)), views


def by_socket(line: Any, task: str, seed: int, moves: list[dict[str, Any]]) -> list[str]:
    """Play over the slim server's socket; the site's own reader of frames says the same bytes."""
    wanted, site, views = {"seed": seed, "task": task, "episode_id": "x"}, Dialogue(BAZAAR), []
    for frame in [("reset", wanted), *(("step", move) for move in moves)]:
        text = msgspec.json.encode(dict(zip(("type", "data"), frame, strict=True))).decode()
        line.send(text)
        heard = line.recv()
        assert heard == site.answer(text)
        views.append(msgspec.json.decode(heard, type=dict[str, Any])["data"]["observation"])
    return [msgspec.json.encode(view).decode() for view in views]


def by_mcp(line: Any, task: str, seed: int, moves: list[dict[str, Any]]) -> list[str]:
    """Play by MCP's tools."""
    calls = [("reset", {"seed": seed, "task": task})]
    for move in moves:
        named = {name: move[name] for name in ("price", "message") if name in move}
        calls.append((move["action"], named if move["action"] == "offer" else {}))
    views = []
    for name, arguments in calls:
        params = {"name": name, "arguments": arguments}
        rpc = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        line.send(msgspec.json.encode({"type": "mcp", "data": rpc}).decode())
        told = msgspec.json.decode(line.recv())["data"]["result"]
        views.append(msgspec.json.encode(told["structuredContent"]["observation"]).decode())
    return views


def by_gymnasium(task: str, seed: int, moves: list[dict[str, Any]]) -> list[str]:
    """Play by Gymnasium's API: it has no words of the buyer, so that those are left out."""
    env = gymnasium.make("bazaarbatna.gym:Bazaar-v0", suite=task)
    _, info = env.reset(seed=seed)
    views = [info["view"]]
    for move in moves:
        budget = msgspec.json.decode(info["view"])["budget"]
        bid = Offer(Paise(round(move.get("price", 0) * 100)))
        action = to_action(bid if "price" in move else Walk(), Paise(round(budget * 100)))
        *_, info = env.step(action)
        views.append(info["view"])
    return views


def by_tools(player: BazaarEnv, task: str, seed: int, moves: list[dict[str, Any]]) -> list[str]:
    """Play by the tools of TRL's class, which verifiers' harness calls, too."""
    told = [player.reset(seed=seed, task=task)]
    for move in moves:
        is_bid = move["action"] == "offer"
        told.append(player.offer(move["price"], move["message"]) if is_bid else player.walk())
    return told


def bare(view: str) -> dict[str, Any]:
    """Take a view without what the buyer said, and without what only the step's own answer has."""
    kept: dict[str, Any] = msgspec.json.decode(view)
    del kept["result"]
    return kept | {"turns": [turn | {"message": ""} for turn in kept["turns"]
                             if turn["actor"] == "seller"]}  # fmt: skip


def test_a_hundred_seeds_are_the_same_game_through_every_door(slim: str) -> None:
    held_out.plug_in()
    url = slim.replace("http", "ws") + "/ws"
    with connect(url) as line, connect(url) as tools:
        here, there = BazaarEnv(), BazaarEnv(url)
        for seed in range(SEEDS):
            task = ("single_deal", "people", "paths", "career_10")[seed % 4]
            moves, logs = by_engine(task, seed)
            digests, views = by_seat(task, seed, moves)
            assert digests == logs
            assert by_socket(line, task, seed, moves) == views
            assert by_mcp(tools, task, seed, moves) == views
            seen = by_gymnasium(task, seed, moves)
            assert [*map(bare, seen)] == [*map(bare, views)]
            told = by_tools(here, task, seed, moves)
            assert told == [describe(msgspec.json.decode(view, type=View)) for view in views]
            assert by_tools(there, task, seed, moves) == told


def test_both_worlds_are_played_over_sockets_and_http(slim: str) -> None:
    with GenericEnvClient(base_url=f"{slim}/env/market").sync() as market:
        seen = market.reset(seed=3, task="single_trade")
        assert not market.step({"action": "wait"}).observation.get("error")
        assert seen.observation["task"] == "single_trade"
    body = msgspec.json.encode({"seed": 3, "episode_id": "mine"})
    asked = urllib.request.Request(f"{slim}/reset", body)
    with urllib.request.urlopen(asked, timeout=10) as answer:
        assert msgspec.json.decode(answer.read())["metadata"]["episode_id"] == "mine"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "told"),
    [
        ("POST", "/reset", b"{", 400, "not JSON"),
        ("POST", "/reset", b'{"task": "nowhere"}', 422, "Known: single_deal"),
        ("POST", "/reset", b'{"seed": -1}', 422, "seed"),
        ("POST", "/step", b'{"action": {"action": "walk"}}', 422, "Say which episode"),
        ("POST", "/step", b'{"episode_id": "no", "action": {"action": "walk"}}', 404, "no such"),
        ("POST", "/reset", b" " * 20_000, 413, "16,384"),
        ("GET", "/nowhere", None, 404, "/env/market"),
        ("PUT", "/reset", b"{}", 405, "Asked with POST"),
        ("POST", "/env/market/schema", b"{}", 405, "Asked with GET"),
        ("GET", "/env/bazaar/mcp", None, 405, "Asked with POST"),
        ("DELETE", "/env/market/mcp", None, 405, "Asked with POST"),
        ("DELETE", "/nowhere", None, 404, "/env/bazaar"),
    ],
)
def test_bad_input_is_told_in_a_sentence_and_the_server_goes_on(
    slim: str, method: str, path: str, body: bytes | None, status: int, told: str
) -> None:
    asked = urllib.request.Request(slim + path, body, method=method)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(asked, timeout=10)
    assert refused.value.code == status
    assert told in msgspec.json.decode(refused.value.read())["error"]["detail"]
    assert (refused.value.headers["Allow"] or "nothing") in told or status != 405
    with urllib.request.urlopen(f"{slim}/health", timeout=10) as answer:
        assert answer.read() == b'{"status":"healthy"}'


def test_the_client_package_is_typed_and_plays_both(slim: str) -> None:
    code = (
        "import sys; sys.path.insert(0, 'deploy/openenv')\n"
        "from bazaar_env import BazaarAction, BazaarEnv, MarketAction, MarketEnv\n"
        f"with BazaarEnv(base_url={slim!r}).sync() as env:\n"
        "    seen = env.reset(task='people', seed=7)\n"
        "    while not seen.done:\n"
        "        seen = env.step(BazaarAction(action='offer', price=seen.observation.budget))\n"
        "    print(seen.observation.outcome, seen.metadata['suite'])\n"
        f"with MarketEnv(base_url={slim!r} + '/env/market').sync() as env:\n"
        "    env.reset(seed=1); print(env.step(MarketAction(action='wait')).done)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["walk people@1", "False"]
