"""The operator's switches, read at every admission, and what a new day removes."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from agents.gates.ledger import utc_day
from agents.models import CHECKPOINT_LENGTH, NAME_LENGTH, ModelCall, Switches, Trip

THE_ROW = 1


def switches() -> Switches:
    """Read the switches of now; looking at them makes no row."""
    return Switches.objects.filter(pk=THE_ROW).first() or Switches(pk=THE_ROW)


def locked_switches() -> Switches:
    """Read the switches and hold them until the transaction ends: one admission at a time."""
    return Switches.objects.select_for_update().get_or_create(pk=THE_ROW)[0]


def force_backend(name: str) -> None:
    """Let one backend alone speak for Sauda; "" gives the choice back to the router."""
    _change(forced_backend=name[:NAME_LENGTH])


def choose_checkpoint(name: str) -> None:
    """Let a trained model speak through the local backend; "" gives it back to the settings'."""
    _change(checkpoint=name[:CHECKPOINT_LENGTH])


def close_metered(closed: bool) -> None:
    """Close or open the way to models that cost money."""
    _change(metered_closed=closed)


def _change(**values: object) -> None:
    with transaction.atomic():
        row = locked_switches()
        for name, value in values.items():
            setattr(row, name, value)
        row.changed_at = timezone.now()
        row.save(update_fields=[*values, "changed_at"])


KEEP = timedelta(days=30)
"""How long trips, unmetered calls and the addresses of clients are kept. Money is kept forever."""


def sweep(now: float) -> bool:
    """Remove what is too old, once a UTC day and by one process alone; whether it was this call."""
    today = utc_day(now)
    Switches.objects.get_or_create(pk=THE_ROW)
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
    """Whether nobody has swept yet on this UTC day."""
    return row.swept_on is None or row.swept_on < utc_day(now)
