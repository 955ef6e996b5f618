"""How much work waits for the background workers, and since when.

Kombu keeps a queue in Redis as a list with the newest letter first, and without Redis as files
whose names begin with the microsecond at which each was put there.
"""

import json
import time
from pathlib import Path

import msgspec
import redis
from django.conf import settings

ASKED_AT = "asked_at"
"""Header of a letter: seconds since 1970."""

PATIENCE_S = 2.0


class Queue(msgspec.Struct, frozen=True):
    """One queue: letters that nobody has taken, and how long the oldest of them has waited."""

    name: str
    waiting: int
    oldest_s: float


def queues() -> list[Queue]:
    """Look at both queues; raises redis.RedisError where they are out of reach."""
    names = [settings.CELERY_TASK_DEFAULT_QUEUE, settings.LONG_WORK_QUEUE]
    if settings.REDIS_URL:
        return _in_redis(names, settings.REDIS_URL)
    return [_in_folder(name, Path(settings.QUEUE_DIR) / "letters") for name in names]


def _in_redis(names: list[str], url: str) -> list[Queue]:
    patience = {"socket_timeout": PATIENCE_S, "socket_connect_timeout": PATIENCE_S}
    with redis.Redis.from_url(url, **patience) as client, client.pipeline() as asking:
        for name in names:
            asking.llen(name)
            asking.lindex(name, -1)
        told = asking.execute()
    return [
        Queue(name, waiting, _age(_asked_at(oldest)) if oldest else 0.0)
        for name, waiting, oldest in zip(names, told[::2], told[1::2], strict=True)
    ]


def _in_folder(name: str, folder: Path) -> Queue:
    letters = [path.name for path in folder.glob(f"*.{name}.msg") if path.name[0] != "."]
    put = [int(first) / 1e6 for letter in letters if (first := letter.split("_")[0]).isdigit()]
    return Queue(name, len(letters), _age(min(put)) if put else 0.0)


def _asked_at(letter: bytes) -> float:
    try:
        return float(json.loads(letter)["headers"][ASKED_AT])
    except (ValueError, KeyError, TypeError):
        return time.time()


def _age(since: float) -> float:
    return max(0.0, time.time() - since)
