"""A failing backend is left alone; then one call, and one only, tries it again."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from agents.gates.contract import Call, GateClosed, Settlement
from agents.gates.keeper import Keeper
from agents.gates.rules import Breaker
from agents.gates.switches import close_metered
from tests.agents.gates.conftest import FAILED, NOON, OK, a_call, a_free_call, admitted

Narrow = Callable[..., None]
CANCELLED = Settlement("cancelled", broken=False, latency_ms=100)
OPEN_S = 300


def goes(keeper: Keeper, how: Settlement, now: float = NOON, call: Call | None = None) -> None:
    """One call from beginning to end."""
    keeper.settle(keeper.admit(call or a_call(), now), how, now)


def stands(keeper: Keeper, now: float, backend: str = "hf") -> str:
    """Where a backend's breaker stands."""
    breaker = keeper.breaker(backend)
    assert breaker is not None
    return breaker.position(now)


def broken(keeper: Keeper, now: float = NOON, call: Call | None = None) -> None:
    """Three calls in a row fail."""
    for _ in range(3):
        goes(keeper, FAILED, now, call)


def test_three_failures_in_a_row_open_it(keeper: Keeper) -> None:
    goes(keeper, FAILED)
    goes(keeper, FAILED)
    assert stands(keeper, NOON) == "closed"
    goes(keeper, FAILED)
    assert stands(keeper, NOON) == "open"
    with pytest.raises(GateClosed) as closed:
        keeper.admit(a_call(), NOON + OPEN_S - 0.001)
    assert closed.value.gate == "breaker"


def test_a_success_between_failures_starts_the_count_again(keeper: Keeper) -> None:
    for how in (FAILED, FAILED, OK, FAILED, FAILED):
        goes(keeper, how)
    assert stands(keeper, NOON) == "closed"
    goes(keeper, FAILED)
    assert stands(keeper, NOON) == "open"


def test_a_cancelled_call_says_nothing_of_the_backend(keeper: Keeper) -> None:
    for how in (FAILED, FAILED, CANCELLED, FAILED):
        goes(keeper, how)
    assert stands(keeper, NOON) == "open"


def test_a_broken_answer_counts_even_when_it_is_called_ok(keeper: Keeper) -> None:
    broken(keeper)
    other = Settlement("ok", broken=True, latency_ms=1)
    for _ in range(3):
        goes(keeper, other, call=a_free_call())
    assert stands(keeper, NOON, "ollama") == "open"


@pytest.mark.parametrize("call", [a_call(), a_free_call()], ids=["metered", "free"])
def test_half_open_lets_one_of_ten_through(keeper: Keeper, call: Call) -> None:
    broken(keeper, call=call)
    later = NOON + OPEN_S
    assert stands(keeper, later, call.backend) == "half-open"
    assert admitted(keeper, call, later, tries=10) == 1


def test_a_probe_that_succeeds_closes_it(keeper: Keeper) -> None:
    broken(keeper)
    probe = keeper.admit(a_call(), NOON + OPEN_S)
    assert probe.probe
    keeper.settle(probe, OK, NOON + OPEN_S + 1)
    assert admitted(keeper, a_call(), NOON + OPEN_S + 1, tries=10) == 10
    assert keeper.breaker("hf") == Breaker()


def test_a_probe_that_fails_opens_it_for_as_long_again(keeper: Keeper) -> None:
    broken(keeper)
    keeper.settle(keeper.admit(a_call(), NOON + OPEN_S), FAILED, NOON + OPEN_S + 8)
    assert admitted(keeper, a_call(), NOON + 2 * OPEN_S + 7, tries=3) == 0
    assert admitted(keeper, a_call(), NOON + 2 * OPEN_S + 8, tries=3) == 1


def test_a_probe_that_was_cancelled_leaves_its_place_to_the_next(keeper: Keeper) -> None:
    broken(keeper)
    keeper.settle(keeper.admit(a_call(), NOON + OPEN_S), CANCELLED, NOON + OPEN_S)
    assert admitted(keeper, a_call(), NOON + OPEN_S, tries=10) == 1


def test_a_crashed_probe_frees_its_place_after_its_lease(
    keeper: Keeper, settings: Settings
) -> None:
    broken(keeper)
    lease = 2 * settings.SAUDA_OLLAMA["timeout_s"]
    crashed = keeper.admit(a_call(), NOON + OPEN_S)
    assert admitted(keeper, a_call(), NOON + OPEN_S + lease - 0.001, tries=3) == 0
    assert admitted(keeper, a_call(), NOON + OPEN_S + lease, tries=10) == 1
    keeper.settle(crashed, OK, NOON + OPEN_S + lease + 1)
    assert stands(keeper, NOON + OPEN_S + lease + 1, "hf") == "half-open"


def test_calls_from_before_it_opened_are_not_heard(keeper: Keeper) -> None:
    slow, slower = keeper.admit(a_call(), NOON), keeper.admit(a_call(), NOON)
    broken(keeper)
    keeper.settle(slow, OK, NOON + 1)
    assert stands(keeper, NOON + 1, "hf") == "open"
    keeper.settle(slower, FAILED, NOON + 200)
    assert stands(keeper, NOON + OPEN_S, "hf") == "half-open"


def test_each_backend_has_its_own(keeper: Keeper) -> None:
    broken(keeper)
    goes(keeper, OK, call=a_free_call())
    assert stands(keeper, NOON, "ollama") == "closed"


def test_an_operator_may_close_it_by_hand(keeper: Keeper) -> None:
    broken(keeper)
    assert keeper.reset_breaker("hf")
    assert keeper.reset_breaker("local")
    assert admitted(keeper, a_call(), NOON, tries=5) == 5


def test_a_refusal_by_the_breaker_reserves_nothing(keeper: Keeper, narrowed: Narrow) -> None:
    broken(keeper, call=a_call(reserve_microusd=0))
    narrowed(daily_microusd=700, daily_calls=4)
    assert admitted(keeper, a_call(), NOON, tries=9) == 0
    assert admitted(keeper, a_call(), NOON + OPEN_S, tries=9) == 1


def test_it_is_asked_last(keeper: Keeper) -> None:
    broken(keeper)
    close_metered(True)
    with pytest.raises(GateClosed) as closed:
        keeper.admit(a_call(), NOON)
    assert closed.value.gate == "switched-off"
