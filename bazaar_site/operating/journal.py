"""What a restore is about to do, written down before: who was killed in the middle is undone.

A restore only renames files, so what it did shows in what lies where. PostgreSQL alone changes in a
transaction that nobody sees from here: from ``DATABASE`` on, only the same copy makes it whole.
"""

import os
import shutil
from pathlib import Path
from typing import Literal

import msgspec
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import connection

from bazaar_site.operating import databases

NAME = ".restore-begun.json"

Step = Literal["files", "database"]


class Journal(msgspec.Struct, frozen=True):
    """``files`` are to be put in place, with whether one was there; names in the data folder."""

    step: Step
    working: str
    aside: str
    had_database: bool
    files: dict[str, bool]

    @property
    def may_be_undone(self) -> bool:
        """Whether it is known what stands where."""
        return self.step == "files" or connection.vendor == "sqlite"


def begin(journal: Journal) -> None:
    """Write down what comes next, on the disk itself."""
    unfinished = _place().with_suffix(".new")
    with unfinished.open("wb") as file:
        file.write(msgspec.json.encode(journal))
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(_place())


def end() -> None:
    """Forget it: all is done, or undone."""
    _place().unlink(missing_ok=True)


def begun() -> Journal | None:
    """Return the journal of a restore that was killed."""
    try:
        return msgspec.json.decode(_place().read_bytes(), type=Journal)
    except FileNotFoundError:
        return None


def undo(journal: Journal) -> None:
    """Put back what a killed restore has replaced; doing it again does no harm."""
    data = Path(settings.DATA_DIR)
    aside = data / journal.aside
    databases.put_back(aside, had_one=journal.had_database)
    for name, was_there in journal.files.items():
        if (aside / name).exists():
            (aside / name).replace(data / name)
        elif not was_there:
            (data / name).unlink(missing_ok=True)
    for folder in (aside, data / journal.working):
        shutil.rmtree(folder, ignore_errors=True)
    end()


def look_for_killed(**_: object) -> list[CheckMessage]:
    """Refuse to go on with half a site (a Django system check)."""
    if not _place().exists():
        return []
    return [
        Error(
            "A restore was killed before it was done: files of two sites may lie side by side.",
            hint="`restore --undo` puts back what was there; `restore FILE --force` begins anew.",
            id="bazaar.E002",
        )
    ]


def _place() -> Path:
    return Path(settings.DATA_DIR) / NAME
