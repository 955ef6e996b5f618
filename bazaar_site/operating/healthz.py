"""Whether this process can serve: what load balancers and watchers ask.

It names what is missing and nothing else: no address, no version, no text of an error.
"""

import asyncio
import contextlib
import datetime as dt
import functools
import logging
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

import redis
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DatabaseError, Error, connection, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.backoff import NoBackoff
from redis.retry import Retry

from bazaar_site.context import places
from bazaar_site.worker_beat import TRAINING, WORKER, is_working
from negotiation.outages import WAIT_S, causes_of, is_full

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


log = logging.getLogger(__name__)

PATIENCE_S = 3.0
"""How long a part may take to answer before it counts as failing."""


WRONG = frozenset({"failing", "full"})


class Failing(Exception):
    """A part of the site does not answer."""


@never_cache
@require_safe
async def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 when every configured part answers, else 503; each part is "ok" or "failing".

    A database may be "full": it can be read, and nothing new be kept. A background worker may be
    "away": what it would do is then done later or by the site.
    """
    said = await verdicts()
    is_well = WRONG.isdisjoint(said.values())
    status = "ok" if is_well else "failing"
    return JsonResponse({"status": status, "parts": said}, status=200 if is_well else 503)


async def verdicts() -> dict[str, str]:
    """Ask every part; "ok", "failing" or "full", of a worker "ok" or "away"."""
    names = parts()
    told = await asyncio.gather(
        *(_verdict(name, CHECKS[name]) for name in names), _worker(WORKER), _worker(TRAINING)
    )
    return {"process": "ok", **dict(zip((*names, WORKER, TRAINING), told, strict=True))}


def parts() -> list[str]:
    """Name the configured parts that the site cannot do without."""
    return ["database", *(["redis"] if settings.REDIS_URL else [])]


_trials = WriteTrials(try_to_write)


def database() -> None:
    """Ask the database for an answer, and now and then to write; raises Failing, Full."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        _trials.look()
    except Error as wrong:
        raise (Full if is_full(wrong) else Failing) from wrong


def redis_server() -> None:
    """Ask Redis for an answer, by a connection of its own; raises Failing."""
    client = redis.Redis.from_url(
        str(settings.REDIS_URL),
        socket_timeout=PATIENCE_S,
        socket_connect_timeout=PATIENCE_S,
        retry=Retry(NoBackoff(), 0),
    )
    try:
        with client:
            client.ping()
    except redis.RedisError as wrong:
        raise Failing from wrong


CHECKS: dict[str, Callable[[], None]] = {"database": database, "redis": redis_server}


async def _worker(part: str) -> str:
    in_thread = database_sync_to_async(is_working, thread_sensitive=False)
    try:
        return "ok" if await asyncio.wait_for(in_thread(part), PATIENCE_S) else "away"
    except (redis.RedisError, TimeoutError):
        return "away"


async def _verdict(name: str, check: Callable[[], None]) -> str:
    WAIT_S.set(0.0)  # in this task alone: whoever asks wants to know how it is now
    in_thread = database_sync_to_async(check, thread_sensitive=False)
    try:
        await asyncio.wait_for(in_thread(), PATIENCE_S)
    except Full:
        log.warning("%s has no room left", name, extra={"outage": True})
        return "full"
    except (Failing, TimeoutError):
        log.exception("%s does not answer", name)
        return "failing"
    return "ok"


LASTS_S = 3.0
"""How old an answer may be: many who look at the same time ask once."""


class Looks:
    """The last look of this process."""

    def __init__(self) -> None:
        self._asking: asyncio.Task[dict[str, str]] | None = None
        self._until = 0.0
        self.at = timezone.now()

    async def parts(self) -> dict[str, str]:
        """Return what every part said, not long ago."""
        asking, loop = self._asking, asyncio.get_running_loop()
        if asking is None or asking.get_loop() is not loop or time.monotonic() > self._until:
            asking = self._asking = loop.create_task(verdicts())
            self._until, self.at = time.monotonic() + LASTS_S, timezone.now()
        return await asyncio.shield(asking)


_looks = Looks()


@never_cache
@require_safe
async def status(request: HttpRequest) -> HttpResponse:
    """Say what works; without the database nothing is known of who asks."""
    parts = await _looks.parts()
    told = {
        "parts": parts,
        "is_well": WRONG.isdisjoint(parts.values()),
        "at": _looks.at.astimezone(dt.UTC),
    }
    draw = functools.partial(_drawn, request, told, get_language())
    return await database_sync_to_async(draw, thread_sensitive=False)()


def _drawn(request: HttpRequest, told: dict[str, Any], language: str | None) -> HttpResponse:
    with override(language):
        if told["parts"]["database"] == "ok":
            return render(request, "status.html", told)
        return HttpResponse(render_to_string("status.html", {**told, **places(request)}))
