"""The clock of the game of the day, and which finished games would tell what is sealed still.

Days are India's. A day's game opens an hour after its midnight: who began in time may play on.
"""

import datetime as dt

import msgspec
from django.utils import timezone

from negotiation.engine.scenario import Scenario
from negotiation.models import DAILY, Game, SealedRecord
from replays.models import DailyGame

INDIA = dt.timezone(dt.timedelta(hours=5, minutes=30), "India")
"""The time zone of the days; India keeps no summer time."""

GRACE = dt.timedelta(hours=1)
"""After midnight: a game that was begun before it may be finished, then the envelope opens."""


def day_of(now: dt.datetime) -> dt.date:
    """Return the day whose game is dealt at a moment."""
    return now.astimezone(INDIA).date()


def ends_at(day: dt.date) -> dt.datetime:
    """Return the midnight after a day: from then on nobody begins its game."""
    return dt.datetime.combine(day + dt.timedelta(days=1), dt.time(), INDIA)


def opens_at(day: dt.date) -> dt.datetime:
    """Return the moment from which everybody may know a day's secret."""
    return ends_at(day) + GRACE


def is_open(day: dt.date) -> bool:
    """Whether a day's secret is no secret any more."""
    return timezone.now() >= opens_at(day)


def suite_of(day: dt.date) -> str:
    """Return the suite of the tries at a day's game."""
    return f"{DAILY}{day.isoformat()}"


def is_sealed(game: Game) -> bool:
    """Whether a game was dealt cards that are sealed for others, as a copy, a what-if, a file."""
    # Two days may be sealed at once: today, and yesterday in its last hour.
    earliest = day_of(timezone.now()) - dt.timedelta(days=1)
    days = DailyGame.objects.filter(day__gte=earliest).values_list("day", "salt")
    salts = {salt for day, salt in days if not is_open(day)}
    stored = SealedRecord.objects.filter(game=game.pk).values_list("scenario", flat=True).first()
    if not salts or stored is None or game.kind not in ("sell", "buy", "sim"):
        return False
    return msgspec.json.decode(bytes(stored), type=Scenario).salt in salts
