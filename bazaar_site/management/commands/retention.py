"""``manage.py retention``: what is kept, how long, and with ``--yes`` delete what is due."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from bazaar_site.operating.keeping import kept


class Command(BaseCommand):
    """Says what is over its time, and deletes it when it is told to."""

    help = "List what the site keeps and how long; with --yes delete what is over its time."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read whether to delete."""
        parser.add_argument("--yes", action="store_true", help="delete what is due, for good")

    def handle(self, *args: Any, **options: Any) -> None:
        """List or delete."""
        self.stdout.write(f"{'what':<32}{'kept':>10}{'due':>8}  how long")
        for one in kept():
            due = str(one.due) if one.forget is not None else "-"
            self.stdout.write(f"{one.name:<32}{one.count:>10,}{due:>8}  {one.rule}")
            if options["yes"] and one.forget is not None and one.due:
                one.forget()
        if not options["yes"]:
            self.stdout.write("Nothing was deleted. With --yes what is due goes, for good.")
