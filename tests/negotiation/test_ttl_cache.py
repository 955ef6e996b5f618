"""What is made once for many: no older than asked for, and never more than fits."""

from collections.abc import Iterator

import pytest

from negotiation import ttl_cache


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    ttl_cache.forget()
    yield
    ttl_cache.forget()


def test_a_thing_is_made_once_while_it_is_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(range(10))
    clock = [100.0]
    monkeypatch.setattr(ttl_cache.time, "monotonic", lambda: clock[0])
    assert ttl_cache.cached("lamp", 5.0, lambda: next(made)) == 0
    clock[0] += 4.9
    assert ttl_cache.cached("lamp", 5.0, lambda: next(made)) == 0
    clock[0] += 0.1
    assert ttl_cache.cached("lamp", 5.0, lambda: next(made)) == 1


def test_it_is_time_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(ttl_cache.time, "monotonic", lambda: clock[0])
    assert ttl_cache.is_time("look", 10.0)
    assert not ttl_cache.is_time("look", 10.0)
    clock[0] += 10.0
    assert ttl_cache.is_time("look", 10.0)


def test_the_oldest_entries_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ttl_cache, "MOST_KEPT", 2)
    for name in ("first", "second", "first", "third"):
        ttl_cache.put(name, name)
    assert [ttl_cache.get(name) for name in ("first", "second", "third")] == [
        "first", None, "third",
    ]  # fmt: skip
