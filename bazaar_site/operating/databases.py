"""A copy of the database while others use it, and its way back: SQLite's own, and PostgreSQL's."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from django.db import connection

SUFFIXES = ("", "-wal", "-shm", "-journal")

REACH = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
TRUST = ("sslmode", "sslrootcert", "sslcert", "sslkey")
"""What DATABASE_URL may ask for behind its question mark; libpq reads PGSSLMODE and so on."""


class DatabaseFailed(Exception):
    """The database's own program could not do it."""


def dump(target: Path) -> None:
    """Write a copy as of one moment; raises DatabaseFailed.

    SQLite's is made in one step: who reads its log keeps no writer waiting, and a copy in several
    steps begins anew after every write of others.
    """
    if connection.vendor == "sqlite":
        with (
            _told_as_failed(),
            closing(sqlite3.connect(f"file:{_file()}?mode=ro", uri=True, timeout=60)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)
        shutil.copymode(_file(), target)
        return
    _run(
        "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}",
        "--dbname", _name(),
    )  # fmt: skip


def is_empty() -> bool:
    """Whether there is nothing that a copy would replace."""
    if connection.vendor == "sqlite" and not _file().exists():
        return True
    empty = not connection.introspection.table_names()
    connection.close()
    return empty


def has_file() -> bool:
    """Whether SQLite has a file with something in it."""
    return connection.vendor == "sqlite" and _file().exists() and _file().stat().st_size > 0


def load(source: Path, aside: Path) -> None:
    """Put a copy in the place of what is there.

    SQLite's files of before are moved to ``aside``; PostgreSQL changes in one transaction, or not
    at all. Raises DatabaseFailed, and nothing has changed.
    """
    connection.close()
    if connection.vendor == "sqlite":
        _load_file(source, aside)
    else:
        _load_postgres(source)


def _load_file(source: Path, aside: Path) -> None:
    with _told_as_failed(), closing(sqlite3.connect(source)) as copy:
        told = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if told != "ok":
        raise DatabaseFailed(f"The copy's database is damaged: {told}")
    with contextlib.ExitStack() as undoing:
        for suffix in SUFFIXES:
            old = _file().with_name(_file().name + suffix)
            if old.exists() and not old.stat().st_size:
                old.unlink()
            elif old.exists():
                move(old, aside / old.name, undoing)
        source.replace(_file())
        undoing.pop_all()


def put_back(aside: Path, *, had_one: bool) -> None:
    """Undo what a ``load`` that was killed has done to SQLite's files."""
    if connection.vendor != "sqlite":
        return
    if not had_one:
        _file().unlink(missing_ok=True)
    for suffix in SUFFIXES:
        old = aside / (_file().name + suffix)
        if old.exists():
            old.replace(_file().with_name(old.name))


@contextlib.contextmanager
def _told_as_failed() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as wrong:
        raise DatabaseFailed(f"SQLite: {wrong}") from wrong


def move(source: Path, target: Path, undoing: contextlib.ExitStack) -> None:
    """Move a file, and see to it that ``undoing`` moves it back."""
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)
    undoing.callback(target.replace, source)


def _load_postgres(source: Path) -> None:
    # Files, not a pipe: should we be killed, psql still reads all of it, or nothing is changed.
    statements, drop = source.with_suffix(".sql"), source.with_suffix(".drop.sql")
    _run("pg_restore", "--no-owner", "--no-privileges", f"--file={statements}", str(source))
    with contextlib.closing(connection):
        names = [connection.ops.quote_name(name) for name in connection.introspection.table_names()]
    drop.write_text(f"DROP TABLE {', '.join(names)} CASCADE;\n" if names else "")
    _run(
        "psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1",
        "--dbname", _name(), f"--file={drop}", f"--file={statements}",
    )  # fmt: skip


def is_database_file(path: Path) -> bool:
    """Whether a file belongs to SQLite: the copy of the database has what is in it."""
    if connection.vendor != "sqlite":
        return False
    names = {_file().name + suffix for suffix in SUFFIXES}
    return path.name in names and path.parent == _file().parent


def _file() -> Path:
    return Path(str(connection.settings_dict["NAME"]))


def _name() -> str:
    return str(connection.settings_dict["NAME"])


def _run(*command: str) -> None:
    program = shutil.which(command[0])
    if program is None:
        raise DatabaseFailed(
            f"{command[0]} is not installed here; it comes with the clients of PostgreSQL."
        )
    where = connection.settings_dict
    asked = where.get("OPTIONS", {})
    # By the environment: what stands in a command line is seen by everybody on the machine.
    reach = {name: str(where[key]) for name, key in REACH.items() if where.get(key)}
    reach |= {f"PG{name.upper()}": str(asked[name]) for name in TRUST if name in asked}
    done = subprocess.run(  # noqa: S603  our own
        [program, *command[1:]], stdin=subprocess.DEVNULL, capture_output=True, check=False,
        env={"PATH": os.defpath, "PGCONNECT_TIMEOUT": "10", **reach},
    )  # fmt: skip
    if done.returncode:
        raise DatabaseFailed(f"{command[0]}: {done.stderr.decode(errors='replace').strip()}")
