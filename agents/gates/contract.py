"""What stands in front of a model: the words between the router and the gatekeepers.

Every call is admitted first and settled afterwards. Admission checks all gates in their order in
one atomic step, so that nothing is counted when a later gate is closed.
"""

from typing import Literal, Protocol

import msgspec

GateName = Literal[
    "prompt-size",
    "switched-off",
    "minute",
    "hour",
    "day",
    "concurrency",
    "daily-calls",
    "daily-spend",
    "breaker",
]


class Call(msgspec.Struct, frozen=True):
    """A call that wants to be let through.

    ``client`` is the ``client_key`` of whoever caused it; ``reserve_microusd`` the most it can
    cost. One that is not ``metered`` meets the operator's switch and the breaker alone.
    """

    backend: str
    client: str
    prompt_chars: int
    metered: bool = False
    reserve_microusd: int = 0


class Ticket(msgspec.Struct, frozen=True):
    """An admitted call; ``number`` names its row in the ledger."""

    number: int
    call: Call
    probe: bool = False


class Settlement(msgspec.Struct, frozen=True):
    """How a call went; ``broken`` counts against the breaker.

    ``cost_microusd`` None means unknown: what was reserved counts as spent, and is never exceeded.
    """

    code: str
    broken: bool
    latency_ms: int
    cost_microusd: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class GateClosed(Exception):
    """A gate is closed; the next backend takes the turn."""

    def __init__(self, gate: GateName, detail: str) -> None:
        super().__init__(detail)
        self.gate = gate
        self.code = f"gate-{gate}"


class Gatekeeper(Protocol):
    """Counts for all processes. Its methods block; call them in a thread."""

    def admit(self, call: Call, now: float) -> Ticket:
        """Let a call through and reserve its cost, or raise GateClosed; seconds since 1970."""
        ...

    def settle(self, ticket: Ticket, settlement: Settlement, now: float) -> None:
        """Write down how an admitted call went; a second settlement of one ticket is ignored."""
        ...
