"""Which gate is closed to a call: one list of checks, in their order."""

import msgspec

from agents.gates.contract import Call, GateName
from agents.gates.rules import WINDOWS, ClientGate, Rules


class Use(msgspec.Struct, frozen=True):
    """What is used up when a metered call asks.

    ``windows`` counts the calls of its client; ``under_way`` those of everybody; ``calls`` and
    ``microusd`` are of the UTC day.
    """

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
