"""A day that is over, opened: its secret and values, as a page shows them and a program reads."""

import datetime as dt
import json
import time
from typing import Any

import msgspec
from django.utils import timezone

from negotiation.engine.quantities import to_rupees
from negotiation.engine.scenario import Scenario
from negotiation.engine.sealed import commitment
from negotiation.enqueue import enqueue_soon
from replays.daily.days import DAY, scenario_of
from replays.daily.house import Best, best_line
from replays.daily.tasks import find_line
from replays.models import DailyGame
from replays.sealed_days import day_of, is_open

SHOWN_AHEAD = 7
"""So many coming days' commitments stand on the page."""

SHOWN_BACK = 30
"""So many days that are over stand in the file."""

ASK_AGAIN_S = 60.0

_asked: dict[dt.date, float] = {}
"""When this process last had a best line looked for."""


class Opened(msgspec.Struct, frozen=True):
    """A day's game with nothing hidden; prices in rupees."""

    day: dt.date
    secret: str
    commitment: str
    title: str
    currency: str
    asking: float
    floor: float
    budget: float
    seal: str
    best: Best | None

    @property
    def zone(self) -> float:
        """What there was to share."""
        return self.budget - self.floor


def opened(row: DailyGame) -> Opened | None:
    """Open a day; None while it is sealed. Has its best line looked for, where there is none."""
    if not is_open(row.day):
        return None
    best = best_line(row)
    if best is None:
        _ask(row.day)
    scenario = scenario_of(row)
    sealed = scenario.sealed
    return Opened(
        day=row.day,
        secret=row.secret,
        commitment=row.commitment,
        title=scenario.item.title,
        currency=scenario.item.currency,
        asking=to_rupees(scenario.anchor),
        floor=to_rupees(sealed.reservation),
        budget=to_rupees(sealed.budget),
        seal=commitment(sealed, scenario.salt),
        best=best,
    )


def promised() -> list[DailyGame]:
    """List today's and the coming days' games, for their commitments alone."""
    first = day_of(timezone.now())
    coming = DailyGame.objects.filter(day__gte=first, day__lte=first + SHOWN_AHEAD * DAY)
    return list(coming.only("day", "commitment", "made_at", "goods").order_by("day"))


def days_file() -> bytes:
    """Return the days as a program reads them: promises ahead, secrets of the days that are over.

    Not indented by chance: the file is one line for each day, so that it can be searched.
    """
    first = day_of(timezone.now())
    rows = DailyGame.objects.filter(
        day__gte=first - SHOWN_BACK * DAY, day__lte=first + SHOWN_AHEAD * DAY
    ).order_by("day")
    lines = [json.dumps(_told(row), ensure_ascii=False) for row in rows]
    return ('{"format": "bazaarbatna.days/1", "days": [\n' + ",\n".join(lines) + "\n]}\n").encode()


def described(scenario: Scenario) -> dict[str, Any]:
    """Return a day's game as builtins, prices in paise, with the seal its players saw."""
    told: dict[str, Any] = msgspec.to_builtins(scenario)
    return {**told, "seal": commitment(scenario.sealed, scenario.salt)}


def _told(row: DailyGame) -> dict[str, Any]:
    told: dict[str, Any] = {
        "day": row.day.isoformat(),
        "commitment": row.commitment,
        "made_at": row.made_at.isoformat(),
        "catalogue": row.goods,
    }
    if is_open(row.day):
        told |= {"secret": row.secret, "game": described(scenario_of(row))}
    return told


def _ask(day: dt.date) -> None:
    now = time.monotonic()
    if now - _asked.get(day, -ASK_AGAIN_S) >= ASK_AGAIN_S:
        _asked[day] = now
        enqueue_soon(find_line, day.isoformat())
