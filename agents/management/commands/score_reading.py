"""``manage.py score_reading``: how well free text is read, on lines labelled by hand."""

import json
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from agents.scoring_sets.labelled import HALVES, Half, only, price_lines, tells_lines
from agents.scoring_sets.prices import score_prices
from agents.scoring_sets.report import as_numbers, price_table, print_failures, tells_table
from agents.scoring_sets.tells import score_tells


class Command(BaseCommand):
    """Scores the readers of prices and tells against labels."""

    help = "Score the readers of prices and tells on hand-labelled lines (docs/reading.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the half and the form of the answer."""
        parser.add_argument("--half", choices=(*HALVES, "both"), default="both")
        parser.add_argument(
            "--show-failures", action="store_true", help="list misread lines (open half only)"
        )
        parser.add_argument("--json", action="store_true", help="numbers instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        """Score the chosen halves and print."""
        halves: tuple[Half, ...] = HALVES if options["half"] == "both" else (options["half"],)
        if options["show_failures"] and halves != ("open",):
            raise CommandError(
                "Failures of the held-out half stay unseen, else it no longer measures anything: "
                "use --half open."
            )
        prices = {half: score_prices(only(price_lines(), half)) for half in halves}
        tells = {half: score_tells(only(tells_lines(), half)) for half in halves}
        if options["json"]:
            numbers = {half: as_numbers(prices[half], tells[half]) for half in halves}
            self.stdout.write(json.dumps(numbers, indent=2))
            return
        console = Console(file=cast("IO[str]", self.stdout), highlight=False)
        console.print(price_table(prices))
        for half in halves:
            console.print(tells_table(f"Tells, {half} half", tells[half]))
        if options["show_failures"]:
            print_failures(console, prices["open"], tells["open"])
