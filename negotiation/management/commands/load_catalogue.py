"""``manage.py load_catalogue``: store the listings that come with the project."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.catalogue.shelving import load_catalogue
from negotiation.catalogue.stock import UnreadableShelf


class Command(BaseCommand):
    """Adds new listings, updates changed ones, leaves the rest alone."""

    help = "Store the listings that come with the project (run it as often as you like)."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = load_catalogue()
        except UnreadableShelf as wrong:
            raise CommandError(str(wrong)) from wrong
        self.stdout.write(
            f"Catalogue: {done.added} added, {done.updated} updated, {done.unchanged} unchanged."
        )
