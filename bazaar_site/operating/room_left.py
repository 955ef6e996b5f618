"""Whether anything can still be written: tried now and then, and nothing is left of it."""

import contextlib
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection, transaction

from negotiation.outages import causes_of, is_full

TRY_EVERY_S = 5.0
"""How often at most one process tries, whoever asks."""

NEEDED_BYTES = 65_536
"""With less room than this a site counts as full: moves fail soon, if not yet."""

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Full(Exception):
    """There is no room on the disk."""


class WriteTrials:
    """Remembers for ``TRY_EVERY_S`` what came of the last try."""

    def __init__(self, attempt: Callable[[], None], every_s: float = TRY_EVERY_S) -> None:
        self._attempt = attempt
        self._every_s = every_s
        self._lock = threading.Lock()
        self._until = 0.0
        self._is_full = False

    def look(self) -> None:
        """Try where that was long ago; raises Full, or what else went wrong with this try."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._is_full = False
                self._until = time.monotonic() + self._every_s
                try:
                    self._attempt()
                except (DatabaseError, OSError) as wrong:
                    self._is_full = is_full(wrong)
                    if not self._is_full:
                        self._until = 0.0
                        raise
            if self._is_full:
                raise Full


def try_to_write() -> None:
    """Have the database write something that nobody will ever read, and keep none of it."""
    if connection.vendor != "sqlite":
        _sort_on_disk()
        return
    # SQLite's log is reused and may have room when the disk has none.
    with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
        file.write(bytes(NEEDED_BYTES))
        file.flush()
    with contextlib.suppress(_Busy):
        _write_header()


class _Busy(Exception):
    """Somebody else writes just now, so it can be written."""


def _write_header() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100")
        try:
            (number,) = cursor.execute("PRAGMA user_version").fetchone()
            # A number that SQLite keeps for applications, and that we do not use.
            cursor.execute(f"PRAGMA user_version = {int(number)}")
        except DatabaseError as wrong:
            codes = {getattr(one, "sqlite_errorcode", None) for one in causes_of(wrong)}
            if codes.isdisjoint(_BUSY):
                raise
            raise _Busy from wrong
        finally:
            timeout_ms = 1000 * connection.settings_dict["OPTIONS"].get("timeout", 5)
            cursor.execute(f"PRAGMA busy_timeout = {int(timeout_ms)}")


def _sort_on_disk() -> None:
    # A sort with little memory writes a file where the tables lie, and a number for the transaction
    # has it written to the log: both as of no table.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '64kB'")
        cursor.execute("SELECT pg_current_xact_id()")
        cursor.execute(
            "SELECT count(*) FROM (SELECT md5(i::text) AS word FROM generate_series(1, 4000) AS i"
            " ORDER BY word) AS sorted"
        )
