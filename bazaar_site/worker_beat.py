"""A sign of life of the background worker, for whoever asks how the site is.

It lies where the jobs wait: in Redis, else as a file in the queue's folder.
"""

import contextlib
import threading
import time
from pathlib import Path
from typing import Any

import redis
from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings

BEAT_S = 5.0
"""How often the worker gives the sign."""

LOST_S = 20.0
"""After so long without a sign nobody is believed to work."""

KEY = "bazaar:worker:beat"

_stop = threading.Event()


def is_working() -> bool:
    """Tell whether a worker has given a sign lately.

    Raises:
        redis.RedisError: Redis does not answer.
    """
    if settings.REDIS_URL:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=BEAT_S) as client:
            return bool(client.exists(KEY))
    try:
        return time.time() - _file().stat().st_mtime < LOST_S
    except FileNotFoundError:
        return False


def beat() -> None:
    """Give the sign once."""
    if settings.REDIS_URL:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=BEAT_S) as client:
            client.set(KEY, "1", ex=round(LOST_S))
    else:
        _file().touch()


@worker_ready.connect
def start(sender: Any = None, **_: Any) -> None:
    """Beat as long as the worker lives, if it is the one that visitors wait for."""
    if sender is not None and settings.CELERY_TASK_DEFAULT_QUEUE not in _queues(sender):
        return
    _stop.clear()
    threading.Thread(target=_keep_beating, name="worker beat", daemon=True).start()


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """Beat no more."""
    _stop.set()


def _queues(consumer: Any) -> set[str]:
    return set(consumer.app.amqp.queues.consume_from)


def _keep_beating() -> None:
    while True:
        # The next sign comes soon, and the queue itself reports what is broken.
        with contextlib.suppress(redis.RedisError, OSError):
            beat()
        if _stop.wait(BEAT_S):
            return


def _file() -> Path:
    return Path(settings.QUEUE_DIR) / "beat"
