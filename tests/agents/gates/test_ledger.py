"""What the ledger keeps, and what it forgets."""

from datetime import date

import pytest
from django.conf import settings
from django.db import DatabaseError, connection
from pytest_django import DjangoAssertNumQueries

from agents.gates import keeper as keepers
from agents.gates import ledger
from agents.gates.contract import GateClosed, Settlement, Ticket
from agents.gates.keeper import DatabaseKeeper, Keeper
from agents.gates.ledger import utc_day
from agents.gates.switches import close_metered, force_backend, sweep, switches
from agents.models import BreakerRow, ModelCall, Switches, Trip
from tests.agents.gates.conftest import NOON, OK, a_call, a_free_call

DAY = 86_400


def test_the_row_is_there_before_the_model_is_asked(keeper: Keeper) -> None:
    ticket = keeper.admit(a_call("asha"), NOON)
    row = ModelCall.objects.get(number=ticket.number)
    assert (row.backend, row.client, row.state, row.code) == ("hf", "asha", "open", "")
    assert (row.reserved_microusd, row.cost_microusd) == (700, None)
    assert (row.admitted_at.timestamp(), row.day) == (NOON, utc_day(NOON))


def test_a_settled_row_says_how_it_went(keeper: Keeper) -> None:
    ticket = keeper.admit(a_call(), NOON)
    settlement = Settlement("http-503", True, 120, 0, prompt_tokens=9, completion_tokens=0)
    keeper.settle(ticket, settlement, NOON + 2)
    row = ModelCall.objects.get(number=ticket.number)
    assert (row.state, row.code, row.failed) == ("settled", "http-503", True)
    assert (row.latency_ms, row.cost_microusd) == (120, 0)
    assert (row.prompt_tokens, row.completion_tokens) == (9, 0)
    assert row.settled_at is not None
    assert row.settled_at.timestamp() == NOON + 2


def test_a_ticket_that_nobody_sold_is_ignored(keeper: Keeper) -> None:
    keeper.settle(Ticket(1, a_call()), OK, NOON)
    assert not ModelCall.objects.exists()


def test_of_two_processes_that_settle_at_once_one_wins(keeper: Keeper) -> None:
    ticket = keeper.admit(a_call(), NOON)
    assert ledger.close(ticket, Settlement("ok", False, 1, 300), NOON)
    assert not ledger.close(ticket, Settlement("ok", False, 1, 5), NOON)
    assert ModelCall.objects.get(number=ticket.number).cost_microusd == 300


def test_a_disbelieved_cost_is_logged_without_the_client(
    keeper: Keeper, caplog: pytest.LogCaptureFixture
) -> None:
    ticket = keeper.admit(a_call("203.0.113.9"), NOON)
    keeper.settle(ticket, Settlement("ok", False, 1, cost_microusd=701), NOON)
    assert "not believed" in caplog.text
    assert "203.0.113.9" not in caplog.text


def test_a_new_day_sweeps_once_what_is_a_month_old(keeper: Keeper) -> None:
    close_metered(True)
    with pytest.raises(GateClosed):
        keeper.admit(a_call(), NOON)
    close_metered(False)
    for call in (a_call("asha"), a_free_call()):
        keeper.settle(keeper.admit(call, NOON), Settlement("ok", False, 5, 600), NOON)
    keeper.admit(a_free_call(), NOON + 30 * DAY)
    assert (Trip.objects.count(), ModelCall.objects.count()) == (1, 3)
    keeper.admit(a_free_call(), NOON + 31 * DAY)
    assert (Trip.objects.count(), ModelCall.objects.count()) == (0, 3)
    [spent] = ModelCall.objects.filter(metered=True)
    assert (spent.client, spent.cost_microusd) == ("", 600)
    assert switches().swept_on == utc_day(NOON + 31 * DAY)
    assert not sweep(NOON + 31 * DAY)


def test_switches_are_one_row_with_the_time_of_the_last_change(db: None) -> None:
    assert switches().changed_at is None
    force_backend("ollama")
    close_metered(True)
    force_backend("")
    row = switches()
    assert (row.forced_backend, row.metered_closed) == ("", True)
    assert row.changed_at is not None
    assert row.changed_at.timestamp() != NOON
    assert Switches.objects.count() == 1


def test_rows_name_what_they_are(keeper: Keeper) -> None:
    ticket = keeper.admit(a_call("203.0.113.9"), NOON)
    row = ModelCall.objects.get(number=ticket.number)
    assert str(row) == f"hf call {ticket.number}"
    assert str(switches()) == "switches"
    assert str(BreakerRow(backend="hf")) == "breaker of hf"
    assert str(Trip(gate="minute", backend="hf", day=date(2026, 1, 2))) == (
        "minute closed to hf on 2026-01-02"
    )


def test_a_database_out_of_order_closes_the_gates_and_never_raises_at_the_end(
    keeper: Keeper, caplog: pytest.LogCaptureFixture
) -> None:
    ticket = keeper.admit(a_call(), NOON)

    def out_of_order(*_: object) -> object:
        raise DatabaseError("no such table")

    with connection.execute_wrapper(out_of_order):
        for call in (a_call(), a_free_call()):
            with pytest.raises(GateClosed) as closed:
                keeper.admit(call, NOON)
            assert closed.value.gate == "switched-off"
        keeper.settle(ticket, OK, NOON)
    assert "could not be settled" in caplog.text
    assert ModelCall.objects.get(number=ticket.number).state == "open"


def test_there_is_one_keeper_in_a_process(keeper: Keeper) -> None:
    assert keepers.gatekeeper() is keeper


def test_a_free_call_takes_no_lock_while_its_backend_is_well(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    keeper = DatabaseKeeper()
    keeper.settle(keeper.admit(a_free_call(), NOON), OK, NOON)  # the first of a day may sweep
    with django_assert_num_queries(2):  # the breaker, the row
        ticket = keeper.admit(a_free_call(), NOON)
    with django_assert_num_queries(2):
        keeper.settle(ticket, OK, NOON)
    broken = Settlement("http-503", True, 1, 0)
    for _ in range(settings.SAUDA_GATES["breaker_failures"]):
        keeper.settle(keeper.admit(a_free_call(), NOON), broken, NOON)
    with pytest.raises(GateClosed):
        keeper.admit(a_free_call(), NOON)
