"""The worker looks every hour whose time is over: rooms, sessions. No visitor is needed for it."""

import threading
from typing import Any

from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings

from negotiation.enqueue import enqueue

EVERY_S = 3600.0
FIRST_S = 60.0
"""Wait after the start: a worker that is just up has other things to do."""

_stop = threading.Event()


@worker_ready.connect
def start(sender: Any = None, **_: Any) -> None:
    """Ask every hour, in the worker of short tasks alone."""
    queues = sender.app.amqp.queues.consume_from if sender is not None else {}
    if settings.CELERY_TASK_DEFAULT_QUEUE not in queues:
        return
    _stop.clear()
    threading.Thread(target=_keep_asking, name="retention", daemon=True).start()


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """Ask no more."""
    _stop.set()


def _keep_asking() -> None:
    from bazaar_site.rooms.tasks import forget_due_rooms, forget_old_sessions

    wait = FIRST_S
    while not _stop.wait(wait):
        enqueue(forget_due_rooms)
        enqueue(forget_old_sessions)
        wait = EVERY_S
