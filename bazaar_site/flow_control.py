"""A socket's two directions, neither of which may grow without end.

Daphne queues whatever a client sends and buffers whatever it does not read, both without a limit
and without an option for one: a program that talks faster than it listens could fill the memory.
Here the client is not read from while many of its messages wait, an answer waits until the last
ones are on their way, and a client that takes nothing for a while is cut off. That rests on private
parts of one version of Daphne, so the site starts under no other (docs/decisions/014).
"""

import asyncio
import logging
from functools import partial
from importlib.metadata import version
from typing import Any

from django.core import checks
from django.core.exceptions import ImproperlyConfigured

log = logging.getLogger(__name__)

DAPHNE = "4.2.3"
"""The version whose private parts were read; ``pyproject.toml`` pins the same."""

MOST_WAITING = 256

FEW_WAITING = 64

UNREAD_S = 30.0
"""Seconds that a client may leave full what the system buffers for it."""


def check_daphne(**_: Any) -> list[checks.CheckMessage]:
    """Refuse another version of Daphne (a Django system check)."""
    installed = version("daphne")
    if installed == DAPHNE:
        return []
    return [
        checks.Error(
            f"Daphne {installed} is installed; slow readers are held back through parts of Daphne "
            f"{DAPHNE} that are private.",
            hint=f"Install daphne=={DAPHNE}, or read docs/decisions/014-daphne-flow-control.md.",
            id="bazaar.E001",
        )
    ]


class FlowControl:
    """Holds each connection to what its other end takes; raises ImproperlyConfigured on start."""

    def __init__(self, application: Any, unread_s: float = UNREAD_S) -> None:
        for wrong in check_daphne():
            raise ImproperlyConfigured(f"{wrong.msg} {wrong.hint}")
        self._application = application
        self._unread_s = unread_s

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection."""
        protocol = _protocol(send)
        if protocol is None:
            await self._application(scope, receive, send)
            return
        line = _Line(protocol, send, self._unread_s)
        await self._application(scope, line.receive, line.send)


def _protocol(send: Any) -> Any:
    held = send.args[0] if isinstance(send, partial) and send.args else None
    return held if hasattr(held, "application_queue") and hasattr(held, "transport") else None


class _Line:
    def __init__(self, protocol: Any, send: Any, unread_s: float) -> None:
        self._transport = protocol.transport
        self._queue: asyncio.Queue[Any] = protocol.application_queue
        self._send = send
        self._unread_s = unread_s
        self._is_held = False
        self._flows = asyncio.Event()
        self._flows.set()
        protocol.application_queue = self
        # Left from the HTTP request that the connection began as.
        self._transport.unregisterProducer()
        self._transport.registerProducer(self, True)

    def put_nowait(self, message: dict[str, Any]) -> None:
        self._queue.put_nowait(message)
        if not self._is_held and self._queue.qsize() >= MOST_WAITING:
            self._is_held = True
            self._transport.pauseProducing()

    async def receive(self) -> Any:
        message = await self._queue.get()
        if self._is_held and self._queue.qsize() <= FEW_WAITING:
            self._is_held = False
            self._transport.resumeProducing()
        return message

    async def send(self, message: dict[str, Any]) -> None:
        if not self._flows.is_set() and message["type"] == "websocket.send":
            await self._until_it_flows()
        await self._send(message)

    async def _until_it_flows(self) -> None:
        try:
            await asyncio.wait_for(self._flows.wait(), self._unread_s)
        except TimeoutError:
            log.info("a client that does not read was cut off")
            self._transport.abortConnection()

    # What Twisted tells the producer of a transport.

    def pauseProducing(self) -> None:  # noqa: N802  Twisted's name
        self._flows.clear()

    def resumeProducing(self) -> None:  # noqa: N802  Twisted's name
        self._flows.set()

    def stopProducing(self) -> None:  # noqa: N802  Twisted's name
        self._flows.set()
