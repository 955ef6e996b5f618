"""Bring the Hindi file up to date with the pages: ``manage.py messages``."""

from typing import Any

from django.core.management.base import BaseCommand

from bazaar_site.translating import renewed, untranslated, write


class Command(BaseCommand):
    """Write new texts into locale/hi, drop gone ones, and say what is not translated."""

    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        catalog = renewed()
        write(catalog)
        self.stdout.write(f"{len(catalog)} texts, {len(untranslated(catalog))} without Hindi.")
