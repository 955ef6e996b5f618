"""The numbers of the gates, and what each gate says when it is closed."""

from typing import Any, Final, Literal

import msgspec
from django.conf import settings

from agents.gates.contract import GateName

ClientGate = Literal["minute", "hour", "day"]

WINDOWS: Final[dict[ClientGate, int]] = {"minute": 60, "hour": 3_600, "day": 86_400}
"""Gates that count the calls of one client, and the seconds each looks back."""

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
"""Every gate in the order in which it is checked, and its sentence."""

NO_COUNTERS: Final = "The counters cannot be reached, so no metered call is made."


class Rules(msgspec.Struct, frozen=True):
    """What the operator allows.

    Attributes:
        prompt_chars: longest prompt in characters.
        windows: most calls of one client in each of ``WINDOWS``.
        concurrency: most calls under way at once, in all processes.
        daily_calls: most calls in one UTC day.
        daily_microusd: most that the calls of one UTC day may cost, in millionths of a dollar.
        breaker_failures: failures in a row after which a backend is left alone.
        breaker_open_s: seconds it is left alone.
        lease_s: seconds after which a call that was never settled is given up for crashed.
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
