"""Django's PostgreSQL, which waits for a server that is being restarted.

A connection is opened before anything is asked, so whoever waits here does nothing twice.
"""

import contextlib
import threading
import time

import psycopg
from django.db import Error
from django.db.backends.postgresql import base

from negotiation.outages import WAIT_S, is_cut_off

PAUSE_S = 0.2

FOR_GOOD = ("authentication failed", "does not exist", "no pg_hba.conf entry", "not permitted")
"""What a server says that is there, and will not let this site in by itself."""


class _Outage:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: float | None = None

    def may_pass(self, wrong: Exception) -> bool:
        """Note a failure; whether it is worth while to wait."""
        if not is_cut_off(wrong) or any(words in str(wrong) for words in FOR_GOOD):
            return False
        now = time.monotonic()
        with self._lock:
            if self._since is None:
                self._since = now
            return now < self._since + WAIT_S.get()

    def is_over(self) -> None:
        """Note that a connection was made."""
        with self._lock:
            self._since = None


_outage = _Outage()


class DatabaseWrapper(base.DatabaseWrapper):
    """Waits at the start of a connection; one that breaks later breaks as ever."""

    def connect(self) -> None:
        """Connect, again and again while the server is away and patience lasts."""
        while True:
            try:
                super().connect()
            except (Error, psycopg.Error) as wrong:
                self._forget()
                if not _outage.may_pass(wrong):
                    raise
                time.sleep(PAUSE_S)
            else:
                _outage.is_over()
                return

    def _forget(self) -> None:
        broken, self.connection = self.connection, None
        if broken is not None:
            with contextlib.suppress(psycopg.Error):
                broken.close()
