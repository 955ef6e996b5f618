"""The gatekeeper that counts in Redis and writes the same numbers into the ledger."""

import logging
from datetime import date
from pathlib import Path
from typing import Final, Literal

import msgspec
import redis
from django.db import Error, transaction
from redis import RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from agents.gates.contract import Call, GateClosed, GateName, Settlement, Ticket
from agents.gates.ledger import Tally, close, new_number, note, tally, utc_day, write_down
from agents.gates.rules import (
    DETAILS,
    NO_COUNTERS,
    WINDOWS,
    Breaker,
    Rules,
    closed_by_hand,
    reservation,
    rules,
)
from agents.gates.switches import is_due, sweep, switches
from agents.models import CLIENT_LENGTH, ModelCall

SCRIPTS: Final = Path(__file__).parent / "lua"

PREFIX: Final = "{bazaar-gates}:"
"""In braces, so that a cluster keeps all keys of a script on one node."""

KEEP_S: Final = 2 * WINDOWS["day"]
"""Seconds after which a key that nobody touches is gone; windows look back half of that."""

POOL_SIZE: Final = 8

WAIT_S: Final = 5.0

Verdict = Literal["in", "probe", "seed"] | GateName


class _RedisCounters:
    """The counters; every method is one round trip and raises ``redis.RedisError``."""

    def __init__(self, url: str) -> None:
        pool = redis.BlockingConnectionPool.from_url(
            url,
            max_connections=POOL_SIZE,
            timeout=WAIT_S,
            socket_connect_timeout=1.0,
            socket_timeout=2.0,
            # Once more and at once: a connection may have died idle. The scripts bear repetition.
            retry=Retry(NoBackoff(), 1),
            decode_responses=True,
        )
        self._redis = redis.Redis(connection_pool=pool)
        self._admit = self._redis.register_script((SCRIPTS / "admit.lua").read_text())
        self._settle = self._redis.register_script((SCRIPTS / "settle.lua").read_text())
        self._seed = self._redis.register_script((SCRIPTS / "seed.lua").read_text())

    def admit(self, number: int, call: Call, rules: Rules, now: float) -> Verdict:
        day = utc_day(now)
        client = PREFIX + "client:" + call.client[:CLIENT_LENGTH]
        keys = [*_of_day(day), _LEASES, client, _breaker(call.backend)]
        limits = [rules.concurrency, rules.daily_calls, rules.daily_microusd]
        until = now + rules.lease_s
        windows: list[str | int] = [
            part
            for name, seconds in WINDOWS.items()
            for part in (name, seconds, rules.windows[name])
        ]
        asked: list[str | int] = [
            number,
            _text(now),
            int(call.metered),
            reservation(call),
            *limits,
            _text(until),
        ]
        verdict: Verdict = self._admit(keys=keys, args=[*asked, KEEP_S, *windows])
        return verdict

    def holds(self, number: int, day: date) -> bool:
        """Whether a call of that day is counted and not settled."""
        return bool(self._redis.hexists(_of_day(day)[1], str(number)))

    def settle(
        self,
        ticket: Ticket,
        day: date,
        given_back: int,
        settlement: Settlement,
        rules: Rules,
        now: float,
    ) -> None:
        ending = "broken" if settlement.broken else "ok" if settlement.code == "ok" else "other"
        keys = [*_of_day(day), _LEASES, _breaker(ticket.call.backend)]
        args: list[str | int | float] = [ticket.number, given_back, ending, _text(now)]
        args += [rules.breaker_failures, rules.breaker_open_s, KEEP_S]
        self._settle(keys=keys, args=args)

    def seed(self, tally: Tally, day: date) -> None:
        """Take over what the ledger has counted, unless that was done."""
        rows = msgspec.json.encode(tally.rows).decode()
        prefix = PREFIX + "client:"
        args: list[str | int] = [prefix, KEEP_S, tally.calls, tally.microusd, rows]
        self._seed(keys=[*_of_day(day), _LEASES], args=args)

    def breaker(self, backend: str) -> Breaker:
        # Typed as maybe awaitable, because the async client shares the signature.
        found = self._redis.hgetall(_breaker(backend))
        assert isinstance(found, dict)
        return Breaker(
            failures=int(found.get("failures", 0)),
            open_until=float(found["open_until"]) if "open_until" in found else None,
            probe=int(found["probe"]) if "probe" in found else None,
            probe_until=float(found.get("probe_until", 0)),
        )

    def forget_breaker(self, backend: str) -> None:
        self._redis.delete(_breaker(backend))


_LEASES: Final = PREFIX + "leases"


def _of_day(day: date) -> tuple[str, str]:
    return f"{PREFIX}day:{day}", f"{PREFIX}open:{day}"


def _breaker(backend: str) -> str:
    return f"{PREFIX}breaker:{backend}"


def _text(seconds: float) -> str:
    return f"{seconds:.6f}"


log = logging.getLogger(__name__)

TRIES: Final = 6
"""Steps of one admission: each loss of the counters takes two, counting them and asking again."""

NEVER_MADE: Final = Settlement("counters-lost", broken=False, latency_ms=0, cost_microusd=0)


class RedisKeeper:
    """Counts in Redis. Without its counters no metered call is made; free ones go on."""

    def __init__(self, url: str) -> None:
        self._counters = _RedisCounters(url)

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
            with transaction.atomic():
                if not close(ticket, settlement, now):
                    return
            row = ModelCall.objects.only("day", "reserved_microusd", "cost_microusd").get(
                pk=ticket.number
            )
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
        """Redis may have been flushed since it counted this call; then it is asked for again."""
        write_down(ticket, allowed, now)
        is_counted = not ticket.call.metered
        try:
            is_counted = is_counted or self._counters.holds(ticket.number, utc_day(now))
        finally:
            if not is_counted:
                self.settle(ticket, NEVER_MADE, now)
        return is_counted
