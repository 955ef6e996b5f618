"""Databases of sites that nobody has visited yet.

To make one takes seconds of a processor, and dozens of tests want one: a file of SQLite is made
once, then copied. ``services`` does the same for PostgreSQL. Processes beside each other, or after
one another, share what they made in the folder that NEW_DATABASES names.
"""

import fcntl
import functools
import os
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
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
        _make(environment, catalogue=catalogue)
        return
    copy_database(file, catalogue=catalogue)


def share() -> None:
    """Let the processes that this one starts share what they make; it goes with this one."""
    os.environ["NEW_DATABASES"] = _shared()


def _shared() -> str:
    return os.environ.get("NEW_DATABASES") or _own().name


def once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of this name among what is shared, made by whoever is the first to ask."""
    shared = Path(_shared())
    shared.mkdir(parents=True, exist_ok=True)
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / name).exists():
            making = Path(tempfile.mkdtemp(dir=shared))
            make(making)
            making.rename(shared / name)
    return shared / name


def copy_database(file: Path, *, catalogue: bool = False) -> None:
    """Put a new database of SQLite where there is none."""
    _copy(_made(catalogue), file)


def _copy(made: Path, file: Path) -> None:
    with closing(sqlite3.connect(made)) as source, closing(sqlite3.connect(file)) as copy:
        source.backup(copy)


def _made(catalogue: bool) -> Path:
    if catalogue:
        return once("filled", _make_filled) / SQLITE
    return once("empty", lambda folder: _make(_of(folder), catalogue=False)) / SQLITE


def _make_filled(folder: Path) -> None:
    copy_database(folder / SQLITE)
    manage(_of(folder), "load_catalogue")


def _of(folder: Path) -> dict[str, str]:
    return {**inherited(), "BAZAAR_DATA_DIR": str(folder)}


@functools.cache
def _own() -> "tempfile.TemporaryDirectory[str]":
    """Make a folder that goes with the process."""
    return tempfile.TemporaryDirectory(prefix="bazaar-database-")


def _make(environment: Mapping[str, str], *, catalogue: bool) -> None:
    manage(environment, "migrate", "--verbosity", "0")
    if catalogue:
        manage(environment, "load_catalogue")
