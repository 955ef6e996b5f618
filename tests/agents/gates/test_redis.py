"""Redis may be flushed, restarted or gone: no budget is reset by it."""

from collections.abc import Callable, Iterator

import pytest
import redis as redis_py
from pytest_django import Settings

from agents.gates import keeper as keepers
from agents.gates.contract import GateClosed, Settlement, Ticket
from agents.gates.keeper import Keeper
from agents.gates.redis_store import RedisKeeper
from agents.gates.rules import Rules
from agents.models import ModelCall
from tests.agents.gates.conftest import FAILED, NOON, OK, WIDE, a_call, a_free_call, admitted
from tests.support.services import Redis

Narrow = Callable[..., None]


@pytest.fixture
def counters(redis_url: str) -> Iterator[redis_py.Redis]:
    """Redis as its operator sees it."""
    with redis_py.Redis.from_url(redis_url, decode_responses=True) as client:
        yield client


@pytest.fixture
def keeper(redis_url: str, settings: Settings, db: None) -> Iterator[Keeper]:
    """The gatekeeper that counts in Redis."""
    settings.SAUDA_GATES = dict(WIDE)
    settings.REDIS_URL = redis_url
    keepers._keeper.cache_clear()
    yield keepers.gatekeeper()
    keepers._keeper.cache_clear()


def test_it_is_the_keeper_where_redis_is_configured(keeper: Keeper) -> None:
    assert isinstance(keeper, RedisKeeper)
    assert keepers.gatekeeper() is keeper


def test_no_key_stays_forever(keeper: Keeper, counters: redis_py.Redis) -> None:
    for how in (OK, FAILED, FAILED, FAILED):
        keeper.settle(keeper.admit(a_call(), NOON), how, NOON)
    keeper.admit(a_call(), NOON + 301)
    keeper.admit(a_free_call(), NOON)
    keys = counters.keys()
    assert len(keys) == 5
    assert [key for key in keys if not 0 < counters.ttl(key) <= 2 * 86_400] == []


@pytest.mark.parametrize(
    ("gates", "gate"),
    [
        ({"daily_calls": 3}, "daily-calls"),
        ({"daily_microusd": 1_499}, "daily-spend"),
        ({"concurrency": 1}, "concurrency"),
        ({"per_minute": 3}, "minute"),
    ],
)
def test_a_flush_resets_nothing(
    keeper: Keeper,
    narrowed: Narrow,
    counters: redis_py.Redis,
    gates: dict[str, float],
    gate: str,
) -> None:
    for cost in (50, 50):
        keeper.settle(keeper.admit(a_call(), NOON), Settlement("ok", False, 9, cost), NOON)
    crashed = keeper.admit(a_call(), NOON)
    narrowed(**gates)
    counters.flushall()
    with pytest.raises(GateClosed) as closed:
        keeper.admit(a_call(), NOON + 1)
    assert closed.value.gate == gate
    # The open call was taken over with its reservation: settling it still gives money back.
    keeper.settle(crashed, Settlement("ok", False, 9, cost_microusd=0), NOON + 2)
    narrowed(**{**WIDE, "daily_microusd": 800})
    keeper.admit(a_call(), NOON + 2)


def test_a_server_that_wakes_up_with_old_counters_is_not_believed(
    keeper: Keeper, narrowed: Narrow, counters: redis_py.Redis
) -> None:
    narrowed(daily_calls=2)
    assert admitted(keeper, a_call(), NOON, tries=3) == 2
    [day] = counters.keys("*day*")
    counters.hset(day, mapping={"run_id": "0" * 40, "calls": 0, "microusd": 0})
    assert admitted(keeper, a_call(), NOON, tries=3) == 0


def test_a_call_settled_in_the_ledger_before_a_flush_gives_nothing_back_twice(
    keeper: Keeper, narrowed: Narrow, counters: redis_py.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrowed(daily_microusd=1_400)
    ticket = keeper.admit(a_call(), NOON)
    assert isinstance(keeper, RedisKeeper)
    tell_redis = keeper._counters.settle

    def flushed_first(*args: object) -> None:
        counters.flushall()
        keeper.admit(a_call(reserve_microusd=700), NOON)
        tell_redis(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(keeper._counters, "settle", flushed_first)
    keeper.settle(ticket, Settlement("ok", False, 9, cost_microusd=100), NOON)
    assert admitted(keeper, a_call(reserve_microusd=600), NOON, tries=2) == 1
    assert admitted(keeper, a_call(reserve_microusd=1), NOON, tries=2) == 0


def test_a_flush_between_counting_and_writing_costs_one_more_try(
    keeper: Keeper, narrowed: Narrow, counters: redis_py.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agents.gates import redis_store

    narrowed(daily_microusd=700)
    write, flushes = redis_store.write_down, iter([True])

    def flushed_before(ticket: Ticket, rules: Rules, now: float) -> None:
        if next(flushes, False):
            counters.flushall()
        write(ticket, rules, now)

    monkeypatch.setattr(redis_store, "write_down", flushed_before)
    ticket = keeper.admit(a_call(), NOON)
    assert ModelCall.objects.get(number=ticket.number).state == "open"
    [lost] = ModelCall.objects.filter(code="counters-lost")
    assert lost.cost_microusd == 0
    assert admitted(keeper, a_call(reserve_microusd=1), NOON, tries=2) == 0


def test_a_server_that_keeps_nothing_lets_no_metered_call_through(
    keeper: Keeper, counters: redis_py.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agents.gates import redis_store

    write = redis_store.write_down

    def flushed_after(ticket: Ticket, rules: Rules, now: float) -> None:
        write(ticket, rules, now)
        counters.flushall()

    monkeypatch.setattr(redis_store, "write_down", flushed_after)
    with pytest.raises(GateClosed) as closed:
        keeper.admit(a_call(), NOON)
    assert closed.value.gate == "switched-off"
    assert not ModelCall.objects.filter(state="open").exists()


def test_an_answer_that_was_lost_on_its_way_is_not_counted_twice(
    keeper: Keeper, narrowed: Narrow, counters: redis_py.Redis
) -> None:
    assert isinstance(keeper, RedisKeeper)
    from agents.gates.rules import rules

    keeper.admit(a_call(), NOON)
    for _ in range(3):
        keeper.settle(keeper.admit(a_free_call(), NOON), FAILED, NOON)
    later = NOON + 301
    for call, verdict in ((a_call(), "in"), (a_free_call(), "probe")):
        said = [keeper._counters.admit(7 + call.metered, call, rules(), later) for _ in range(3)]
        assert said == [verdict] * 3
    [day] = counters.keys("*day*")
    assert counters.hget(day, "calls") == "2"


def test_without_redis_no_metered_call_is_made_and_free_ones_go_on(
    db: None, settings: Settings, fragile: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SAUDA_GATES = dict(WIDE)
    keeper = RedisKeeper(fragile.url)
    before = keeper.admit(a_call(), NOON)
    fragile.stop()
    with pytest.raises(GateClosed) as closed:
        keeper.admit(a_call(), NOON)
    assert closed.value.gate == "switched-off"
    keeper.settle(before, Settlement("ok", False, 9, cost_microusd=10), NOON)
    assert ModelCall.objects.get(number=before.number).cost_microusd == 10
    free = keeper.admit(a_free_call(), NOON)
    keeper.settle(free, OK, NOON)
    assert ModelCall.objects.get(number=free.number).state == "settled"
    fragile.start()
    keeper.admit(a_call(), NOON)
    assert "counters are out of order" in caplog.text
