"""The environments without the site: a real server of its own, and OpenEnv's own client."""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from openenv.cli._validation import validate_running_environment
from openenv.core import GenericEnvClient
from websockets.sync.client import connect

from bazaarbatna.bargain.log import digest_of
from bazaarbatna.bargain.people import held_out
from bazaarbatna.envs.bargain.actions import read_action, to_proposal
from bazaarbatna.envs.bargain.resets import Reset
from bazaarbatna.envs.bargain.seat import Seat
from bazaarbatna.envs.bargain.suite_game import SuiteGame
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
    return [*bids[: 2 + seed % 8], {"action": "walk"}]


def test_a_hundred_seeds_are_the_same_bytes_through_every_door(slim: str) -> None:
    held_out.plug_in()
    with connect(slim.replace("http", "ws") + "/ws") as line:
        for seed in range(SEEDS):
            task = ("single_deal", "people", "paths", "career_10")[seed % 4]
            wanted = {"seed": seed, "task": task, "episode_id": f"game-{seed}"}
            frames = [{"type": "reset", "data": wanted}]
            frames += [{"type": "step", "data": move} for move in plan(seed)]
            site, seat = Dialogue(BAZAAR), Seat()
            seat.reset(Reset(**wanted), seed=0, episode_id="")  # type: ignore[arg-type]
            game = SuiteGame(seat.state.suite or "", seed)
            for frame in frames:
                text = msgspec.json.encode(frame).decode()
                line.send(text)
                heard = line.recv()
                assert heard == site.answer(text)
                if frame["type"] == "step" and not game.done:
                    action = read_action(frame["data"])
                    seat.step(action)
                    game.step(to_proposal(action))
                    told = msgspec.json.decode(heard)["data"]["observation"]["result"]
                    if told is not None:
                        assert told["commitment"] == game.logs[-1].events[0].commitment  # type: ignore[union-attr]
            assert [*map(digest_of, seat.logs)] == [*map(digest_of, game.logs)]


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
        ("PUT", "/reset", b"{}", 404, "/env/bazaar"),
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
    with urllib.request.urlopen(f"{slim}/health", timeout=10) as answer:
        assert answer.read() == b'{"status":"healthy"}'


def test_the_client_package_is_typed_and_plays_both(slim: str) -> None:
    code = (
        "import sys; sys.path.insert(0, 'deploy/openenv')\n"
        "from bazaar_env.client import BazaarAction, BazaarEnv, MarketAction, MarketEnv\n"
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
