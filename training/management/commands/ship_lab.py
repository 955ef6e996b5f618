"""``manage.py ship_lab``: put a run's lab beside the code, or where this site finds it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agents.checkpoints import NoCheckpoint
from training.jobs.model_cards import run_to_ship, ship_lab


class Command(BaseCommand):
    """Ship labs of finished stages."""

    help = "Copy the labs of finished stages to training/labs/ (docs/market_training.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runs", nargs="+", metavar="RUN")
        parser.add_argument("--here", action="store_true", help="for this site only")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            for key in options["runs"]:
                shipped = ship_lab(run_to_ship(key), here=options["here"])
                self.stdout.write(f"{shipped.version}: {shipped.folder}")
        except NoCheckpoint as wrong:
            raise CommandError(str(wrong)) from wrong
