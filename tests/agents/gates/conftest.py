"""Both gatekeepers on real counters, and calls to let through."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis as redis_py
from pytest_django import Settings

from agents.gates import keeper as keepers
from agents.gates.contract import Call, Gatekeeper, Settlement
from agents.gates.keeper import Keeper
from tests.support.services import Redis, skip_without

NOON = 1_790_000_000.0 - 1_790_000_000 % 86_400 + 43_200
"""Twelve o'clock UTC of a day in 2026."""

OK = Settlement("ok", broken=False, latency_ms=900)
FAILED = Settlement("too-slow", broken=True, latency_ms=8_000)

WIDE = {
    "prompt_chars": 4_000,
    "per_minute": 10_000,
    "per_hour": 10_000,
    "per_day": 10_000,
    "concurrency": 10_000,
    "daily_calls": 10_000,
    "daily_microusd": 10_000_000,
    "breaker_failures": 3,
    "breaker_open_s": 300.0,
}
"""Every gate wide open; a test narrows the one it is about."""


def a_call(client: str = "asha", **changes: Any) -> Call:
    """A metered call of 700 micro-dollars."""
    values = {"metered": True, "prompt_chars": 2_000, "reserve_microusd": 700, **changes}
    return Call(backend=values.pop("backend", "hf"), client=client, **values)


def a_free_call(backend: str = "ollama") -> Call:
    """A call that costs nothing."""
    return Call(backend=backend, client="asha", prompt_chars=99_999)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    """A Redis of this test run."""
    skip_without("redis-server")
    with Redis() as running:
        yield running


@pytest.fixture
def fragile() -> Iterator[Redis]:
    """A Redis of one test, which may stop it."""
    skip_without("redis-server")
    with Redis() as running:
        yield running


@pytest.fixture
def redis_url(redis_server: Redis) -> str:
    """An empty Redis."""
    with redis_py.Redis.from_url(redis_server.url) as client:
        client.flushall()
    return redis_server.url


@pytest.fixture(params=["database", "redis"])
def keeper(request: pytest.FixtureRequest, settings: Settings, db: None) -> Iterator[Keeper]:
    """Each gatekeeper in turn, with every gate wide open."""
    settings.SAUDA_GATES = dict(WIDE)
    is_redis = request.param == "redis"
    settings.REDIS_URL = request.getfixturevalue("redis_url") if is_redis else None
    keepers._keeper.cache_clear()
    yield keepers.gatekeeper()
    keepers._keeper.cache_clear()


@pytest.fixture
def narrowed(settings: Settings) -> Callable[..., None]:
    """Narrow gates: ``narrowed(per_minute=3)``."""

    def narrow(**gates: float) -> None:
        settings.SAUDA_GATES = {**settings.SAUDA_GATES, **gates}

    return narrow


def admitted(keeper: Gatekeeper, call: Call, now: float, tries: int) -> int:
    """How many of some calls in a row are let through."""
    from agents.gates.contract import GateClosed

    passed = 0
    for _ in range(tries):
        try:
            keeper.admit(call, now)
        except GateClosed:
            continue
        passed += 1
    return passed
