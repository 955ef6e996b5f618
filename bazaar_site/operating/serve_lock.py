"""One ``serve`` for one data folder, where processes could not hear of each other otherwise.

With PostgreSQL and Redis any number of them make one site. A lock of the system's holds as long as
its process lives, however that ends.
"""

import contextlib
import fcntl
import logging
import os
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

log = logging.getLogger(__name__)

_held: list[int] = []
"""Open as long as this process lives."""


def take(parts: Iterable[str]) -> None:
    """Hold each part of the site (web, environments, workers) until this process ends.

    Raises CommandError where another ``serve`` runs one of them on the same data folder.
    """
    if settings.REDIS_URL and connection.vendor != "sqlite":
        return
    folder = Path(settings.QUEUE_DIR)
    folder.mkdir(exist_ok=True)
    for part in parts:
        descriptor = os.open(folder / f"serve-{part}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        _held.append(descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 20).decode(errors="replace").strip()
            raise CommandError(_refusal(part, holder)) from None
        except OSError as wrong:  # a file system that knows no locks
            log.warning("the data folder cannot be locked: %s", wrong.strerror)
            continue
        with contextlib.suppress(OSError):  # a full disk: the number is for people alone
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())


def let_go() -> None:
    """Close a child's copies of what its parent holds: they would outlive the parent."""
    while _held:
        os.close(_held.pop())


def _refusal(part: str, holder: str) -> str:
    process = f" (process {holder})" if holder.isdigit() else ""
    return (
        f"Another serve{process} runs the {part} of the site in {settings.DATA_DIR}: it would not "
        "hear of moves made here. Stop that one, or give this one a data folder of its own with "
        "BAZAAR_DATA_DIR. BAZAAR_WEB_PROCESSES and BAZAAR_WORKER_PROCESSES give one serve more "
        "processes; several make one site with PostgreSQL and Redis (DATABASE_URL, REDIS_URL)."
    )
