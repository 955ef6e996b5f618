"""Which gatekeeper this process asks."""

import functools
import logging
from datetime import date
from typing import Protocol

import msgspec
from django.conf import settings
from django.db import Error, transaction

from agents.gates.contract import Call, GateClosed, Gatekeeper, GateName, Settlement, Ticket
from agents.gates.ledger import close, moment, new_number, note, use_of, utc_day, write_down
from agents.gates.rules import (
    DETAILS,
    NO_COUNTERS,
    Breaker,
    Rules,
    closed_by_hand,
    rules,
    settled,
    used_up,
)
from agents.gates.switches import is_due, locked_switches, sweep
from agents.models import NAME_LENGTH, BreakerRow


def load(backend: str) -> Breaker:
    """Read a backend's breaker; a new one is closed."""
    row = BreakerRow.objects.filter(pk=backend[:NAME_LENGTH]).first()
    if row is None:
        return Breaker()
    return Breaker(
        failures=row.failures,
        open_until=row.open_until.timestamp() if row.open_until else None,
        probe=row.probe,
        probe_until=row.probe_until.timestamp() if row.probe_until else 0.0,
    )


def save(backend: str, breaker: Breaker) -> None:
    """Write a backend's breaker."""
    until = breaker.open_until
    values = {
        "failures": breaker.failures,
        "open_until": None if until is None else moment(until),
        "probe": breaker.probe,
        "probe_until": moment(breaker.probe_until) if breaker.probe is not None else None,
    }
    BreakerRow.objects.update_or_create(pk=backend[:NAME_LENGTH], defaults=values)


log = logging.getLogger(__name__)

WELL = Breaker()
"""Closed, and nothing has failed of late."""


class DatabaseKeeper:
    """Counts rows of the ledger, one admission at a time in all processes together.

    A call that costs nothing counts for nobody else: while its backend is well it takes no lock.
    """

    def __init__(self) -> None:
        self._day: date | None = None

    def admit(self, call: Call, now: float) -> Ticket:
        """Let a call through and reserve its cost; see ``Gatekeeper``."""
        allowed = rules()
        try:
            if not call.metered and load(call.backend) == WELL and self._day == utc_day(now):
                ticket = Ticket(new_number(), call)
                write_down(ticket, allowed, now)
                return ticket
            # Durable: nobody may wrap this and take a reservation back with his own transaction.
            with transaction.atomic(durable=True):
                row = locked_switches()
                verdict = self._decide(call, allowed, row.metered_closed, now)
            if is_due(row, now):
                sweep(now)
            self._day = utc_day(now)
        except Error as broken:
            log.exception("the ledger is out of order")
            raise GateClosed("switched-off", NO_COUNTERS) from broken
        if isinstance(verdict, Ticket):
            return verdict
        raise GateClosed(verdict, DETAILS[verdict])

    def settle(self, ticket: Ticket, settlement: Settlement, now: float) -> None:
        """Write down how a call went; see ``Gatekeeper``."""
        backend = ticket.call.backend
        try:
            is_ok = settlement.code == "ok" and not settlement.broken
            if is_ok and not ticket.call.metered and load(backend) == WELL:
                close(ticket, settlement, now)
                return
            with transaction.atomic(durable=True):
                locked_switches()
                if not close(ticket, settlement, now):
                    return
                before = load(backend)
                after = settled(before, ticket.number, settlement, rules(), now)
                if after != before:
                    save(backend, after)
        except Error:
            # What was reserved stays spent, and the lease gives the place back.
            log.exception("a call could not be settled")

    def breaker(self, backend: str) -> Breaker | None:
        """Read a backend's breaker; see ``Keeper``."""
        return load(backend)

    def reset_breaker(self, backend: str) -> bool:
        """Close a breaker by hand; see ``Keeper``."""
        with transaction.atomic():
            locked_switches()
            save(backend, Breaker())
        return True

    def _decide(
        self, call: Call, allowed: Rules, metered_closed: bool, now: float
    ) -> Ticket | GateName:
        breaker = load(call.backend)
        gate = closed_by_hand(call, allowed, metered_closed)
        if gate is None and call.metered:
            gate = used_up(call, allowed, use_of(call, now))
        if gate is None and not breaker.lets_through(now):
            gate = "breaker"
        if gate is not None:
            note(gate, call, now)
            return gate
        ticket = Ticket(new_number(), call, probe=breaker.position(now) == "half-open")
        if ticket.probe:
            probing = msgspec.structs.replace(
                breaker, probe=ticket.number, probe_until=now + allowed.lease_s
            )
            save(call.backend, probing)
        write_down(ticket, allowed, now)
        return ticket


class Keeper(Gatekeeper, Protocol):
    """A gatekeeper with what operators look at and reset."""

    def breaker(self, backend: str) -> Breaker | None:
        """Read a backend's breaker (one never used is closed); None if it cannot be reached."""
        ...

    def reset_breaker(self, backend: str) -> bool:
        """Close a breaker by hand; tell whether it could be reached."""
        ...


def gatekeeper() -> Keeper:
    """Return this process's keeper: Redis counts where there is one, else the database."""
    return _keeper(settings.REDIS_URL)


@functools.cache
def _keeper(redis_url: str | None) -> Keeper:
    if redis_url:
        from agents.gates.redis_store import RedisKeeper

        return RedisKeeper(redis_url)
    return DatabaseKeeper()
