"""Whether this process can serve: what load balancers and watchers ask.

It names what is missing and nothing else: no address, no version, no text of an error.
"""

import asyncio
import logging
from collections.abc import Callable

import redis
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.backoff import NoBackoff
from redis.retry import Retry

from bazaar_site.operating.room_left import Full, WriteTrials, try_to_write
from bazaar_site.worker_beat import TRAINING, WORKER, is_working
from negotiation.outages import WAIT_S, is_full

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
