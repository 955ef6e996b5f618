"""What gates and backends have to say to the health page and the operator; no client's name."""

from datetime import date, datetime, timedelta
from typing import Literal

import msgspec
from django.conf import settings
from django.db.models import Count, Max, Sum

from agents.gates.contract import GateName
from agents.gates.keeper import gatekeeper
from agents.gates.ledger import SPENT, counts_in_windows, moment, under_way, utc_day
from agents.gates.rules import DETAILS, WINDOWS, ClientGate, Position, rules
from agents.gates.switches import switches
from agents.models import ModelCall, Switches, Trip

LATENCIES = 200

NOT_ASKED = ("rules", "")


class GateState(msgspec.Struct, frozen=True):
    """One gate today; at a client's gate ``used`` is that of the busiest client."""

    name: GateName
    closed_means: str
    limit: int | None = None
    used: int | None = None
    trips: int = 0
    last_trip: datetime | None = None


class BackendState(msgspec.Struct, frozen=True):
    """One backend; latencies in milliseconds over its last 200 settled calls.

    ``seconds_left`` until a broken one is tried again; "unknown" while Redis is away.
    """

    name: str
    calls_today: int
    microusd_today: int
    breaker: Position | Literal["unknown"]
    failures: int = 0
    seconds_left: int = 0
    latency_p50_ms: int | None = None
    latency_p95_ms: int | None = None
    last_error: str | None = None
    last_error_at: datetime | None = None


class GatesState(msgspec.Struct, frozen=True):
    """Everything of one moment."""

    day: date
    forced_backend: str
    metered_closed: bool
    gates: tuple[GateState, ...]
    backends: tuple[BackendState, ...]

    def gate(self, name: GateName) -> GateState:
        """Find a gate."""
        return next(gate for gate in self.gates if gate.name == name)


def state(now: float) -> GatesState:
    """Look at all gates and backends. A dozen indexed queries; it blocks."""
    row = switches()
    return GatesState(
        day=utc_day(now),
        forced_backend=row.forced_backend,
        metered_closed=row.metered_closed,
        gates=_gates(row, now),
        backends=tuple(_backend(name, now) for name in _names(now)),
    )


def _gates(row: Switches, now: float) -> tuple[GateState, ...]:
    allowed = rules()
    today = ModelCall.objects.filter(metered=True, day=utc_day(now))
    total = today.aggregate(calls=Count("number"), microusd=Sum(SPENT))
    busiest = _busiest(now)
    numbers: dict[GateName, tuple[int | None, int | None]] = {
        "prompt-size": (allowed.prompt_chars, None),
        "switched-off": (None, int(row.metered_closed)),
        **{name: (allowed.windows[name], busiest[name]) for name in WINDOWS},
        "concurrency": (allowed.concurrency, under_way(now)),
        "daily-calls": (allowed.daily_calls, total["calls"]),
        "daily-spend": (allowed.daily_microusd, total["microusd"] or 0),
        "breaker": (allowed.breaker_failures, None),
    }
    trips = Trip.objects.filter(day=utc_day(now)).order_by()
    counts = trips.values_list("gate").annotate(Sum("count"), Max("last_at"))
    tripped = {gate: (count, last_at) for gate, count, last_at in counts}
    return tuple(
        GateState(name, detail, *numbers[name], *tripped.get(name, (0, None)))
        for name, detail in DETAILS.items()
    )


def _busiest(now: float) -> dict[ClientGate, int]:
    day_ago = moment(now) - timedelta(seconds=WINDOWS["day"])
    calls = ModelCall.objects.filter(metered=True, admitted_at__gt=day_ago).order_by()
    clients = list(calls.values("client").annotate(**counts_in_windows(now)).values_list(*WINDOWS))
    columns = zip(*clients, strict=True) if clients else ((0,), (0,), (0,))
    return dict(zip(WINDOWS, map(max, columns), strict=True))


def _names(now: float) -> list[str]:
    asked = ModelCall.objects.filter(day=utc_day(now)).order_by().values_list("backend", flat=True)
    names = [*settings.SAUDA_BACKENDS, *sorted(asked.distinct())]
    return [name for name in dict.fromkeys(names) if name not in NOT_ASKED]


def _backend(name: str, now: float) -> BackendState:
    calls = ModelCall.objects.filter(backend=name)
    today = calls.filter(day=utc_day(now)).aggregate(n=Count("number"), microusd=Sum(SPENT))
    timed = calls.filter(state=ModelCall.State.SETTLED, latency_ms__isnull=False)
    recent = timed.order_by("-admitted_at").values_list("latency_ms", flat=True)
    latencies = sorted(each for each in recent[:LATENCIES] if each is not None)
    failure = calls.filter(failed=True).order_by("-admitted_at").first()
    breaker = gatekeeper().breaker(name)
    until = breaker.open_until if breaker else None
    return BackendState(
        name=name,
        calls_today=today["n"],
        microusd_today=today["microusd"] or 0,
        breaker=breaker.position(now) if breaker else "unknown",
        failures=breaker.failures if breaker else 0,
        seconds_left=max(0, round(until - now)) if until is not None else 0,
        latency_p50_ms=percentile(latencies, 50),
        latency_p95_ms=percentile(latencies, 95),
        last_error=failure.code if failure else None,
        last_error_at=failure.settled_at if failure else None,
    )


def percentile(ordered: list[int], percent: int) -> int | None:
    """Return the nearest-rank percentile of ordered numbers; None of none.

    >>> percentile([10, 20, 30, 40], 50), percentile([10, 20, 30, 40], 95)
    (20, 40)
    """
    if not ordered:
        return None
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]
