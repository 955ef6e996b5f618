"""What the site says of its models: true, quick, and nothing that helps a stranger."""

import json
import time
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from agents.gates.contract import GateName
from tests.support.model_answers import Status
from tests.support.modelled import TOKEN, Models
from tests.support.people import Visitor

LOOK_AGAIN_S = 90.0


@pytest.fixture
def bilal(models: Models) -> Iterator[Visitor]:
    """Bilal, who looks."""
    visitor = Visitor(models.site)
    yield visitor
    visitor.close()


def health(visitor: Visitor) -> dict[str, Any]:
    answer = visitor.http.get("/sauda/health")
    assert answer.status_code == 200
    return dict(answer.json())


def backend(told: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in told["backends"] if one["name"] == name)


def until(visitor: Visitor, name: str, *, reachable: bool) -> dict[str, Any]:
    """Look until a backend's sign of life has changed; signs are kept for a while."""
    deadline = time.monotonic() + LOOK_AGAIN_S
    while True:
        told = health(visitor)
        if backend(told, name)["reachable"] == reachable:
            return told
        assert time.monotonic() < deadline, told
        time.sleep(0.5)


def test_every_backend_and_gate_is_told(bilal: Visitor) -> None:
    told = until(bilal, "hf", reachable=True)
    assert [one["name"] for one in told["backends"]] == ["hf", "ollama", "local"]
    assert tuple(one["name"] for one in told["gates"]) == get_args(GateName)
    assert told["speaking"] == "hf"
    assert backend(told, "local")["configured"] is False
    assert backend(told, "hf")["breaker"]["state"] == "closed"


async def test_latencies_and_the_last_error_come_from_real_calls(
    models: Models, bilal: Visitor
) -> None:
    models.hf.always(Status(503))
    game_id = bilal.opens()
    async with bilal.at(game_id) as line:
        await line.send("sync")
        await line.hear_bid()
    told = health(bilal)
    assert backend(told, "hf")["last_error"] == "http-503"
    assert backend(told, "hf")["breaker"]["failures"] == 1
    assert (
        backend(told, "ollama")["latency_ms"]["p95"] >= backend(told, "ollama")["latency_ms"]["p50"]
    )


def test_a_dead_server_is_seen_and_its_return_too(models: Models, bilal: Visitor) -> None:
    until(bilal, "hf", reachable=True)
    models.hf.stop()
    try:
        told = until(bilal, "hf", reachable=False)
        assert backend(told, "hf")["error"] == "unreachable"
        assert told["speaking"] == "ollama"
        voices = bilal.http.get("/sauda/backends").json()["results"]
        assert {one["name"]: one["available"] for one in voices} == {
            "any": True,
            "hf": False,
            "ollama": True,
            "local": False,
            "rules": True,
        }
    finally:
        models.hf.start()
    until(bilal, "hf", reachable=True)


def test_a_stranger_learns_no_secret_no_spending_and_no_client(bilal: Visitor) -> None:
    told = json.dumps(health(bilal)) + bilal.http.get("/sauda/backends").text
    for hidden in (TOKEN, "127.0.0.1", "microusd", "used", "limit", "client"):
        assert hidden not in told


def test_a_hundred_looks_are_one_probe(models: Models, bilal: Visitor) -> None:
    until(bilal, "hf", reachable=True)
    before = models.hf.connections + models.ollama.connections
    for _ in range(100):
        health(bilal)
    assert models.hf.connections + models.ollama.connections - before <= 2


async def test_a_visitor_may_choose_a_voice(models: Models, bilal: Visitor) -> None:
    for policy, backend_name in (("sauda:ollama", "ollama"), ("sauda:rules", "rules")):
        game_id = bilal.opens(policy=policy)
        async with bilal.at(game_id) as line:
            await line.send("sync")
            bid = await line.hear_event("offer", "buyer")
        assert bid["backend"] == backend_name
    assert not models.hf.asked
