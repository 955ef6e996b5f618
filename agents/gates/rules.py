"""The numbers of the gates, which of them is closed to a call, and the breaker of a backend.

A breaker is closed until ``breaker_failures`` calls in a row have failed; then open for
``breaker_open_s``; then half-open: one call alone, the probe, is let through, and how it went
closes the breaker or opens it again. A probe whose process died frees its place when its lease
runs out. ``lua/admit.lua`` and ``lua/settle.lua`` say the same to Redis.
"""

from typing import Any, Final, Literal

import msgspec
from django.conf import settings

from agents.gates.contract import Call, GateName, Settlement

ClientGate = Literal["minute", "hour", "day"]

WINDOWS: Final[dict[ClientGate, int]] = {"minute": 60, "hour": 3_600, "day": 86_400}

DETAILS: Final[dict[GateName, str]] = {
    "prompt-size": "The prompt is longer than a metered model is sent.",
    "switched-off": "The operator has closed the way to metered models.",
    "minute": "This client has caused its calls of the minute.",
    "hour": "This client has caused its calls of the hour.",
    "day": "This client has caused its calls of the day.",
    "concurrency": "As many metered calls as may be under way are under way.",
    "daily-calls": "The metered calls of the day are used up.",
    "daily-spend": "The money of the day would not cover this call.",
    "breaker": "The backend failed several times in a row and is left alone.",
}

NO_COUNTERS: Final = "The counters cannot be reached, so no metered call is made."


class Rules(msgspec.Struct, frozen=True):
    """What the operator allows.

    ``windows`` are most calls of one client in each of ``WINDOWS``; after ``lease_s`` seconds a
    call that was never settled is given up for crashed.
    """

    prompt_chars: int
    windows: dict[ClientGate, int]
    concurrency: int
    daily_calls: int
    daily_microusd: int
    breaker_failures: int
    breaker_open_s: float
    lease_s: float


def rules() -> Rules:
    """Read the settings of now. A lease is twice the longest that any backend may take."""
    gates = settings.SAUDA_GATES
    backends: tuple[dict[str, Any], ...] = (
        settings.SAUDA_HF,
        settings.SAUDA_OLLAMA,
        settings.SAUDA_LOCAL,
    )
    longest = max(settings.SAUDA_TURN_BUDGET_S, *(float(each["timeout_s"]) for each in backends))
    return Rules(
        prompt_chars=int(gates["prompt_chars"]),
        windows={
            "minute": int(gates["per_minute"]),
            "hour": int(gates["per_hour"]),
            "day": int(gates["per_day"]),
        },
        concurrency=int(gates["concurrency"]),
        daily_calls=int(gates["daily_calls"]),
        daily_microusd=int(gates["daily_microusd"]),
        breaker_failures=int(gates["breaker_failures"]),
        breaker_open_s=float(gates["breaker_open_s"]),
        lease_s=2 * longest,
    )


class Use(msgspec.Struct, frozen=True):
    """What is used up when a metered call asks: by its client, by everybody, in the UTC day."""

    windows: dict[ClientGate, int]
    under_way: int
    calls: int
    microusd: int


def reservation(call: Call) -> int:
    """Millionths of a dollar that are set aside for a call; at least 0, and 0 if not metered."""
    return max(0, call.reserve_microusd) if call.metered else 0


def closed_by_hand(call: Call, rules: Rules, metered_closed: bool) -> GateName | None:
    """Name the gate that is closed whatever was used; None if neither is."""
    if not call.metered:
        return None
    if call.prompt_chars > rules.prompt_chars:
        return "prompt-size"
    return "switched-off" if metered_closed else None


def used_up(call: Call, rules: Rules, use: Use) -> GateName | None:
    """Name the first gate that a metered call finds used up; None if it may go on."""
    for gate in WINDOWS:
        if use.windows[gate] >= rules.windows[gate]:
            return gate
    if use.under_way >= rules.concurrency:
        return "concurrency"
    if use.calls >= rules.daily_calls:
        return "daily-calls"
    if use.microusd + reservation(call) > rules.daily_microusd:
        return "daily-spend"
    return None


Position = Literal["closed", "open", "half-open"]


class Breaker(msgspec.Struct, frozen=True):
    """One backend's breaker; ``open_until`` None: closed, ``probe``: the call that tries again."""

    failures: int = 0
    open_until: float | None = None
    probe: int | None = None
    probe_until: float = 0.0

    def position(self, now: float) -> Position:
        """Return where the breaker stands."""
        if self.open_until is None:
            return "closed"
        return "open" if now < self.open_until else "half-open"

    def lets_through(self, now: float) -> bool:
        """Whether one more call may pass."""
        position = self.position(now)
        if position == "half-open":
            return self.probe is None or self.probe_until <= now
        return position == "closed"


def settled(
    breaker: Breaker, number: int, settlement: Settlement, rules: Rules, now: float
) -> Breaker:
    """Take note of how a call went.

    While the breaker is not closed only the probe is heard: the others were let through before it
    opened. An end that says nothing of the backend (a cancelled call) frees the probe's place.
    """
    is_ok = settlement.code == "ok" and not settlement.broken
    if breaker.open_until is not None and breaker.probe != number:
        return breaker
    if is_ok:
        return Breaker()
    if not settlement.broken:
        return msgspec.structs.replace(breaker, probe=None)
    failures = breaker.failures + 1
    if breaker.open_until is None and failures < rules.breaker_failures:
        return Breaker(failures)
    return Breaker(failures, now + rules.breaker_open_s)
