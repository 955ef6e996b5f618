"""Which process runs a match: a hold that is renewed while it lives and runs out by itself.

The log is safe without it (``arena.matches`` lets one of many writers win); the hold only keeps
two processes from asking the same buyers twice.
"""

import uuid
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from arena.models import Match

HELD_S = 4.0
"""How long a hold lasts; then another process may run the match."""

RENEW_S = 1.0
"""How often a runner renews its hold."""

RUNNER = uuid.uuid4().hex
"""This process among all that serve the site."""


def claim(match_id: str) -> bool:
    """Take the match over if nobody runs it."""
    now = timezone.now()
    free = Q(held_until=None) | Q(held_until__lt=now) | Q(runner=RUNNER)
    rows = Match.objects.filter(free, pk=match_id, phase=Match.Phase.LIVE)
    # Nothing got updated: another process runs it, or it is over.
    return bool(rows.update(runner=RUNNER, held_until=now + timedelta(seconds=HELD_S)))


def renew(match_id: str) -> bool:
    """Hold on to a match; False when another process has taken it over meanwhile."""
    until = timezone.now() + timedelta(seconds=HELD_S)
    return bool(Match.objects.filter(pk=match_id, runner=RUNNER).update(held_until=until))


def orphans() -> list[str]:
    """Find live matches that nobody runs, and those whose time to begin has come."""
    now = timezone.now()
    dead = Q(phase=Match.Phase.LIVE) & (Q(held_until=None) | Q(held_until__lt=now))
    due = Q(phase=Match.Phase.WAITING, exhibition=False, starts_at__lte=now)
    # Without its listing a match can never begin.
    due &= Q(game__listing__isnull=False)
    return list(Match.objects.filter(dead | due).values_list("pk", flat=True)[:50])
