"""``manage.py prepare``: whatever a site lacks before it is served."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection

from training.models import Run
from training.runs.lifecycle import RECEIPT, RECEIPTS


class Command(BaseCommand):
    """Migrates, loads catalogue, games and receipts, collects static files; what is stale only."""

    help = "Bring the site's data up to date: what is unchanged since the last time is left."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        call_command("load_catalogue", stdout=self.stdout)
        call_command("record_games", examples=True, stdout=self.stdout)
        database = [str(connection.settings_dict[part]) for part in ("NAME", "HOST", "PORT")]
        # What reads receipts counts too: it may write other summaries of them than before.
        made_of = [*RECEIPTS.rglob("*"), *RECEIPTS.parent.rglob("*.py")]
        receipts = Stamp("receipts", sorted(made_of), *database)
        if not (receipts.is_current() and _all_loaded()):
            call_command("load_receipts", stdout=self.stdout)
            receipts.write()
        static = Stamp("static", _static_files(), str(settings.STATIC_ROOT))
        root = Path(settings.STATIC_ROOT)
        if not (static.is_current() and root.is_dir() and any(root.iterdir())):
            call_command("collectstatic", interactive=False, verbosity=0)
            static.write()


class Stamp:
    """A digest of files as they were when something was last made of them.

    By name, size and time of change: contents would have to be read, which is what takes long.
    """

    def __init__(self, name: str, files: Iterable[Path], *more: str) -> None:
        self._path = Path(settings.DATA_DIR) / f"{name}.stamp"
        told = [(str(one), *_size_and_time(one)) for one in files]
        self._digest = hashlib.sha256(repr((told, more)).encode()).hexdigest()

    def is_current(self) -> bool:
        """Whether nothing has changed since ``write``."""
        return self._path.exists() and self._path.read_text() == self._digest

    def write(self) -> None:
        """Remember the files as they are now."""
        self._path.write_text(self._digest)


def _size_and_time(path: Path) -> tuple[int, int]:
    about = path.stat()
    return about.st_size, about.st_mtime_ns


def _static_files() -> list[Path]:
    found = (one for finder in get_finders() for one in finder.list(None))
    return sorted(Path(storage.path(name)) for name, storage in found)


def _all_loaded() -> bool:
    folders = [f"{RECEIPT}{path.parent.name}" for path in RECEIPTS.glob("*/run.json")]
    return Run.objects.filter(folder__in=folders).count() == len(folders)
