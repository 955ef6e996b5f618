"""Databases of sites that nobody has visited yet.

To make one takes seconds of a processor, and dozens of tests want one: a file of SQLite is made
once in a process, then copied. ``services`` does the same for PostgreSQL. Processes that follow one
another share what they made in the folder that NEW_DATABASES names.
"""

import functools
import os
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from tests.support.commands import inherited, manage

SQLITE = "bazaar.sqlite3"
"""Name of the file in a site's folder."""


def make_database(environment: Mapping[str, str], *, catalogue: bool = False) -> None:
    """Migrate what a site's environment names, and fill the stall.

    Args:
        environment: has ``BAZAAR_DATA_DIR``, a folder that is there; maybe ``DATABASE_URL``, a
            server of ``services``, which has been migrated.
        catalogue: fill the stall.
    """
    file = Path(environment["BAZAAR_DATA_DIR"]) / SQLITE
    if "DATABASE_URL" in environment:
        if catalogue:
            manage(environment, "load_catalogue")
        return
    if file.exists():
        _make(environment, catalogue)
        return
    _copy(_made(catalogue), file)


def _copy(made: Path, file: Path) -> None:
    with closing(sqlite3.connect(made)) as source, closing(sqlite3.connect(file)) as copy:
        source.backup(copy)


def _made(catalogue: bool) -> Path:
    folder = Path(os.environ.get("NEW_DATABASES") or _own().name)
    file = folder / ("filled" if catalogue else "empty") / SQLITE
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=folder))
        environment = {**inherited(), "BAZAAR_DATA_DIR": str(making)}
        if catalogue:
            _copy(_made(False), making / SQLITE)
            manage(environment, "load_catalogue")
        else:
            _make(environment, catalogue)
        making.rename(file.parent)
    return file


@functools.cache
def _own() -> "tempfile.TemporaryDirectory[str]":
    """Make a folder that goes with the process."""
    return tempfile.TemporaryDirectory(prefix="bazaar-database-")


def _make(environment: Mapping[str, str], catalogue: bool) -> None:
    manage(environment, "migrate", "--verbosity", "0")
    if catalogue:
        manage(environment, "load_catalogue")
