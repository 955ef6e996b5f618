"""A line for each request and for both ends of each socket: which route, how it went, how long.

Daphne has a log of its own, of whole addresses: it is silenced, however Daphne was started.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from daphne.access import AccessLogGenerator
from django.conf import settings

from bazaar_site.log_privacy import method_of, route_of
from bazaar_site.operating.request_ids import Numbered

log = logging.getLogger(__name__)

HUNG_UP = 499
"""The status of a request whose client left before there was an answer, as nginx writes it."""


class Logged:
    """Writes the lines of an ASGI application; ``route`` returns the pattern of an address."""

    def __init__(self, application: Any, route: Callable[[str], str]) -> None:
        self.application = application
        self._route = route

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection."""
        serve = self._socket if scope["type"] == "websocket" else self._request
        await serve(scope, receive, send, time.monotonic())

    async def _request(self, scope: Any, receive: Any, send: Any, began: float) -> None:
        statuses = [HUNG_UP]

        async def answer(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
            await send(message)

        try:
            await self.application(scope, receive, answer)
        finally:
            told = {
                "method": method_of(scope["method"]),
                "route": self._route(scope["path"]),
                "status": statuses[-1],
                "took_ms": round((time.monotonic() - began) * 1000),
            }
            log.info("a request was answered", extra=told)

    async def _socket(self, scope: Any, receive: Any, send: Any, began: float) -> None:
        told = {"route": self._route(scope["path"])}
        is_open = False

        async def answer(message: dict[str, Any]) -> None:
            nonlocal is_open
            if message["type"] == "websocket.accept":
                is_open = True
                log.info("a socket was opened", extra=told)
            await send(message)

        try:
            await self.application(scope, receive, answer)
        finally:
            ended = "a socket was closed" if is_open else "a socket was refused"
            log.info(ended, extra={**told, "took_s": round(time.monotonic() - began, 1)})


def silence_daphne() -> None:
    """Let Daphne write no lines of its own about requests."""
    AccessLogGenerator.write_entry = lambda *_, **__: None


def looked_after(application: Any, route: Callable[[str], str] = route_of) -> Any:
    """Number and log what comes to an ASGI application, and count it where there are metrics.

    ``route`` returns the pattern of an address.
    """
    if settings.METRICS:
        from bazaar_site.operating.counters import Counted

        application = Counted(application)
    return Numbered(Logged(application, route))
