"""``manage.py backup``: everything that cannot be made again, in one file, while the site runs."""

import datetime as dt
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from bazaar_site.operating.copies import make_copy
from bazaar_site.operating.databases import DatabaseFailed


class Command(BaseCommand):
    """Writes a copy of the site."""

    help = "Copy the database and the data folder into one tar file; the site may go on meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a new .tar; a folder gets one named by time")
        parser.add_argument(
            "--without", action="append", default=[], metavar="FOLDER",
            help="leave out a folder of the data folder, such as models; may be said again",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        target: Path = options["file"]
        if target.is_dir():
            target /= f"bazaar-{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%SZ}.tar"
        if target.exists():
            raise CommandError(f"{target} is there already.")
        try:
            made = make_copy(target, frozenset(options["without"]))
        except (DatabaseFailed, OSError) as wrong:
            raise CommandError(f"No copy was made: {wrong}") from wrong
        megabytes = target.stat().st_size / 1e6
        self.stdout.write(
            f"{target}: {made.engine}, {len(made.files) - 1} files of the data folder, "
            f"{megabytes:.1f} MB. It holds keys and what people said: keep it as you keep those."
        )
