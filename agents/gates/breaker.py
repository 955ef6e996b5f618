"""When a failing backend is left alone, and who may try it again.

Closed until ``breaker_failures`` calls in a row have failed; then open for ``breaker_open_s``;
then half-open: one call alone, the probe, is let through, and how it went closes the breaker or
opens it again. A probe whose process died frees its place when its lease runs out.

Pure functions; ``lua/admit.lua`` and ``lua/settle.lua`` say the same to Redis.
"""

from typing import Literal

import msgspec

from agents.gates.contract import Settlement
from agents.gates.rules import Rules

Position = Literal["closed", "open", "half-open"]


class Breaker(msgspec.Struct, frozen=True):
    """One backend's breaker; moments are seconds since 1970.

    ``failures`` counts those in a row; ``open_until`` None means closed; ``probe`` is the number of
    the call that tries the backend again, ``probe_until`` the end of its lease.
    """

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
