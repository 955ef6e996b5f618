"""Keep a row for one process at a time: a lease that is renewed while that process lives.

Writing is safe without it (of many writers one wins); a lease only keeps two processes from doing
the same work twice, and runs out by itself when its holder has died.
"""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import msgspec
from django.db import DatabaseError, models
from django.db.models import Q
from django.utils import timezone

from negotiation.threads import in_thread

log = logging.getLogger(__name__)

HELD_S = 4.0
"""How long a lease of a live game lasts; then another process may take over."""

RENEW_S = 1.0
"""How often whoever works renews it."""

PROCESS = uuid.uuid4().hex
"""This process among all that serve the site."""


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
        return Q(**{self.until: None}) | Q(**{f"{self.until}__lt": timezone.now()})

    def is_held(self, row: models.Model) -> bool:
        """Whether somebody works on a row, or has died a moment ago."""
        until = getattr(row, self.until)
        return until is not None and until > timezone.now()

    def take(self, rows: "models.QuerySet[Any]", holder: str = PROCESS, **also: Any) -> bool:
        """Take a row that nobody else holds; False when another was there first."""
        free = self.is_free()
        if self.holder:
            free |= Q(**{self.holder: holder})
            also = {self.holder: holder, **also}
        return self.extend(rows.filter(free), **also)

    def renew(self, rows: "models.QuerySet[Any]", holder: str = PROCESS) -> bool:
        """Hold on; False when another has taken over meanwhile."""
        return self.extend(rows.filter(**{self.holder: holder}))

    def extend(
        self, rows: "models.QuerySet[Any]", seconds: float | None = None, **also: Any
    ) -> bool:
        """Let the lease of given rows last from now on, whoever has it."""
        lasts = timedelta(seconds=self.seconds if seconds is None else seconds)
        return bool(rows.update(**{self.until: timezone.now() + lasts}, **also))

    def give_up(self, rows: "models.QuerySet[Any]", holder: str = PROCESS) -> None:
        """Give a lease back before it runs out, unless somebody else has taken it meanwhile."""
        rows.filter(**{self.holder: holder}).update(**{self.holder: "", self.until: None})


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
async def renewing(renew: Callable[[], bool | None], game_id: str) -> AsyncIterator[None]:
    """Renew a lease as long as the block runs.

    Where ``renew``, called in a thread, answers False, another process has taken over while this
    one was asleep, and the block is cancelled.
    """
    holding = asyncio.create_task(_renew(renew, game_id, asyncio.current_task()))
    try:
        yield
    finally:
        holding.cancel()


async def _renew(
    renew: Callable[[], bool | None], game_id: str, worker: "asyncio.Task[Any] | None"
) -> None:
    while True:
        await asyncio.sleep(RENEW_S)
        try:
            is_ours = await in_thread(renew)()
        except DatabaseError:
            log.warning("a lease was not renewed", extra={"game": game_id})
            continue
        if is_ours is False and worker is not None:
            worker.cancel()
            return
