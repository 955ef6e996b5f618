"""Keep a row for one process at a time: a lease that is renewed while that process lives.

Writing is safe without it (of many writers one wins); a lease only keeps two processes from doing
the same work twice, and runs out by itself when its holder has died.
"""

import asyncio
import contextlib
import logging
import os
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from django.db import DatabaseError, models
from django.db.models import Q
from django.utils import timezone

from negotiation.threads import in_thread

log = logging.getLogger(__name__)

HELD_S = 4.0
"""How long a lease of a live game lasts; then another process may take over."""

RENEWALS = 4
"""How often whoever works renews a lease while it lasts."""

SKEW_S = 30.0
"""Where a lease lasts so much longer than any can, the clock was put back after it was taken."""

FOR_GOOD = datetime(9999, 1, 1, tzinfo=UTC)
"""The end of a lease that only a new event ends."""

PROCESS = uuid.uuid4().hex
"""This process among all that serve the site; one that is forked has another name."""


def _is_another() -> None:
    global PROCESS  # noqa: PLW0603  a fact of the process
    PROCESS = uuid.uuid4().hex


os.register_at_fork(after_in_child=_is_another)


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """How a table says that somebody works on a row, all by conditional updates of single rows.

    A lease lasts ``seconds``; ``until`` names the column with its end, ``holder`` the one with who
    has it, "" where the table does not say.
    """

    seconds: float = HELD_S
    until: str = "held_until"
    holder: str = ""

    def is_free(self) -> Q:
        """Return the condition of rows that nobody works on, or whose worker has died."""
        now = timezone.now()
        is_over = Q(**{f"{self.until}__lt": now})
        is_odd = Q(**{f"{self.until}__gt": now + self._longest, f"{self.until}__lt": FOR_GOOD})
        return Q(**{self.until: None}) | is_over | is_odd

    def is_held(self, row: models.Model) -> bool:
        """Whether somebody works on a row, or has died a moment ago."""
        until, now = getattr(row, self.until), timezone.now()
        if until is None or until <= now:
            return False
        return bool(until <= now + self._longest or until >= FOR_GOOD)

    def take(self, rows: "models.QuerySet[Any]", holder: str = "", **also: Any) -> bool:
        """Take a row that nobody else holds; False when another was there first.

        ``holder`` "": this process; so below.
        """
        holder = holder or PROCESS
        free = self.is_free()
        if self.holder:
            free |= Q(**{self.holder: holder})
            also = {self.holder: holder, **also}
        return self.extend(rows.filter(free), **also)

    def renew(self, rows: "models.QuerySet[Any]", holder: str = "") -> bool:
        """Hold on; False when another has taken over meanwhile."""
        return self.extend(rows.filter(**{self.holder: holder or PROCESS}))

    @property
    def _longest(self) -> timedelta:
        return timedelta(seconds=self.seconds + SKEW_S)

    def extend(self, rows: "models.QuerySet[Any]", **also: Any) -> bool:
        """Let the lease of given rows last from now on, whoever has it."""
        ends = timezone.now() + timedelta(seconds=self.seconds)
        return bool(rows.update(**{self.until: ends}, **also))

    def keep(self, rows: "models.QuerySet[Any]") -> None:
        """Let the lease of given rows last for good."""
        rows.update(**{self.until: FOR_GOOD})

    def give_up(self, rows: "models.QuerySet[Any]", holder: str = "") -> None:
        """Give a lease back before it runs out, unless somebody else has taken it meanwhile."""
        rows.filter(**{self.holder: holder or PROCESS}).update(
            **{self.holder: "", self.until: None}
        )


RUNNER = Lease(holder="runner")
"""The lease of ``Held`` rows."""


class Held(models.Model):
    """A row that ``runner`` holds until ``held_until``; then any process may take it over."""

    runner = models.CharField(max_length=32, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_held(self) -> bool:
        """A process runs it, or has died a moment ago."""
        return RUNNER.is_held(self)


@contextlib.asynccontextmanager
async def renewing(
    lease: Lease, renew: Callable[[], bool | None], game_id: str
) -> AsyncIterator[None]:
    """Renew a lease as long as the block runs.

    Where ``renew``, called in a thread, answers False, another process has taken over while this
    one was asleep, and the block is cancelled.
    """
    every_s = lease.seconds / RENEWALS
    holding = asyncio.create_task(_renew(every_s, renew, game_id, asyncio.current_task()))
    try:
        yield
    finally:
        holding.cancel()


async def _renew(
    every_s: float,
    renew: Callable[[], bool | None],
    game_id: str,
    worker: "asyncio.Task[Any] | None",
) -> None:
    while True:
        await asyncio.sleep(every_s)
        try:
            is_ours = await in_thread(renew)()
        except DatabaseError:
            log.warning("a lease was not renewed", extra={"game": game_id})
            continue
        if is_ours is False and worker is not None:
            worker.cancel()
            return
