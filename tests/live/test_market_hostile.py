"""Mallory sends 300 streams of anything: a market changes by its rules or not at all."""

import json
import re
from random import Random
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from bazaarbatna.envs.openenv.market import PREFIX
from bazaarbatna.market import CODES
from tests.support.commands import ROOT
from tests.support.market_mallory import (
    NO_BODIES,
    NO_FRAMES,
    NOT_JSON,
    Shadow,
    a_hostile_action,
)
from tests.support.servers import Site

RULES = (ROOT / "docs" / "gpu_market.md").read_text()
FRAMES, REQUESTS = 200, 100
"""Streams over either protocol."""

TASKS = ("single_trade", "market_round", "coalition_market")


def documented(code: str) -> bool:
    return f"`{code}`" in RULES


def a_world(number: int) -> dict[str, Any]:
    return {
        "task": TASKS[number % 3],
        "seed": number,
        "lab": number % 2,
        "reward": "published" if number % 5 == 4 else "default",
        "judge_mode": "rule" if number % 4 == 1 else "off",
        "judge_pays": number % 8 == 1,
    }


def shadow_of(world: dict[str, Any]) -> Shadow:
    return Shadow(world["task"], world["seed"], world["lab"], world["reward"], world["judge_mode"])


def check_observation(told: dict[str, Any], shadow: Shadow) -> str | None:
    """Compare what came with the shadow, and give the code of the last action."""
    seen, expected = told["observation"], shadow.view
    if seen["result"]:
        seen["result"].pop("commitment")
    last = seen["last_action_result"]
    if last and last["code"] == "episode_done":
        assert (told["reward"], told["done"]) == (0.0, True)
        expected["last_action_result"] = last
    assert seen == expected
    code = last["code"] if last else None
    assert code is None or (code in CODES and documented(code))
    return str(code) if code else None


def check_standing(told: dict[str, Any], shadow: Shadow) -> None:
    state = shadow.state
    assert (told["step_count"], told["round"]) == (shadow.steps, state.round)
    assert told["done"] == (state.ended is not None)


async def asked(socket: ClientConnection, frame: object) -> dict[str, Any]:
    text = frame if isinstance(frame, str | bytes) else json.dumps(frame)
    await socket.send(text)
    return dict(json.loads(await socket.recv()))


async def a_stream_of_frames(socket: ClientConnection, number: int) -> set[str]:
    """Send one stream over a socket; give the codes that came back."""
    dice, world, codes = Random(number), a_world(number), set()
    started = await asked(socket, {"type": "reset", "data": world})
    shadow = shadow_of(world)
    check_observation(started["data"], shadow)
    late = 0
    while late < 3:
        late += shadow.state.ended is not None
        if dice.random() < 0.35:
            frame: Any = dice.choice((*NOT_JSON, *NO_FRAMES, b"\x00\xff", b'{"type":"state"}'))
            answer = await asked(socket, frame)
            assert answer["type"] == "error", (frame, answer)
            assert "our side" not in answer["data"]["message"]
            codes.add(answer["data"]["code"])
            check_standing((await asked(socket, {"type": "state"}))["data"], shadow)
            continue
        action = a_hostile_action(dice, shadow)
        answer = await asked(socket, {"type": "step", "data": action})
        assert answer["type"] == "observation", (action, answer)
        if shadow.state.ended is None:
            shadow.take(json.loads(json.dumps(action)))
        codes.add(check_observation(answer["data"], shadow) or "ok")
    return codes


async def test_two_hundred_streams_of_frames(site: Site) -> None:
    codes: set[str] = set()
    url = f"{site.ws_url}{PREFIX}/ws"
    for first in range(0, FRAMES, 25):
        async with connect(url, proxy=None) as mallory:
            told = await asked(mallory, {"type": "step", "data": {"action": "wait"}})
            assert told["data"]["code"] == "EXECUTION_ERROR"
            for number in range(first, first + 25):
                codes |= await a_stream_of_frames(mallory, number)
    assert {"INVALID_JSON", "UNKNOWN_TYPE", "VALIDATION_ERROR", "ok", "episode_done"} <= codes
    assert len(codes & set(CODES)) >= 12
    assert [code for code in codes - {"ok"} if not documented(code)] == []
    check_the_server(site)


def test_a_hundred_streams_of_requests(site: Site) -> None:
    codes: set[str] = set()
    with httpx.Client(base_url=site.url + PREFIX, timeout=30) as mallory:
        for number in range(FRAMES, FRAMES + REQUESTS):
            codes |= a_stream_of_requests(mallory, number)
    assert {"INVALID_JSON", "SESSION_ERROR", "VALIDATION_ERROR", "ok", "episode_done"} <= codes
    assert len(codes & set(CODES)) >= 12
    assert [code for code in codes - {"ok"} if not documented(code)] == []
    check_the_server(site)


def a_stream_of_requests(mallory: httpx.Client, number: int) -> set[str]:
    """Send one stream over HTTP; give the codes that came back."""
    dice, world, codes, id_ = Random(number), a_world(number), set(), f"stream {number % 10}"
    started = mallory.post("/reset", json={**world, "episode_id": id_})
    assert started.status_code == 200, started.text
    assert not started.cookies
    shadow = shadow_of(world)
    check_observation(started.json(), shadow)
    late = 0
    while late < 2:
        late += shadow.state.ended is not None
        if dice.random() < 0.35:
            body = dice.choice((*NOT_JSON, *NO_BODIES)).replace('"ID"', json.dumps(id_))
            path = dice.choice(("/step", "/step", "/reset")) if "{" not in body else "/step"
            if not body:
                path = "/step"
            answer = mallory.post(path, content=body.encode())
            assert 400 <= answer.status_code < 500, (path, body[:200], answer.text)
            codes.add(answer.json()["error"]["code"])
            standing = mallory.get("/state", params={"episode_id": id_})
            check_standing(standing.json(), shadow)
            continue
        action = a_hostile_action(dice, shadow)
        body = json.dumps({"episode_id": id_, "action": action})
        if len(body.encode()) > 16_384:
            continue
        answer = mallory.post("/step", content=body.encode())
        assert answer.status_code == 200, (action, answer.text)
        if shadow.state.ended is None:
            shadow.take(json.loads(json.dumps(action)))
        codes.add(check_observation(answer.json(), shadow) or "ok")
    return codes


@pytest.mark.parametrize(
    "address",
    [
        "/state?episode_id=%00",
        "/state?episode_id=" + "x" * 3000,
        "/state?episode_id[]=1",
        "/%2e%2e",
    ],
)
def test_odd_addresses_are_answered(site: Site, address: str) -> None:
    answer = httpx.get(site.url + PREFIX + address)
    assert answer.status_code in (200, 404)
    assert answer.headers["content-type"].startswith("application/json")


def check_the_server(site: Site) -> None:
    assert site.process is not None
    assert site.process.poll() is None
    assert not re.search(r"Traceback|environment failed|Internal Server Error", site.log)
