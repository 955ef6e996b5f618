"""Databases of sites that nobody has visited yet.

To make one takes seconds of a processor, and dozens of tests want one: a file of SQLite is made
once in a process, then copied. ``services`` does the same for PostgreSQL.
"""

import functools
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
    _copy(Path(_made(catalogue).name) / SQLITE, file)


def _copy(made: Path, file: Path) -> None:
    with closing(sqlite3.connect(made)) as source, closing(sqlite3.connect(file)) as copy:
        source.backup(copy)


@functools.cache
def _made(catalogue: bool) -> "tempfile.TemporaryDirectory[str]":
    """Make one; the folder goes with the process."""
    folder = tempfile.TemporaryDirectory(prefix="bazaar-database-")
    environment = {**inherited(), "BAZAAR_DATA_DIR": folder.name}
    if catalogue:
        _copy(Path(_made(False).name) / SQLITE, Path(folder.name) / SQLITE)
        manage(environment, "load_catalogue")
    else:
        _make(environment, catalogue)
    return folder


def _make(environment: Mapping[str, str], catalogue: bool) -> None:
    manage(environment, "migrate", "--verbosity", "0")
    if catalogue:
        manage(environment, "load_catalogue")
