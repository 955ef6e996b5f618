"""``manage.py load_receipts``: the published runs that ship with the code."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from training.evaluation import BadReceipt
from training.evaluation.domain import domain_of_plan
from training.evaluation.published import forget_replaced, load, names, read
from training.jobs import publishing


class Command(BaseCommand):
    """Checks every receipt against its rows and makes its run; safe to repeat."""

    help = "Check the receipts under training/receipts and show them on the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only check, load nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            receipts = [read(name) for name in names()]
            stages = publishing.read_all()
        except BadReceipt as bad:
            raise CommandError(str(bad)) from bad
        loaded = 0
        if not options["check"]:
            forget_replaced(
                [*(one.facts.id for one in receipts), *(one.facts.id for one in stages)]
            )
            loaded = sum(load(receipt) for receipt in receipts)
            loaded += sum(publishing.load(stage) for stage in stages)
        played: Counter[str] = Counter()
        for receipt in receipts:
            played[domain_of_plan(receipt.plan).unit] += receipt.plan.bargains
        rows = " and ".join(f"{count:,} {unit}" for unit, count in played.items()) or "0 rows"
        steps = sum(stage.steps for stage in stages)
        trained = f"; {len(stages)} stages of training, {steps:,} steps" if stages else ""
        self.stdout.write(
            f"{len(receipts)} receipts follow from their {rows}{trained}; {loaded} loaded."
        )
