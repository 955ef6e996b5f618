"""The games of the days: what is promised, making more ahead, making them anew, checking one."""

import datetime as dt
import json
import re
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from negotiation.bargain.scenarios import BUDGET_RULE
from replays.daily.days import AHEAD, DAY, make_ahead, rotate
from replays.daily.drawing import catalogue_digest, commitment_of, deal
from replays.daily.opened import described
from replays.daily.twists import TWISTS
from replays.models import DailyGame
from replays.sealed_days import day_of


class Command(BaseCommand):
    """Without arguments, make what is missing and list the fingerprints of the coming days."""

    help = "List and make the games of the coming days, or deal a day again from its secret."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=AHEAD, help="how many days to make ahead")
        parser.add_argument(
            "--rotate",
            metavar="DAY",
            help="make the games from this day on anew (as 2026-11-25; never today's): for secrets "
            "that somebody may have seen",
        )
        parser.add_argument("--open", metavar="SECRET", help="deal the game of an opened secret")
        parser.add_argument(
            "--twist",
            choices=["", *TWISTS],
            help="with --open: what was special about the day (default: as this site dealt it)",
        )
        parser.add_argument(
            "--rule",
            type=int,
            choices=range(1, BUDGET_RULE + 1),
            help="with --open: the rule of the budget, where the day's catalogue shows another "
            "digest (default: the one that this site dealt the day by, else the newest)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["open"]:
            self._deal(options["open"].strip(), options["rule"], options["twist"])
            return
        today = day_of(timezone.now())
        if options["rotate"]:
            try:
                first = dt.date.fromisoformat(options["rotate"])
            except ValueError as wrong:
                raise CommandError("Name the day as 2026-11-25.") from wrong
            self.stdout.write(f"{rotate(first)} days made anew.")
        make_ahead(today, max(options["days"], 1))
        for row in DailyGame.objects.filter(day__gte=today).order_by("day"):
            self.stdout.write(f"{row.day}  {row.commitment}  {row.made_at:%Y-%m-%d}")
        last = DailyGame.objects.order_by("-day").values_list("day", flat=True).first()
        left = 0 if last is None else (last - today) // DAY
        self.stdout.write(f"Made ahead: {left} days.")

    def _deal(self, secret: str, rule: int | None, twist: str | None) -> None:
        if not re.fullmatch(r"[0-9a-f]{64}", secret):
            raise CommandError("A secret has 64 hexadecimal digits.")
        row = DailyGame.objects.filter(commitment=commitment_of(secret)).first()
        rule = rule or _rule_of(row)
        if twist is None:
            twist = row.twist if row else ""
        dealt = deal(secret, rule=rule, twist=twist)
        told = {
            "commitment": commitment_of(secret),
            "catalogue": catalogue_digest(rule),
            "twist": twist,
            "key": dealt.source_key,
            "draws_before": dealt.draw,
            "game": described(dealt.scenario),
        }
        self.stdout.write(json.dumps(told, ensure_ascii=False, indent=2))


def _rule_of(row: DailyGame | None) -> int:
    """Return the rule by which this site dealt a day; the newest where it did not."""
    known = {catalogue_digest(rule): rule for rule in range(1, BUDGET_RULE + 1)}
    return known.get(row.goods if row else "", BUDGET_RULE)
