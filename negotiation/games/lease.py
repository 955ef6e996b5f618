"""A hold on something that one process at a time may run: renewed while that process lives.

The log is safe without it (of many writers one wins); the hold only keeps two processes from doing
the same work twice. It runs out by itself, so whoever dies leaves nothing behind to tidy up.
"""

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

HELD_S = 4.0
"""How long a hold lasts; then another process may take over."""

RENEW_S = 1.0
"""How often a runner renews its hold."""

RUNNER = uuid.uuid4().hex
"""This process among all that serve the site."""


class Held(models.Model):
    """A row that ``runner`` holds until ``held_until``; then any process may take it over."""

    runner = models.CharField(max_length=32, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_held(self) -> bool:
        """A process runs it, or has died a moment ago."""
        return self.held_until is not None and self.held_until > timezone.now()


def nobodys(field: str = "held_until") -> Q:
    """Select rows that no process holds; ``field`` says until when one does."""
    return Q(**{field: None}) | Q(**{f"{field}__lt": timezone.now()})


def take(rows: "models.QuerySet[Any]") -> bool:
    """Take rows that nobody else holds; False when another process was there first."""
    free = rows.filter(nobodys() | Q(runner=RUNNER))
    return bool(free.update(runner=RUNNER, held_until=until()))


def keep(rows: "models.QuerySet[Any]") -> bool:
    """Hold on; False when another process has taken over meanwhile."""
    return bool(rows.filter(runner=RUNNER).update(held_until=until()))


def until(seconds: float = HELD_S) -> datetime:
    """Return when a hold runs out that is taken now."""
    return timezone.now() + timedelta(seconds=seconds)


def let_go(rows: "models.QuerySet[Any]") -> None:
    """Give a hold of this process back before it runs out."""
    rows.filter(runner=RUNNER).update(runner="", held_until=None)
