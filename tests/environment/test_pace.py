"""No client of an environment floods a process: it is slowed, and told in words where it cannot be.

The clock of these tests stands still unless a test moves it.
"""

import asyncio
import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from bazaarbatna.envs.openenv.bazaar import BAZAAR
from bazaarbatna.envs.openenv.errors import TooFast
from bazaarbatna.envs.openenv.shelf import Room
from negotiation.limits import is_from_here
from negotiation.openenv.pace import ALL_TOGETHER, BURST_S, LONGEST_WAIT_S, MANY, Pace
from negotiation.openenv.serving import EnvironmentSocket, serve_socket


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_burst_is_free_and_then_each_message_costs_its_time(clock: Clock) -> None:
    one = Pace(10, 0, clock)
    waits = [one.took("asha", 1) for _ in range(25)]
    assert waits[: int(10 * BURST_S)] == [0.0] * 20
    assert waits[20:] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    clock.now += 0.5
    assert one.took("asha", 1) == pytest.approx(0.1)
    clock.now += 3600
    assert one.took("asha", 20) == 0.0


def test_games_count_apart_and_another_address_pays_nothing(clock: Clock) -> None:
    one = Pace(0, 1, clock)
    assert [one.took("mallory", 1, 1) for _ in range(3)] == pytest.approx([0.0, 0.0, 1.0])
    assert one.took("mallory", 100) == pytest.approx(1.0)
    assert one.took("asha", 1, 1) == 0.0


def test_many_addresses_together_have_a_limit_too(clock: Clock) -> None:
    one = Pace(10, 0, clock)
    waits = [one.took(f"10.0.0.{number}", 1) for number in range(int(10 * ALL_TOGETHER * BURST_S))]
    assert set(waits) == {0.0}
    assert one.took("10.1.0.1", 1) == pytest.approx(1 / (10 * ALL_TOGETHER))


def test_without_rates_everybody_goes_as_fast_as_they_can(clock: Clock) -> None:
    free = Pace(0, 0, clock)
    assert not any(free.took("trainer", 1, 1) for _ in range(10_000))


def test_who_rested_is_forgotten_and_who_did_not_is_kept(clock: Clock) -> None:
    one = Pace(1, 0, clock)
    one.took("mallory", 1_000_000)
    for number in range(MANY + 10):
        clock.now += 10
        one.took(f"visitor {number}", 1)
    assert len(one._buckets) < 20
    assert one.took("mallory") > 0


def conversation(messages: list[str], rate: float, seconds: float = 5.0) -> list[dict[str, Any]]:
    """What a client hears that sends all of this at once and listens for so long."""

    async def talk() -> list[dict[str, Any]]:
        incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        incoming.put_nowait({"type": "websocket.connect"})
        for text in messages:
            incoming.put_nowait({"type": "websocket.receive", "text": text})
        incoming.put_nowait({"type": "websocket.disconnect"})
        heard: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "websocket.send":
                heard.append(json.loads(message["text"]))

        scope = {"headers": [], "client": ("203.0.113.7", 1)}
        socket = EnvironmentSocket(BAZAAR, Room(9, 9), 60, pace=Pace(rate, 0))
        try:
            async with asyncio.timeout(seconds):
                await socket(scope, incoming.get, send)
        except TimeoutError:
            pass
        return heard

    return asyncio.run(talk())


STATE = '{"type":"state"}'


def test_a_flood_is_answered_slowly_and_completely() -> None:
    heard = conversation([STATE] * 30, rate=10, seconds=30)
    assert [frame["type"] for frame in heard] == ["state"] * 30


def test_what_comes_faster_waits_unread() -> None:
    heard = conversation([STATE] * 500, rate=10, seconds=0.5)
    assert len(heard) < 40
    assert {frame["type"] for frame in heard} == {"state"}


def test_who_is_seconds_ahead_is_told_in_words(clock: Clock) -> None:
    one = Pace(10, 0, clock)
    one.check("asha")
    one.took("asha", int(10 * (BURST_S + LONGEST_WAIT_S)) + 20)
    with pytest.raises(TooFast) as told:
        one.check("asha")
    assert told.value.retry_after_s == 2
    assert "10 messages a second" in told.value.message
    assert "BAZAAR_ENV_MESSAGES" in told.value.message


