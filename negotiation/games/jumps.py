"""Where a stored time lies on the clock of now, though the clock was put meanwhile.

Wall clocks are put by hand and by time servers, and stand still in a computer that sleeps. A second
clock of every process, which nobody can put, shows by how much; what somebody has left of a minute
must not depend on that. A process knows of what happened while it lived.
"""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec
from django.utils import timezone

SMALLEST_S = 2.0
"""Less is not told apart from a process that had to wait."""

MOST = 20
"""So many jumps are remembered."""


class Jump(msgspec.Struct):
    """The clock showed ``lands`` for ``lands - by_s``; the next one came ``lasted_s`` later."""

    lands: float
    by_s: float
    lasted_s: float = 0.0


class Jumps:
    """Compares a clock that can be put with one that cannot; both give seconds."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall, self._steady = wall, steady
        self._lock = threading.Lock()
        self._seen = wall(), steady()
        self._jumps: list[Jump] = []

    def look(self) -> None:
        """Compare; the oftener, the better is known when a clock was put."""
        with self._lock:
            before, wall, steady = self._steady(), self._wall(), self._steady()
            if steady - before > SMALLEST_S / 4:
                return  # interrupted between the two: nothing can be told
            last_wall, last_steady = self._seen
            self._seen = wall, steady
            if self._jumps:
                self._jumps[-1].lasted_s += steady - last_steady
            by_s = (wall - last_wall) - (steady - last_steady)
            if abs(by_s) >= SMALLEST_S:
                self._jumps = [*self._jumps, Jump(wall, by_s)][-MOST:]

    def of_now(self, at: float, ahead_s: float = 0.0) -> float:
        """Return when a stored time was, or will be, on the clock of now.

        ``ahead_s``: it may lie so far ahead of the moment at which it was stored.
        """
        self.look()
        for jump in self._jumps:
            latest = jump.lands + jump.lasted_s + ahead_s + SMALLEST_S
            if not jump.lands - SMALLEST_S <= at <= latest:
                at += jump.by_s  # stored before the clock was put
        return at


_jumps = Jumps(lambda: timezone.now().timestamp(), time.monotonic)


def of_now(at: datetime, ahead_s: float = 0.0) -> datetime:
    """Return when a stored time was, or will be, on this process's clock of now."""
    moved_s = _jumps.of_now(at.timestamp(), ahead_s) - at.timestamp()
    return at.astimezone(UTC) + timedelta(seconds=moved_s) if moved_s else at
