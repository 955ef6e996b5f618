"""``manage.py restore``: a copy of the site comes back, or nothing changes."""

import datetime as dt
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from bazaar_site.operating import databases, journal
from bazaar_site.operating.copies import (
    BEFORE,
    WORKING,
    BadCopy,
    Manifest,
    bring_back,
    check_fits,
    read_copy,
    waiting_migrations,
)


class Command(BaseCommand):
    """Checks a copy, and brings it back where nothing is, or where that is forced."""

    help = "Bring back a copy that `backup` made. Stop the site first."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?")
        parser.add_argument("--check", action="store_true", help="only compare every byte")
        parser.add_argument(
            "--force", action="store_true", help="put it in the place of a database that is there"
        )
        parser.add_argument(
            "--undo", action="store_true", help="put back what a restore that was killed replaced"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["undo"]:
            self._undo()
            return
        data = Path(settings.DATA_DIR)
        if options["file"] is None or not options["file"].is_file():
            raise CommandError(f"There is no file {options['file'] or 'named: say which copy'}.")
        with tempfile.TemporaryDirectory(dir=data, prefix=WORKING) as folder:
            try:
                manifest = read_copy(options["file"], Path(folder))
                check_fits(manifest)
            except BadCopy as wrong:
                raise CommandError(str(wrong)) from wrong
            if options["check"]:
                self.stdout.write(f"Whole: {_told(manifest)}")
                return
            if not options["force"] and not databases.is_empty():
                raise CommandError(
                    "There is a database already. With --force the copy takes its place; stop the "
                    "site first."
                )
            aside = data / f"{BEFORE}{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%SZ}"
            try:
                bring_back(Path(folder), aside)
            except (databases.DatabaseFailed, OSError) as wrong:
                raise CommandError(f"Nothing was brought back: {wrong}") from wrong
        self.stdout.write(f"Back: {_told(manifest)}")
        if aside.exists():
            self.stdout.write(f"What was there before lies in {aside}; remove it when all is well.")
        if waiting := waiting_migrations(manifest):
            self.stdout.write(f"{len(waiting)} migrations wait: run `python manage.py migrate`.")

    def _undo(self) -> None:
        killed = journal.begun()
        if killed is None:
            raise CommandError("No restore was killed here: there is nothing to undo.")
        if not killed.may_be_undone:
            raise CommandError(
                "PostgreSQL may hold the copy already, whole: restore the same copy again, with "
                "--force."
            )
        journal.undo(killed)
        self.stdout.write("Everything is as it was before the restore that was killed.")


def _told(manifest: Manifest) -> str:
    return (
        f"{manifest.engine}, {len(manifest.files) - 1} files, "
        f"of {manifest.made_at:%Y-%m-%d %H:%M} UTC"
    )
