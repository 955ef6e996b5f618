"""``manage.py import_listings``: take listings from files of other projects."""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from negotiation.catalogue.formats import FORMATS
from negotiation.catalogue.shelving import find_files, import_files, print_summary


class Command(BaseCommand):
    """Imports a file or a folder; running it again doubles nothing."""

    help = "Import listings from CSV or JSON files (docs/catalogue.md has the formats)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="a file, or a folder of files")
        parser.add_argument("--format", required=True, choices=sorted(FORMATS), dest="format_name")
        parser.add_argument("--currency", type=_currency, help="ISO code of the prices")

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = FORMATS[options["format_name"]]
        path: Path = options["path"]
        if not path.exists():
            raise CommandError(f"There is no file or folder {path}.")
        files = find_files(path, chosen)
        if not files:
            raise CommandError(f"No *{chosen.suffix} files in {path}.")
        reports = list(import_files(files, chosen, options["currency"] or chosen.currency))
        console = Console(file=cast("IO[str]", self.stdout), highlight=False)
        print_summary(console, reports)
        broken = [report.error for report in reports if report.error]
        if broken:
            raise CommandError("Not imported:\n" + "\n".join(broken))


def _currency(text: str) -> str:
    if len(text) != 3 or not text.isascii() or not text.isalpha():
        raise ArgumentTypeError(f"{text!r} is not a currency code such as INR or USD")
    return text.upper()
