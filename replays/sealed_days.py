"""The clock of the game of the day, and which finished games would tell what is sealed still.

Days are India's. A day's game opens an hour after its midnight: who began in time may play on.
"""

import datetime as dt

import msgspec
from django.utils import timezone

from bazaarbatna.bargain.scenario import Scenario, SealedValues
from negotiation.bargain.game import SALE
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


NEXT_DOOR = "next-door"
"""The twist of a day whose floor is what the shop next door pays."""


def is_next_door(game: Game) -> bool:
    """Whether a game is of such a day."""
    days = DailyGame.objects.filter(twist=NEXT_DOOR)
    return game.is_daily and days.filter(day=game.suite.removeprefix(DAILY)).exists()


def is_sealed(game: Game) -> bool:
    """Whether a game was dealt cards that are sealed for others: a try, a copy, a what-if, a file.

    Known by the sealed values, the seed among them: a copy may have an envelope of its own.
    """
    today = day_of(timezone.now())
    # Two days may be sealed that somebody has played: today, and yesterday in its last hour.
    days = [day for day in (today, today - dt.timedelta(days=1)) if not is_open(day)]
    stored = SealedRecord.objects.filter(game=game.pk).values_list("scenario", flat=True).first()
    if stored is None or game.kind not in SALE.kinds:
        return False
    dealt = DailyGame.objects.filter(day__in=days).values_list("scenario", flat=True)
    return _sealed(stored) in [_sealed(one) for one in dealt]


def _sealed(scenario: bytes | memoryview) -> SealedValues:
    return msgspec.json.decode(bytes(scenario), type=Scenario).sealed
