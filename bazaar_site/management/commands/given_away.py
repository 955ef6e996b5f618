"""``manage.py given_away``: how well hidden numbers are guessed from the first prices."""

from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from bazaar_site.learn.given_away import RECORD, measure

GAMES = 400


class Command(BaseCommand):
    """Prints a table; what the page "What is sealed" shows is its record."""

    help = "Measure what an opponent can tell from the opening ask and the first bid."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask how many games, and whether the page is to show it."""
        parser.add_argument("--games", type=int, default=GAMES, help="of each row")
        parser.add_argument("--write", action="store_true", help="keep it for the page")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure and print."""
        rows = measure(options["games"])
        self.stdout.write("| where | who | hidden | from the ask | and the first bid | R² | |")
        self.stdout.write("|---|---|---|---|---|---|---|")
        for row in rows:
            after = "" if row.after is None else f"{row.after:.1%}"
            r2 = "" if row.r2 is None else f"{row.r2:.2f}"
            self.stdout.write(
                f"| {row.place} | {row.who} | {row.hidden} | {row.before:.1%} | {after} | {r2} | "
                f"{row.verdict} |"
            )
        if options["write"]:
            told = msgspec.json.format(msgspec.json.encode(rows), indent=1)
            RECORD.write_bytes(told + b"\n")
