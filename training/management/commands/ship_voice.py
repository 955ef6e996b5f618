"""``manage.py ship_voice``: put a run's voice beside the code."""

from argparse import ArgumentParser
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError

from agents.checkpoints import NoCheckpoint
from agents.text.languages import Register
from training.jobs.model_cards import run_to_ship, ship_voice


class Command(BaseCommand):
    """Ship the adapter of a finished stage."""

    help = "Copy the adapter of a finished stage of the voice to training/models/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", metavar="RUN")
        parser.add_argument(
            "--speaks", nargs="*", default=(), choices=get_args(Register), help="languages"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(
                str(ship_voice(run_to_ship(options["run"]), tuple(options["speaks"])))
            )
        except NoCheckpoint as wrong:
            raise CommandError(str(wrong)) from wrong
