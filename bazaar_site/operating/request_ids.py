"""One number for everything that a request or a socket causes, from the proxy to the worker's log.

A trusted proxy may have numbered a request already; else it is numbered here. The number goes with
the context: into every line of the log, into the jobs that are asked for, and back to the client.
"""

import logging
import re
import secrets
import time
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.dispatch import Signal
from structlog.contextvars import (
    bind_contextvars,
    bound_contextvars,
    get_contextvars,
    unbind_contextvars,
)

from bazaar_site.operating.queues import ASKED_AT
from negotiation.limits import is_trusted_proxy

log = logging.getLogger(__name__)

KEY = "request_id"
HEADER = b"x-request-id"
BYTES = 8

_SENSIBLE = re.compile(r"[A-Za-z0-9._-]{8,64}")
_ANSWERS = ("http.response.start", "websocket.accept")


class Numbered:
    """Gives each connection its number, and says it in the answer's ``X-Request-ID``."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection; it has a context of its own."""
        number = _told(scope) or new_number()

        async def answer(message: dict[str, Any]) -> None:
            if message["type"] in _ANSWERS:
                headers = [*message.get("headers", ()), (HEADER, number.encode())]
                message = {**message, "headers": headers}
            await send(message)

        with bound_contextvars(**{KEY: number}):
            await self.application(scope, receive, answer)


def new_number() -> str:
    """Draw a number."""
    return secrets.token_hex(BYTES)


def current_number() -> str:
    """Return the number of what is going on, "" where nobody asked for it."""
    return str(get_contextvars().get(KEY, ""))


def _told(scope: Any) -> str:
    if not is_trusted_proxy((scope.get("client") or ("",))[0]):
        return ""
    said = [value.decode("latin-1") for name, value in scope["headers"] if name == HEADER]
    return said[0] if len(said) == 1 and _SENSIBLE.fullmatch(said[0]) else ""


# Jobs: the letter carries the number, the worker takes it on while it does the job, and times it.

job_begun = Signal()
"""``job``: its name, ``waited_s``: since it was asked for, None where the letter does not say."""

job_done = Signal()
"""``job``: its name, ``state``: Celery's word for how it ended, ``took_s``."""


@before_task_publish.connect
def _number_letter(sender: Any = None, headers: Any = None, **_: Any) -> None:
    number = current_number()
    if headers is None:
        return
    headers[ASKED_AT] = time.time()
    if not number:
        return
    headers[KEY] = number
    log.info("a job is asked for", extra={"job": str(sender)})


@task_prerun.connect
def _take_number(task_id: str = "", task: Any = None, **_: Any) -> None:
    request = task.request
    number = getattr(request, KEY, None) or (request.headers or {}).get(KEY)
    # Only what we would have made or believed: letters come from a broker that others may reach.
    sensible = isinstance(number, str) and _SENSIBLE.fullmatch(number)
    bind_contextvars(**{KEY: number if sensible else new_number()}, job=task.name)
    _begun[task_id] = time.monotonic()
    asked = getattr(request, ASKED_AT, None)
    waited = max(0.0, time.time() - asked) if isinstance(asked, int | float) else None
    job_begun.send(None, job=task.name, waited_s=waited)


@task_postrun.connect
def _leave_number(task_id: str = "", task: Any = None, state: Any = None, **_: Any) -> None:
    took = time.monotonic() - _begun.pop(task_id, time.monotonic())
    log.info("a job is done", extra={"state": str(state), "took_ms": round(took * 1000)})
    job_done.send(None, job=task.name, state=str(state), took_s=took)
    unbind_contextvars(KEY, "job")


_begun: dict[str, float] = {}
