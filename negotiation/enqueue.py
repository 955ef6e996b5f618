"""Ask the background workers for a task, without ever holding up whoever asks.

The truth about a job is its row: a message that is lost is no harm, somebody who looks at the row
asks again. Which tasks wait in a queue of their own is in the settings (``CELERY_TASK_ROUTES``).
"""

import contextvars
import logging
import queue
import threading
from typing import TYPE_CHECKING, Any

from kombu.exceptions import KombuError, OperationalError

if TYPE_CHECKING:
    from celery import Signature, Task

log = logging.getLogger(__name__)

MOST_WAITING = 500
"""Messages that may wait to be sent; beyond that they are dropped."""

_waiting: "queue.Queue[tuple[contextvars.Context, Task[..., Any], tuple[Any, ...]]]" = queue.Queue(
    MOST_WAITING
)
_starting = threading.Lock()
_sender: threading.Thread | None = None


def enqueue(task: "Task[..., Any] | Signature[Any]", *args: Any, later_s: float = 0) -> bool:
    """Put a task, or one by its name, into its queue; False when the broker is away."""
    try:
        task.apply_async(args, countdown=later_s, retry=False)
    except (KombuError, OperationalError, OSError):
        log.exception("the worker could not be asked", extra={"task": task.name})
        return False
    return True


def enqueue_soon(task: "Task[..., Any]", *args: Any) -> None:
    """Put a task into its queue from a thread of its own: a broker that is away costs no wait."""
    global _sender  # noqa: PLW0603  one thread per process, started by the first message
    try:
        # The sender's thread must know on whose behalf it sends.
        _waiting.put_nowait((contextvars.copy_context(), task, args))
    except queue.Full:
        log.warning("too many tasks wait to be sent; one is dropped", extra={"task": task.name})
        return
    with _starting:
        if _sender is None or not _sender.is_alive():
            _sender = threading.Thread(target=_send, name="enqueue", daemon=True)
            _sender.start()


def _send() -> None:
    while True:
        asked_in, task, args = _waiting.get()
        try:
            asked_in.run(enqueue, task, *args)
        finally:
            _waiting.task_done()
