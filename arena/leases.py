"""Which process runs a match."""

from django.db.models import Q
from django.utils import timezone

from arena.models import Match
from negotiation.games import lease


def claim(match_id: str) -> bool:
    """Take the match over if nobody runs it."""
    # Where nothing gets updated another process runs it, or it is over.
    return lease.take(Match.objects.filter(pk=match_id, phase=Match.Phase.LIVE))


def renew(match_id: str) -> bool:
    """Hold on to a match; False when another process has taken it over meanwhile."""
    return lease.keep(Match.objects.filter(pk=match_id))


def orphans() -> list[str]:
    """Find live matches that nobody runs, and those whose time to begin has come."""
    dead = Q(phase=Match.Phase.LIVE) & lease.nobodys()
    due = Q(phase=Match.Phase.WAITING, exhibition=False, starts_at__lte=timezone.now())
    # Without its listing a match can never begin.
    due &= Q(game__listing__isnull=False)
    return list(Match.objects.filter(dead | due).values_list("pk", flat=True)[:50])
