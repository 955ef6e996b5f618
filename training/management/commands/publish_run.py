"""``manage.py publish_run RUN``: show a finished run, or hide it again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from training.evaluation import EvaluationError
from training.evaluation.published import known_run, write_receipt
from training.jobs import publishing
from training.jobs.publishing import publish, withdraw
from training.models import Run
from training.runs import lifecycle


class Command(BaseCommand):
    """Publishes a run, and with ``--receipt`` writes what ships with the code."""

    help = "Show a finished run on the site; optionally write its receipt to be committed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", help="id of the run")
        parser.add_argument("--receipt", metavar="NAME", help="also write training/receipts/NAME")
        parser.add_argument("--withdraw", action="store_true", help="do not show it any more")

    def handle(self, *args: Any, **options: Any) -> None:
        receipt = options["receipt"]
        if receipt is not None and not lifecycle.NAME.fullmatch(receipt):
            raise CommandError("A receipt's name is of a-z, 0-9 and hyphens, at most 40.")
        try:
            run = _stage(options["run"]) or known_run(options["run"])
            if options["withdraw"]:
                withdraw(run)
                self.stdout.write(f"{run.pk} is not shown any more.")
                return
            publish(run)
            if receipt is not None:
                run.refresh_from_db()
                write = publishing.write if run.what.is_stage else write_receipt
                write(run, lifecycle.RECEIPTS / receipt)
        except EvaluationError as wrong:
            raise CommandError(str(wrong)) from wrong
        self.stdout.write(f"{run.pk} is published.")


def _stage(run_id: str) -> Run | None:
    run = Run.objects.filter(pk=run_id).first()
    return run if run is not None and run.what.is_stage else None
