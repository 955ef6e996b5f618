"""What a new day removes: old trips, old calls that cost nothing, and old addresses."""

from datetime import timedelta

from agents.gates.moments import utc_day
from agents.gates.switches import THE_ROW
from agents.models import ModelCall, Switches, Trip

KEEP = timedelta(days=30)
"""How long trips, unmetered calls and the addresses of clients are kept. Money is kept forever."""


def sweep(now: float) -> bool:
    """Remove what is too old, once a UTC day and by one process alone.

    Returns:
        Whether it was this call that swept.
    """
    today = utc_day(now)
    unswept = Switches.objects.filter(pk=THE_ROW).exclude(swept_on__gte=today)
    if not unswept.update(swept_on=today):
        return False  # another process got there first
    oldest = today - KEEP
    Trip.objects.filter(day__lt=oldest).delete()
    old = ModelCall.objects.filter(day__lt=oldest)
    old.filter(metered=False).delete()
    old.exclude(client="").update(client="")
    return True


def is_due(row: Switches, now: float) -> bool:
    """Tell whether nobody has swept yet on this UTC day."""
    return row.swept_on is None or row.swept_on < utc_day(now)
