"""Whether this process can serve: what load balancers and watchers ask.

It names what is missing and nothing else: no address, no version, no text of an error.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis
from celery.signals import worker_ready, worker_shutting_down
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.backoff import NoBackoff
from redis.retry import Retry

BEAT_S = 5.0

LOST_S = 20.0

WORKER, TRAINING = "worker", "training"

_stop = threading.Event()


def is_working(part: str = WORKER) -> bool:
    """Whether a worker (``WORKER``, ``TRAINING``) gave a sign lately; raises redis.RedisError."""
    if settings.REDIS_URL:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=BEAT_S) as client:
            return bool(client.exists(_key(part)))
    try:
        return time.time() - _file(part).stat().st_mtime < LOST_S
    except FileNotFoundError:
        return False


def beat(part: str = WORKER) -> None:
    """Return a sign once."""
    if settings.REDIS_URL:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=BEAT_S) as client:
            client.set(_key(part), "1", ex=round(LOST_S))
    else:
        _file(part).touch()


@worker_ready.connect
def start(sender: Any = None, **_: Any) -> None:
    """Beat as long as the worker lives, for each queue that it works at."""
    parts = [WORKER] if sender is None else _parts(sender)
    if not parts:
        return
    _stop.clear()
    beats = threading.Thread(target=_keep_beating, args=(parts,), name="worker beat", daemon=True)
    beats.start()


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """Beat no more."""
    _stop.set()


def _parts(consumer: Any) -> list[str]:
    names = {settings.CELERY_TASK_DEFAULT_QUEUE: WORKER, settings.LONG_WORK_QUEUE: TRAINING}
    return [names[queue] for queue in consumer.app.amqp.queues.consume_from if queue in names]


def _keep_beating(parts: list[str]) -> None:
    while True:
        # The next sign comes soon, and the queue itself reports what is broken.
        with contextlib.suppress(redis.RedisError, OSError):
            for part in parts:
                beat(part)
        if _stop.wait(BEAT_S):
            return


def _key(part: str) -> str:
    return f"bazaar:{part}:beat"


def _file(part: str) -> Path:
    return Path(settings.QUEUE_DIR) / f"{part}.beat"


log = logging.getLogger(__name__)

PATIENCE_S = 3.0


class Failing(Exception):
    """A part of the site does not answer."""


@never_cache
@require_safe
async def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 when every configured part answers, else 503; each part is "ok" or "failing".

    A background worker may be "away": what it would do is then done later or by the site.
    """
    names = parts()
    verdicts = await asyncio.gather(*(_verdict(name, CHECKS[name]) for name in names))
    is_well = all(verdict == "ok" for verdict in verdicts)
    workers = await asyncio.gather(_worker(WORKER), _worker(TRAINING))
    said = {
        "process": "ok",
        **dict(zip(names, verdicts, strict=True)),
        **dict(zip((WORKER, TRAINING), workers, strict=True)),
    }
    status = "ok" if is_well else "failing"
    return JsonResponse({"status": status, "parts": said}, status=200 if is_well else 503)


def parts() -> list[str]:
    """Name the configured parts that the site cannot do without."""
    return ["database", *(["redis"] if settings.REDIS_URL else [])]


def database() -> None:
    """Ask the database for an answer; raises Failing."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as wrong:
        raise Failing from wrong


def _redis_server() -> None:
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


CHECKS: dict[str, Callable[[], None]] = {"database": database, "redis": _redis_server}


async def _worker(part: str) -> str:
    in_thread = database_sync_to_async(is_working, thread_sensitive=False)
    try:
        return "ok" if await asyncio.wait_for(in_thread(part), PATIENCE_S) else "away"
    except (redis.RedisError, TimeoutError):
        return "away"


async def _verdict(name: str, check: Callable[[], None]) -> str:
    in_thread = database_sync_to_async(check, thread_sensitive=False)
    try:
        await asyncio.wait_for(in_thread(), PATIENCE_S)
    except (Failing, TimeoutError):
        log.exception("%s does not answer", name)
        return "failing"
    return "ok"
