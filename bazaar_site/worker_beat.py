"""Signs of life of the background workers, for whoever asks how the site is; and what is timed.

The signs lie where the jobs wait: in Redis, else as files in the queue's folder. Beside them the
worker of short tasks looks after tables at which nobody sits any more.
"""

import contextlib
import logging
import threading
import time
from pathlib import Path
from typing import Any

import redis
from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings
from django.db import connection

log = logging.getLogger(__name__)

BEAT_S = 5.0

LOST_S = 20.0

LOOK_S = 10.0
"""How often somebody's time at a table that nobody looks at is let run out."""

WORKER, TRAINING = "worker", "training"

_stop = threading.Event()


def is_working(part: str = WORKER) -> bool:
    """Whether a worker (``WORKER``, ``TRAINING``) gave a sign lately; raises redis.RedisError."""
    if settings.REDIS_URL:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=BEAT_S) as client:
            return bool(client.exists(_key(part)))
    try:
        return abs(time.time() - _file(part).stat().st_mtime) < LOST_S
    except FileNotFoundError:
        return False


def beat(part: str = WORKER) -> None:
    """Give a sign once."""
    if settings.REDIS_URL:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=BEAT_S) as client:
            client.set(_key(part), "1", ex=round(LOST_S))
    else:
        _file(part).touch()


@worker_ready.connect
def start(sender: Any = None, **_: Any) -> None:
    """Beat, and look after tables, as long as the worker lives; for each queue it works at."""
    parts = [WORKER] if sender is None else _parts(sender)
    if not parts:
        return
    _stop.clear()
    beats = threading.Thread(target=_keep_beating, args=(parts,), name="worker beat", daemon=True)
    beats.start()
    if WORKER in parts:
        # Apart from the signs: a database that lets it wait must not stop them.
        threading.Thread(target=_keep_looking, name="table beat", daemon=True).start()


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


def _keep_looking() -> None:
    while not _stop.wait(LOOK_S):
        look_after_tables()
        look_after_marks()
        connection.close()


def look_after_tables() -> None:
    """Let time run out where nobody looks; one query for each kind with nothing to do."""
    from negotiation.bargain import pairs
    from negotiation.cases import seats

    for look_everywhere in (pairs.look_everywhere, seats.look_everywhere):
        try:
            look_everywhere()
        # Whatever it was: next time. Nobody starts this thread again.
        except Exception:
            log.exception("tables could not be looked after")


def look_after_marks() -> None:
    """Let marks go to the courses of those who came from one; one query where none is due."""
    from rooms.tasks import send_marks_soon

    try:
        send_marks_soon()
    # As above.
    except Exception:
        log.exception("marks could not be looked after")


def _key(part: str) -> str:
    return f"bazaar:{part}:beat"


def _file(part: str) -> Path:
    return Path(settings.QUEUE_DIR) / f"{part}.beat"
