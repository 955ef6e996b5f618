"""Background job of the daily game."""

import datetime as dt

from celery import shared_task

from replays.daily.house import claim_search, find_best_line
from replays.models import DailyGame
from replays.sealed_days import is_open


@shared_task(name="replays.tasks.find_line", soft_time_limit=60, time_limit=80)
def find_line(day: str) -> None:
    """Look for the best line of a day that is over, unless another worker does or has done."""
    row = DailyGame.objects.filter(pk=dt.date.fromisoformat(day)).first()
    if row is not None and is_open(row.day) and claim_search(row):
        find_best_line(row)
