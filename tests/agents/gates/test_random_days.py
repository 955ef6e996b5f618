"""Whatever happens in whatever order: what is spent and reserved never passes the cap."""

import redis as redis_py
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.gates.contract import GateClosed, GateName, Settlement, Ticket
from agents.gates.keeper import Keeper
from agents.gates.ledger import under_way
from agents.gates.redis_store import RedisKeeper
from agents.gates.report import state
from agents.models import ModelCall, Switches
from tests.agents.gates.conftest import NOON, WIDE, a_call

CAP, CALLS, AT_ONCE, A_MINUTE = 2_000, 12, 3, 5

admits = st.tuples(st.just("admit"), st.sampled_from(["asha", "mallory"]), st.integers(-100, 900))
settles = st.tuples(st.just("settle"), st.integers(0, 9), st.none() | st.integers(-100, 2_000))
waits = st.tuples(st.just("wait"), st.sampled_from([0, 1, 20, 41, 61, 4_000]), st.none())
flushes = st.tuples(st.just("flush"), st.none(), st.none())
steps = st.lists(st.one_of(admits, admits, settles, settles, waits, flushes), max_size=40)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=steps)
def test_no_order_of_events_passes_a_cap(
    keeper: Keeper, steps: list[tuple[str, object, object]]
) -> None:
    from django.conf import settings as site

    site.SAUDA_GATES = {
        **WIDE,
        "daily_microusd": CAP,
        "daily_calls": CALLS,
        "concurrency": AT_ONCE,
        "per_minute": A_MINUTE,
    }
    ModelCall.objects.all().delete()
    Switches.objects.all().delete()
    flush(keeper)
    now, tickets = NOON, list[Ticket]()
    for what, which, amount in steps:
        if what == "admit":
            admit(keeper, tickets, str(which), amount, now)
        elif what == "settle" and tickets:
            ticket = tickets[int(str(which)) % len(tickets)]
            cost = None if amount is None else int(str(amount))
            keeper.settle(ticket, Settlement("ok", False, 1, cost), now)
        elif what == "wait":
            now += int(str(which))
        elif what == "flush":
            flush(keeper)
        holds_its_promises(now)


def admit(keeper: Keeper, tickets: list[Ticket], client: str, reserve: object, now: float) -> None:
    try:
        tickets.append(keeper.admit(a_call(client, reserve_microusd=int(str(reserve))), now))
    except GateClosed as closed:
        is_closed_for_a_reason(closed.gate, int(str(reserve)), now)


def is_closed_for_a_reason(name: GateName, reserve: int, now: float) -> None:
    """Gates refuse by what the ledger says, also after Redis was emptied."""
    gate = state(now).gate(name)
    assert gate.used is not None
    assert gate.limit is not None
    wanted = reserve if name == "daily-spend" else 1
    assert gate.used + wanted > gate.limit


def holds_its_promises(now: float) -> None:
    today = state(now)
    spent, calls, busiest = (
        today.gate(name).used for name in ("daily-spend", "daily-calls", "minute")
    )
    assert spent is not None
    assert 0 <= spent <= CAP
    assert (calls or 0) <= CALLS
    assert (busiest or 0) <= A_MINUTE
    assert under_way(now) <= AT_ONCE


def flush(keeper: Keeper) -> None:
    if isinstance(keeper, RedisKeeper):
        redis: redis_py.Redis = keeper._counters._redis
        redis.flushall()
