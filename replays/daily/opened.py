"""A day that is over, opened: its secret and values, as a page shows them and a program reads."""

import datetime as dt
import json
from typing import Any

import msgspec
from django.utils import timezone

from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sealed import commitment
from negotiation.enqueue import enqueue_soon
from negotiation.ttl_cache import is_time
from replays.daily.days import DAY, scenario_of
from replays.daily.house import Best, best_line, is_given_up
from replays.daily.story import told_of
from replays.daily.tasks import find_line
from replays.daily.twists import TWISTS, Twist
from replays.models import DailyGame
from replays.sealed_days import day_of, is_open

SHOWN_AHEAD = 7
"""So many coming days' commitments stand on the page."""

SHOWN_BACK = 30
"""So many days that are over stand in the file."""

ASK_AGAIN_S = 60.0
"""A process asks for a day's best line no sooner."""


class Opened(msgspec.Struct, frozen=True):
    """A day's game with nothing hidden; prices in rupees.

    ``best`` is None until it is found, for good where it was ``given_up``.
    """

    day: dt.date
    secret: str
    commitment: str
    title: str
    category: str
    currency: str
    asking: float
    floor: float
    budget: float
    seal: str
    best: Best | None
    given_up: bool
    twist: Twist | None = None

    @property
    def story(self) -> tuple[str, ...]:
        """The best line in sentences."""
        return told_of(self.best.steps, self.asking, self.currency) if self.best else ()


def opened(row: DailyGame) -> Opened | None:
    """Open a day; None while it is sealed. Has its best line looked for, where there is none."""
    if not is_open(row.day):
        return None
    best = best_line(row)
    given_up = is_given_up(row)
    if best is None and not given_up and is_time(f"daily-line:{row.day}", ASK_AGAIN_S):
        enqueue_soon(find_line, row.day.isoformat())
    scenario = scenario_of(row)
    sealed = scenario.sealed
    return Opened(
        day=row.day,
        secret=row.secret,
        commitment=row.commitment,
        title=scenario.item.title,
        category=scenario.item.category,
        currency=scenario.item.currency,
        asking=to_rupees(scenario.anchor),
        floor=to_rupees(sealed.reservation),
        budget=to_rupees(sealed.budget),
        seal=commitment(sealed, scenario.salt),
        best=best,
        given_up=given_up,
        twist=TWISTS.get(row.twist),
    )


def promised() -> list[DailyGame]:
    """List today's and the coming days' games, for their commitments alone."""
    first = day_of(timezone.now())
    coming = DailyGame.objects.filter(day__gte=first, day__lte=first + SHOWN_AHEAD * DAY)
    return list(coming.only("day", "commitment", "made_at", "goods").order_by("day"))


def days_file() -> bytes:
    """Return the days as a program reads them: promises ahead, secrets of the days that are over.

    One line for each day, so that it can be searched.
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
        "twist": row.twist,
    }
    if is_open(row.day):
        told |= {"secret": row.secret, "game": described(scenario_of(row))}
    return told
