"""``manage.py ship_lab``: put a run's lab beside the code, or where this site finds it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agents.checkpoints import NoCheckpoint
from training.jobs.model_cards import ship_lab
from training.models import Run


class Command(BaseCommand):
    """Ship labs of finished stages."""

    help = "Copy the labs of finished stages to training/labs/ (docs/market_training.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read which runs."""
        parser.add_argument("runs", nargs="+", metavar="RUN")
        parser.add_argument("--here", action="store_true", help="for this site only")

    def handle(self, *args: Any, **options: Any) -> None:
        """Copy and say where."""
        for key in options["runs"]:
            run = Run.objects.filter(pk=key).first()
            if run is None:
                raise CommandError(f"There is no run {key[:80]!r}.")
            try:
                shipped = ship_lab(run, here=options["here"])
            except NoCheckpoint as wrong:
                raise CommandError(str(wrong)) from wrong
            self.stdout.write(f"{shipped.version}: {shipped.folder}")
