"""Each gate closes at its number, in order, and opens again."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from agents.gates.contract import GateClosed, Settlement
from agents.gates.keeper import Keeper
from agents.gates.switches import close_metered
from agents.models import ModelCall, Trip
from tests.agents.gates.conftest import NOON, OK, WIDE, a_call, a_free_call, admitted

Narrow = Callable[..., None]
DAY = 86_400


def gate_of(keeper: Keeper, now: float = NOON, **call: object) -> str:
    """Name of the gate that is closed to a call."""
    with pytest.raises(GateClosed) as closed:
        keeper.admit(a_call(**call), now)  # type: ignore[arg-type]
    assert closed.value.code == f"gate-{closed.value.gate}"
    return closed.value.gate


def test_a_long_prompt_is_not_sent_to_a_metered_model(keeper: Keeper) -> None:
    keeper.admit(a_call(prompt_chars=4_000), NOON)
    assert gate_of(keeper, prompt_chars=4_001) == "prompt-size"


@pytest.mark.parametrize(
    ("setting", "gate", "seconds"),
    [("per_minute", "minute", 60), ("per_hour", "hour", 3_600), ("per_day", "day", DAY)],
)
def test_a_client_has_so_many_calls_in_a_moving_window(
    keeper: Keeper, narrowed: Narrow, setting: str, gate: str, seconds: int
) -> None:
    narrowed(**{setting: 3})
    for place in range(3):
        keeper.admit(a_call("mallory"), NOON + place)
    assert gate_of(keeper, NOON + 3, client="mallory") == gate
    keeper.admit(a_call("asha"), NOON + 3)
    assert gate_of(keeper, NOON + seconds - 0.001, client="mallory") == gate
    keeper.admit(a_call("mallory"), NOON + seconds)
    assert gate_of(keeper, NOON + seconds + 0.5, client="mallory") == gate


def test_refused_calls_do_not_lengthen_a_window(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(per_minute=1)
    keeper.admit(a_call(), NOON)
    assert admitted(keeper, a_call(), NOON + 59, tries=5) == 0
    keeper.admit(a_call(), NOON + 60)


def test_so_many_calls_are_under_way_at_once(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(concurrency=2)
    first = keeper.admit(a_call("asha"), NOON)
    keeper.admit(a_call("bilal"), NOON)
    assert gate_of(keeper, client="mallory") == "concurrency"
    keeper.settle(first, OK, NOON + 1)
    keeper.admit(a_call("mallory"), NOON + 1)
    assert gate_of(keeper, NOON + 1) == "concurrency"


def test_a_crashed_call_frees_its_place_after_its_lease_but_keeps_its_money(
    keeper: Keeper, narrowed: Narrow, settings: Settings
) -> None:
    narrowed(concurrency=1, daily_microusd=1_400)
    lease = 2 * settings.SAUDA_OLLAMA["timeout_s"]
    keeper.admit(a_call(), NOON)
    assert gate_of(keeper, NOON + lease - 0.001) == "concurrency"
    second = keeper.admit(a_call(), NOON + lease)
    keeper.settle(second, OK, NOON + lease + 1)
    assert gate_of(keeper, NOON + lease + 2) == "daily-spend"


def test_so_many_calls_are_made_a_day(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(daily_calls=2)
    for client in ("asha", "bilal"):
        keeper.settle(keeper.admit(a_call(client), NOON), OK, NOON)
    assert gate_of(keeper, client="mallory") == "daily-calls"


def test_money_is_reserved_before_a_call(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(daily_microusd=2_099)
    assert admitted(keeper, a_call(), NOON, tries=5) == 2
    assert gate_of(keeper) == "daily-spend"
    keeper.admit(a_call(reserve_microusd=699), NOON)
    assert gate_of(keeper, reserve_microusd=1) == "daily-spend"
    keeper.admit(a_call(reserve_microusd=0), NOON)


def test_what_a_call_did_not_cost_is_given_back(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(daily_microusd=1_000)
    ticket = keeper.admit(a_call(), NOON)
    assert gate_of(keeper, reserve_microusd=301) == "daily-spend"
    keeper.settle(ticket, Settlement("ok", False, 900, cost_microusd=100), NOON + 1)
    keeper.admit(a_call(reserve_microusd=900), NOON + 1)


def test_a_call_that_reached_nobody_gives_everything_back(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(daily_microusd=700)
    ticket = keeper.admit(a_call(), NOON)
    keeper.settle(ticket, Settlement("unreachable", True, 3, cost_microusd=0), NOON)
    keeper.admit(a_call(), NOON)


@pytest.mark.parametrize("claimed", [None, 701, 10**15, -1])
def test_an_unknown_or_unbelievable_cost_counts_as_the_reservation(
    keeper: Keeper, narrowed: Narrow, claimed: int | None
) -> None:
    narrowed(daily_microusd=1_000)
    ticket = keeper.admit(a_call(), NOON)
    keeper.settle(ticket, Settlement("ok", False, 900, cost_microusd=claimed), NOON)
    assert gate_of(keeper, reserve_microusd=301) == "daily-spend"
    keeper.admit(a_call(reserve_microusd=300), NOON)


def test_a_reservation_below_nothing_earns_nothing(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(daily_microusd=700)
    keeper.admit(a_call(reserve_microusd=-5_000), NOON)
    assert admitted(keeper, a_call(), NOON, tries=3) == 1


def test_a_second_settlement_is_ignored(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(daily_microusd=1_000, concurrency=1)
    ticket = keeper.admit(a_call(), NOON)
    keeper.settle(ticket, Settlement("ok", False, 900, cost_microusd=600), NOON)
    second = keeper.admit(a_call(reserve_microusd=100), NOON)
    keeper.settle(ticket, Settlement("ok", False, 1, cost_microusd=0), NOON)
    assert gate_of(keeper, reserve_microusd=0) == "concurrency"
    keeper.settle(second, OK, NOON)
    assert gate_of(keeper, reserve_microusd=301) == "daily-spend"
    assert ModelCall.objects.get(number=ticket.number).cost_microusd == 600


def test_a_new_day_begins_at_midnight_utc(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(daily_microusd=700, daily_calls=1)
    midnight = NOON + DAY / 2
    keeper.admit(a_call(), midnight - 0.001)
    assert gate_of(keeper, midnight - 0.001) == "daily-calls"
    keeper.admit(a_call(), midnight)
    assert gate_of(keeper, midnight) == "daily-calls"


def test_a_call_over_midnight_is_settled_on_its_own_day(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(daily_microusd=700)
    midnight = NOON + DAY / 2
    late = keeper.admit(a_call(), midnight - 1)
    early = keeper.admit(a_call(reserve_microusd=600), midnight + 1)
    keeper.settle(late, Settlement("ok", False, 2_000, cost_microusd=0), midnight + 2)
    assert gate_of(keeper, midnight + 3, reserve_microusd=101) == "daily-spend"
    keeper.admit(a_call(reserve_microusd=700), midnight - 0.5)
    assert ModelCall.objects.get(number=early.number).day.day == (
        ModelCall.objects.get(number=late.number).day.day + 1
    )


def test_gates_are_checked_in_their_order_and_a_refusal_counts_nothing(
    keeper: Keeper, narrowed: Narrow
) -> None:
    shut: dict[str, float] = {
        "per_minute": 0,
        "per_hour": 0,
        "per_day": 0,
        "concurrency": 0,
        "daily_calls": 0,
        "daily_microusd": 0,
    }
    narrowed(**shut)
    close_metered(True)
    assert gate_of(keeper, prompt_chars=9_999) == "prompt-size"
    assert gate_of(keeper) == "switched-off"
    close_metered(False)
    met = []
    for setting in shut:
        met.append(gate_of(keeper))
        narrowed(**{setting: WIDE[setting]})
    assert met == ["minute", "hour", "day", "concurrency", "daily-calls", "daily-spend"]
    assert not ModelCall.objects.exists()
    assert sum(trip.count for trip in Trip.objects.all()) == 8
    keeper.admit(a_call(), NOON)


def test_free_calls_meet_no_counters_and_leave_a_row(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(per_minute=0, concurrency=0, daily_calls=0, daily_microusd=0)
    close_metered(True)
    ticket = keeper.admit(a_free_call(), NOON)
    keeper.settle(ticket, OK, NOON + 1)
    row = ModelCall.objects.get(number=ticket.number)
    assert (row.backend, row.metered, row.state, row.latency_ms) == (
        "ollama",
        False,
        "settled",
        900,
    )
    narrowed(**WIDE)
    close_metered(False)
    narrowed(daily_calls=1)
    keeper.admit(a_call(), NOON)


def test_a_switch_acts_on_the_next_call(keeper: Keeper) -> None:
    keeper.admit(a_call(), NOON)
    close_metered(True)
    assert gate_of(keeper) == "switched-off"
    close_metered(False)
    keeper.admit(a_call(), NOON)


def test_a_refusal_tells_nothing_of_the_client(keeper: Keeper, narrowed: Narrow) -> None:
    narrowed(per_minute=0)
    with pytest.raises(GateClosed) as closed:
        keeper.admit(a_call("203.0.113.9"), NOON)
    assert "203.0.113.9" not in str(closed.value)
