"""How fast the clients of the environments may go, so that a flood of theirs slows no page.

A socket that is too fast is not refused: its next message is read a little later, and the wait
reaches the client through the flow control of the connection. Only who would wait for seconds, and
who asks over HTTP, where nobody can be made to wait, is told so in words.
"""

import functools
import math
import time
from collections.abc import Callable
from threading import Lock

from django.conf import settings

from bazaarbatna.envs.openenv.errors import TooFast

BURST_S = 2.0
"""Seconds' worth of messages or games that may come at once after a rest."""

LONGEST_WAIT_S = 5.0
"""A client that is further ahead is told in words, and its message is not followed."""

ALL_TOGETHER = 4
"""All clients of a process may go so many times as fast as one of them."""

MANY = 4096
"""Clients that are remembered; those who have rested are forgotten first."""

EVERYBODY = ""


class Bucket:
    """Tokens that come back at ``rate`` a second, at most a burst of them; debts are allowed."""

    def __init__(self, rate: float, now: float) -> None:
        self._rate = rate
        self._tokens = self._most = max(1.0, rate * BURST_S)
        self._at = now

    def take(self, count: int, now: float) -> float:
        """Take tokens and return the seconds until the debt is paid, 0 where there is none."""
        self._tokens = min(self._most, self._tokens + (now - self._at) * self._rate) - count
        self._at = now
        return max(0.0, -self._tokens / self._rate)

    def is_full(self, now: float) -> bool:
        """Whether nothing was taken for a while."""
        return self._tokens + (now - self._at) * self._rate >= self._most


class Pace:
    """Counts the messages and games of every client of this process; a rate of 0 counts nothing."""

    def __init__(
        self, messages: float, games: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Let one client send ``messages`` and begin ``games`` a second."""
        self._rates = {"message": messages, "game": games}
        self._clock = clock
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._lock = Lock()

    def took(self, client: str, messages: int = 0, games: int = 0) -> float:
        """Count what a client has done, and return the seconds that it should rest now."""
        now = self._clock()
        with self._lock:
            waits = (
                self._bucket(kind, whose, now).take(count, now)
                for kind, count in (("message", messages), ("game", games))
                if self._rates[kind]
                for whose in (client, EVERYBODY)
            )
            return max(waits, default=0.0)

    def check(self, client: str) -> None:
        """Raise ``TooFast`` for a client that is seconds ahead, whose message is then not read."""
        wait_s = self.took(client)
        if wait_s > LONGEST_WAIT_S:
            raise TooFast(self._words(), math.ceil(wait_s - LONGEST_WAIT_S))

    def spend(self, client: str, *, is_game: bool = False) -> None:
        """Count a request where nobody can be made to wait; raises ``TooFast``."""
        wait_s = self.took(client)
        if wait_s > 0:
            raise TooFast(self._words(), math.ceil(wait_s))
        self.took(client, 1, int(is_game))

    def _bucket(self, kind: str, whose: str, now: float) -> Bucket:
        found = self._buckets.get((kind, whose))
        if found is None:
            if len(self._buckets) >= MANY:
                kept = self._buckets.items()
                self._buckets = {name: one for name, one in kept if not one.is_full(now)}
            rate = self._rates[kind] * (1 if whose else ALL_TOGETHER)
            found = self._buckets[kind, whose] = Bucket(rate, now)
        return found

    def _words(self) -> str:
        messages, games = self._rates["message"], self._rates["game"] * 60
        allowed = [f"{messages:g} messages a second"] if messages else []
        allowed += [f"{games:g} games a minute"] if games else []
        return (
            f"That was faster than this server lets one address go: {' and '.join(allowed)}, after "
            "a rest twice a second's worth at once. Whoever runs it can lift that with "
            "BAZAAR_ENV_MESSAGES=0 and BAZAAR_ENV_GAMES=0; programs on its own machine that ask "
            "for localhost go as fast as they can."
        )


FREE = Pace(0, 0)
"""Of whoever may go as fast as they can."""


@functools.cache
def pace() -> Pace:
    """Return the pace that all environments of this process share."""
    return Pace(settings.ENV_MESSAGES, settings.ENV_GAMES / 60)
