"""``manage.py ship_model``: put a run's model beside the code."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agents.checkpoints import NoCheckpoint
from training.jobs.model_cards import check, run_to_ship, ship


class Command(BaseCommand):
    """Ship models of finished stages."""

    help = "Copy the models of finished stages to training/models/ (docs/training.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runs", nargs="+", metavar="RUN")
        parser.add_argument("--voice", metavar="RUN", help="whose model speaks for the site")

    def handle(self, *args: Any, **options: Any) -> None:
        voice = options["voice"]
        if voice is not None and voice not in options["runs"]:
            raise CommandError(
                f"--voice names one of the runs that are shipped, not {voice[:80]!r}."
            )
        try:
            # All of them, before the first is copied.
            found = [run_to_ship(key) for key in options["runs"]]
            for run in found:
                check(run, voice=run.pk == voice)
            for run in found:
                shipped = ship(run, voice=run.pk == voice)
                self.stdout.write(f"{shipped.version}: {shipped.folder}")
        except NoCheckpoint as wrong:
            raise CommandError(str(wrong)) from wrong
