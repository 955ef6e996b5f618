"""``manage.py publish_run RUN``: show a finished evaluation, or hide it again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from training import runs
from training.evaluation.errors import EvaluationError
from training.evaluation.publishing import publish, write_receipt
from training.evaluation.rebuilding import known_run


class Command(BaseCommand):
    """Publishes a run, and with ``--receipt`` writes what ships with the code."""

    help = "Show a finished evaluation on the site; optionally write its receipt to be committed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask which run, and what for."""
        parser.add_argument("run", help="id of the run")
        parser.add_argument("--receipt", metavar="NAME", help="also write training/receipts/NAME")
        parser.add_argument("--withdraw", action="store_true", help="do not show it any more")

    def handle(self, *args: Any, **options: Any) -> None:
        """Publish or withdraw, and say so."""
        receipt = options["receipt"]
        if receipt is not None and not runs.NAME.fullmatch(receipt):
            raise CommandError("A receipt's name is of a-z, 0-9 and hyphens, at most 40.")
        try:
            run = known_run(options["run"])
            if options["withdraw"]:
                run.published_at = None
                run.save(update_fields=["published_at"])
                self.stdout.write(f"{run.pk} is not shown any more.")
                return
            publish(run)
            if receipt is not None:
                write_receipt(run, runs.RECEIPTS / receipt)
        except EvaluationError as wrong:
            raise CommandError(str(wrong)) from wrong
        self.stdout.write(f"{run.pk} is published.")
