"""What operators and the health page are told."""

from collections.abc import Callable

import msgspec
import pytest
from pytest_django import Settings

from agents.gates.contract import GateClosed, Settlement
from agents.gates.keeper import Keeper
from agents.gates.redis_store import RedisKeeper
from agents.gates.report import BackendState, percentile, state
from agents.gates.switches import close_metered, force_backend
from tests.agents.gates.conftest import FAILED, NOON, WIDE, a_call, a_free_call
from tests.support.services import Redis

Narrow = Callable[..., None]


def backend(name: str, now: float = NOON) -> BackendState:
    return next(each for each in state(now).backends if each.name == name)


def test_a_quiet_day_is_told_with_all_its_gates(keeper: Keeper, settings: Settings) -> None:
    quiet = state(NOON)
    assert [gate.name for gate in quiet.gates] == [
        "prompt-size",
        "switched-off",
        "minute",
        "hour",
        "day",
        "concurrency",
        "daily-calls",
        "daily-spend",
        "breaker",
    ]
    assert [each.name for each in quiet.backends] == ["hf", "ollama", "local"]
    assert quiet.gate("daily-calls").used == 0
    assert quiet.gate("minute").used == 0
    assert backend("hf") == BackendState("hf", 0, 0, "closed")
    settings.SAUDA_BACKENDS = ("rules",)
    assert state(NOON).backends == ()


def test_use_is_counted_as_the_gates_count_it(keeper: Keeper) -> None:
    for client, at in (("asha", 0), ("asha", 100), ("asha", 110), ("bilal", 100)):
        keeper.admit(a_call(client), NOON + at)
    ended = keeper.admit(a_call("bilal"), NOON + 110)
    keeper.settle(ended, Settlement("ok", False, 5, cost_microusd=10), NOON + 111)
    now = state(NOON + 120)
    used = {gate.name: gate.used for gate in now.gates}
    assert (used["minute"], used["hour"], used["day"]) == (2, 3, 3)
    assert (used["daily-calls"], used["daily-spend"]) == (5, 4 * 700 + 10)
    assert used["concurrency"] == 3  # the first one's lease has run out
    assert now.gate("daily-spend").limit == WIDE["daily_microusd"]
    hf = backend("hf", NOON + 120)
    assert (hf.calls_today, hf.microusd_today) == (5, 4 * 700 + 10)


def test_latencies_are_of_the_last_two_hundred_settled_calls(keeper: Keeper) -> None:
    for place in range(201):
        ticket = keeper.admit(a_free_call(), NOON + place)
        took = 90_000 if place == 0 else place
        keeper.settle(ticket, Settlement("ok", False, took), NOON + place)
    keeper.admit(a_free_call(), NOON + 300)
    ollama = backend("ollama")
    assert (ollama.latency_p50_ms, ollama.latency_p95_ms) == (100, 190)


def test_percentiles_are_of_the_nearest_rank() -> None:
    assert percentile([], 50) is None
    assert (percentile([7], 50), percentile([7], 95)) == (7, 7)
    assert percentile([1, 2, 3], 50) == 2


def test_errors_and_breakers_are_told(keeper: Keeper) -> None:
    for at in range(3):
        keeper.settle(keeper.admit(a_call(), NOON + at), FAILED, NOON + at)
    hf = backend("hf", NOON + 10)
    assert (hf.breaker, hf.failures, hf.seconds_left) == ("open", 3, 292)
    assert hf.last_error == "too-slow"
    assert hf.last_error_at is not None
    assert hf.last_error_at.timestamp() == NOON + 2
    assert backend("hf", NOON + 302).breaker == "half-open"
    assert backend("hf", NOON + 302).seconds_left == 0


def test_refusals_are_counted_by_gate_and_name_no_client(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(per_minute=1)
    keeper.admit(a_call("203.0.113.9"), NOON)
    keeper.admit(a_call("203.0.113.8"), NOON)
    for client in ("203.0.113.9", "203.0.113.9", "203.0.113.8"):
        with pytest.raises(GateClosed):
            keeper.admit(a_call(client), NOON + 5)
    now = state(NOON + 6)
    assert now.gate("minute").trips == 3
    assert now.gate("minute").last_trip is not None
    assert now.gate("hour").trips == 0
    assert b"203.0.113" not in msgspec.json.encode(now)


def test_the_operators_hand_is_told(keeper: Keeper) -> None:
    close_metered(True)
    force_backend("local")
    now = state(NOON)
    assert now.metered_closed
    assert now.forced_backend == "local"
    assert now.gate("switched-off").used == 1


def test_backends_that_were_taken_out_of_the_order_are_told_until_midnight(
    keeper: Keeper, settings: Settings
) -> None:
    keeper.admit(a_free_call("ollama"), NOON)
    settings.SAUDA_BACKENDS = ("hf", "rules")
    assert [each.name for each in state(NOON).backends] == ["hf", "ollama"]
    assert [each.name for each in state(NOON + 86_400).backends] == ["hf"]


def test_without_redis_breakers_are_unknown_and_the_page_lives(
    db: None, settings: Settings, fragile: Redis
) -> None:
    from agents.gates import keeper as keepers

    settings.REDIS_URL = fragile.url
    keeper = keepers.gatekeeper()
    fragile.stop()
    assert isinstance(keeper, RedisKeeper)
    assert not keeper.reset_breaker("hf")
    assert backend("hf").breaker == "unknown"