@pytest.mark.django_db
def test_over_http_nobody_waits_but_is_told_when_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    slow = Pace(1, 0, clock)
    monkeypatch.setattr("negotiation.openenv.views.pace", lambda: slow)
    answers = [client.get("/env/bazaar/health") for _ in range(6)]
    statuses = [answer.status_code for answer in answers]
    assert statuses[:2] == [200, 200]
    assert statuses[-1] == 429
    error = answers[-1].json()["error"]
    assert error["code"] == "CAPACITY_REACHED"
    assert answers[-1]["Retry-After"] == "1"
    assert client.get("/healthz").status_code in (200, 503)


@pytest.mark.parametrize(
    ("peer", "host", "relayed", "here"),
    [
        ("127.0.0.1", "localhost:8000", "", True),
        ("127.0.0.1", "127.0.0.1", "", True),
        ("::1", "[::1]:8000", "", True),
        ("::ffff:127.0.0.1", "localhost", "", True),
        ("127.0.0.1", "localhost:8000", "203.0.113.7", False),
        ("127.0.0.1", "bazaar.example", "", False),
        ("127.0.0.1", "localhost.example:80", "", False),
        ("127.0.0.1", "", "", False),
        ("203.0.113.7", "localhost:8000", "", False),
        ("", "localhost", "", False),
    ],
)
def test_who_asks_from_the_servers_own_machine(
    peer: str, host: str, relayed: str, here: bool
) -> None:
    assert is_from_here(peer, host, relayed) is here


def test_nobody_is_local_to_a_site_with_public_names(settings: Settings) -> None:
    """A proxy on the same machine that hides whom it speaks for makes nobody local."""
    settings.IS_PUBLIC = True
    assert not is_from_here("127.0.0.1", "localhost:8000", "")


def test_a_trainer_on_the_servers_own_machine_is_not_counted(
    client: Client, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """At a pace that would stand still after two."""
    monkeypatch.setattr("negotiation.openenv.views.pace", lambda: Pace(1, 1, clock))
    ask = "/env/bazaar/reset"
    body, kind = {"episode_id": "run"}, "application/json"
    here = [client.post(ask, body, kind, HTTP_HOST="localhost").status_code for _ in range(9)]
    assert set(here) == {200}
    slow = Pace(1, 1, clock)
    monkeypatch.setattr("negotiation.openenv.views.pace", lambda: slow)
    relayed = {"HTTP_HOST": "localhost", "HTTP_X_FORWARDED_FOR": "203.0.113.7"}
    assert client.post(ask, body, kind, **relayed).status_code == 200
    assert [client.post(ask, body, kind, **relayed).status_code for _ in range(3)][-1] == 429


@pytest.mark.parametrize(
    ("headers", "kinds"),
    [
        ([(b"host", b"127.0.0.1:8000")], {"observation"}),
        ([(b"host", b"127.0.0.1:8000"), (b"x-forwarded-for", b"203.0.113.7")], {"error"}),
    ],
)
async def test_its_socket_is_not_slowed_and_one_behind_a_proxy_is(
    headers: list[tuple[bytes, bytes]],
    kinds: set[str],
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
) -> None:
    """Whoever is not of this machine is hours ahead here before its first message."""
    slow = Pace(1, 1, clock)
    for client in ("127.0.0.1", "203.0.113.7"):
        slow.took(client, 10_000)
    monkeypatch.setattr("negotiation.openenv.serving.pace", lambda: slow)
    said = [{"type": "websocket.receive", "text": '{"type":"reset"}'}] * 50
    incoming = iter([{"type": "websocket.connect"}, *said[: 50 if "observation" in kinds else 1]])
    heard: list[str] = []

    async def receive() -> dict[str, Any]:
        return next(incoming, {"type": "websocket.disconnect"})

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            heard.append(json.loads(message["text"])["type"])

    scope = {"headers": headers, "client": ("127.0.0.1", 1)}
    monkeypatch.setattr("negotiation.openenv.serving.LONGEST_WAIT_S", 0)
    await serve_socket(BAZAAR, scope, receive, send)
    assert set(heard) == kinds
