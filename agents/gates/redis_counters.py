"""The counters in Redis: three scripts, each one atomic step, and the keys they share.

The ledger stays the truth. Redis counts what the ledger says, faster: the counters of a day that
are not there (a new day, a flushed or restarted server) are counted from the ledger first.
"""

from datetime import date
from pathlib import Path
from typing import Final, Literal

import msgspec
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from agents.gates.admission import reservation
from agents.gates.breaker import Breaker
from agents.gates.contract import Call, GateName, Settlement, Ticket
from agents.gates.moments import utc_day
from agents.gates.rules import WINDOWS, Rules
from agents.gates.tally import Tally
from agents.models import CLIENT_LENGTH

SCRIPTS: Final = Path(__file__).parent / "lua"

PREFIX: Final = "{bazaar-gates}:"
"""In braces, so that a cluster keeps all keys of a script on one node."""

KEEP_S: Final = 2 * WINDOWS["day"]
"""Seconds after which a key that nobody touches is gone; windows look back half of that."""

POOL_SIZE: Final = 8
"""Connections per process; more callers wait instead of failing."""

WAIT_S: Final = 5.0
"""How long a caller waits for a connection; a healthy Redis needs a millisecond."""

Verdict = Literal["in", "probe", "seed"] | GateName


class RedisCounters:
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
        """Check every counting gate and count, or say what stands against it."""
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
        """Tell whether a call of that day is counted and not settled."""
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
        """Give money and place back, and tell the breaker; once per call."""
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
        """Read a breaker; one that is not there is closed."""
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
        """Close a breaker."""
        self._redis.delete(_breaker(backend))


_LEASES: Final = PREFIX + "leases"


def _of_day(day: date) -> tuple[str, str]:
    return f"{PREFIX}day:{day}", f"{PREFIX}open:{day}"


def _breaker(backend: str) -> str:
    return f"{PREFIX}breaker:{backend}"


def _text(seconds: float) -> str:
    return f"{seconds:.6f}"
