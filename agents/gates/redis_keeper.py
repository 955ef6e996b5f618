"""The gatekeeper that counts in Redis and writes the same numbers into the ledger."""

import logging
from typing import Final

from django.db import Error
from redis import RedisError

from agents.gates.admission import closed_by_hand
from agents.gates.breaker import Breaker
from agents.gates.contract import Call, GateClosed, GateName, Settlement, Ticket
from agents.gates.ledger import close, new_number, write_down
from agents.gates.moments import utc_day
from agents.gates.redis_counters import RedisCounters
from agents.gates.rules import DETAILS, NO_COUNTERS, Rules, rules
from agents.gates.sweeping import is_due, sweep
from agents.gates.switches import switches
from agents.gates.tally import tally
from agents.gates.trips import note

log = logging.getLogger(__name__)

TRIES: Final = 6
"""Steps of one admission: each loss of the counters takes two, counting them and asking again."""

NEVER_MADE: Final = Settlement("counters-lost", broken=False, latency_ms=0, cost_microusd=0)


class RedisKeeper:
    """Counts in Redis. Without its counters no metered call is made; free ones go on."""

    def __init__(self, url: str) -> None:
        self._counters = RedisCounters(url)

    def admit(self, call: Call, now: float) -> Ticket:
        """Let a call through and reserve its cost; see ``Gatekeeper``."""
        allowed = rules()
        try:
            row = switches()
            verdict = self._by_hand_or_counters(call, allowed, row.metered_closed, now)
            if is_due(row, now):
                sweep(now)
        except (Error, RedisError) as broken:
            log.exception("the counters are out of order")
            raise GateClosed("switched-off", NO_COUNTERS) from broken
        if isinstance(verdict, Ticket):
            return verdict
        raise GateClosed(verdict, DETAILS[verdict])

    def settle(self, ticket: Ticket, settlement: Settlement, now: float) -> None:
        """Write down how a call went; see ``Gatekeeper``."""
        try:
            # Ledger first: it is the truth, and it decides who settles.
            row = close(ticket, settlement, now)
            if row is None:
                return
            cost = row.reserved_microusd if row.cost_microusd is None else row.cost_microusd
            back = row.reserved_microusd - cost
            self._counters.settle(ticket, row.day, back, settlement, rules(), now)
        except (Error, RedisError):
            # What was reserved stays spent, and the lease gives the place back.
            log.exception("a call could not be settled")

    def breaker(self, backend: str) -> Breaker | None:
        """Read a backend's breaker; see ``Keeper``."""
        try:
            return self._counters.breaker(backend)
        except RedisError:
            return None

    def reset_breaker(self, backend: str) -> bool:
        """Close a breaker by hand; see ``Keeper``."""
        try:
            self._counters.forget_breaker(backend)
        except RedisError:
            return False
        return True

    def _by_hand_or_counters(
        self, call: Call, allowed: Rules, metered_closed: bool, now: float
    ) -> Ticket | GateName:
        gate = closed_by_hand(call, allowed, metered_closed)
        verdict = gate or self._counted(call, allowed, now)
        if not isinstance(verdict, Ticket):
            note(verdict, call, now)
        return verdict

    def _counted(self, call: Call, allowed: Rules, now: float) -> Ticket | GateName:
        for _ in range(TRIES):
            number = new_number()
            try:
                verdict = self._counters.admit(number, call, allowed, now)
            except RedisError:
                if call.metered:
                    raise
                log.exception("breakers are out of order; a free call is made without")
                verdict = "in"
            if verdict == "seed":
                self._counters.seed(tally(now), utc_day(now))
                continue
            if verdict != "in" and verdict != "probe":
                return verdict
            ticket = Ticket(number, call, probe=verdict == "probe")
            if self._is_written(ticket, allowed, now):
                return ticket
        raise RedisError("the counters were lost again and again")

    def _is_written(self, ticket: Ticket, allowed: Rules, now: float) -> bool:
        """Write the row, then look whether Redis still counts it.

        It may have been flushed between counting and writing and then counted from a ledger without
        this row; such a call is not made but asked for again.
        """
        write_down(ticket, allowed, now)
        is_counted = not ticket.call.metered
        try:
            is_counted = is_counted or self._counters.holds(ticket.number, utc_day(now))
        finally:
            if not is_counted:
                self.settle(ticket, NEVER_MADE, now)
        return is_counted
