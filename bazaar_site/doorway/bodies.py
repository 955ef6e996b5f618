"""How much a request may bring, decided by Daphne before any of it is kept."""

import json
import logging
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from daphne import http_protocol
from django.template.loader import render_to_string
from django.utils.translation import override

from bazaar_site.errors import answers_programs
from negotiation.games.visitors import language_of

MOST = 1_250_000
"""Bytes of a body: the largest is a replay of 1,000,000 with the form around it."""

MOST_OF_A_PHOTO = 24_000_000
"""A photo of 8 MB is taken; one of 20 MB is refused in the form's own words."""

PHOTOS = ("/sell/new/",)

FORM, MOST_OF_A_FORM = b"application/x-www-form-urlencoded", 300_000
"""Percent signs take long to read; forms that bring texts or files are sent in parts instead."""

PROGRAMS, MOST_OF_A_PROGRAM = "/api/", 300_000
"""So do names without end in JSON that is read whole; what a program has to say is short."""

FILES = ("/api/replays/import/", "/api/bots/results/")
"""But for these, which are read line by line."""

GRACE_S = 20.0

SLOWEST = 50_000
"""Bytes a second that the largest body of an address must bring in the end."""


def most_of(path: str, kind: bytes = b"") -> int:
    """Return how many bytes a body of a kind (``Content-Type``) may have at this address."""
    if kind.strip().lower().startswith(FORM):
        return MOST_OF_A_FORM
    if path.startswith(PROGRAMS) and path not in FILES:
        return MOST_OF_A_PROGRAM
    return MOST_OF_A_PHOTO if path in PHOTOS else MOST


def patience_for(path: str) -> float:
    """Return the seconds in which a whole request has to be here."""
    return GRACE_S + most_of(path) / SLOWEST


REFUSALS: dict[int, tuple[str, str]] = {
    408: ("too-slow", "The request did not arrive in time; send it once more."),
    413: ("too-long", "The request is longer than this address takes."),
    503: ("busy", "Too much is being sent here at this moment; try again soon."),
}


def answer(status: int, path: str, headers: Iterable[tuple[bytes, bytes]]) -> tuple[str, bytes]:
    """Return type and body of a refusal: for programs, or in the language of who reads it."""
    code, detail = REFUSALS[status]
    if answers_programs(path):
        body = json.dumps({"error": {"code": code, "detail": detail}})
        return "application/json; charset=utf-8", body.encode()
    with override(language_of({"headers": headers})):
        page = render_to_string("errors/body.html", {"status": status, "code": code})
    return "text/html; charset=utf-8", page.encode()


log = logging.getLogger(__name__)

MOST_HELD = 128_000_000
"""Bytes of all bodies that one process holds, in memory and in temporary files."""

SMALL = 65_536
"""Bodies up to so many bytes are taken also when the total is reached."""

HEADERS_S = 20.0
"""Seconds from the first line of a request to the last of its headers."""

LINGER_S = 2.0
"""Seconds for which what still comes is read and thrown away, so that the refusal is heard."""

Request: Any = http_protocol.WebRequest


class Held:
    """Counts the bytes of bodies that are kept."""

    def __init__(self, most: int = MOST_HELD) -> None:
        self.most = most
        self.bytes = 0


HELD = Held()


class BoundedRequest(Request):  # type: ignore[misc]  # Daphne has no types
    """A request of Daphne's whose body has a limit, a time, and a share in a total."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._came = 0
        self._most = MOST
        self._is_refused = self._is_counted = False
        self._timer: Any = None
        super().__init__(*args, **kwargs)
        self._wait(HEADERS_S)

    # What Twisted calls, in this order.

    def gotLength(self, length: int | None) -> None:  # noqa: N802  Twisted's name
        """Hear how long the body will be; None where it comes in chunks."""
        super().gotLength(length)
        path = self._asked_for()
        # A socket's handshake has no body, and would never give back what it holds.
        upgrade = self.requestHeaders.getRawHeaders(b"Upgrade", [b""])[0]
        is_socket = upgrade.lower() == b"websocket"
        kind = self.requestHeaders.getRawHeaders(b"Content-Type", [b""])[0]
        self._most = 0 if is_socket else most_of(path, kind)
        self._wait(patience_for(path))
        if length is not None and length > self._most:
            self._refuse(413)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        """Keep a piece of the body, unless it is too much."""
        if self._is_refused:
            return
        if self._came + len(data) > self._most:
            self._refuse(413)
        elif self._came + len(data) > SMALL and HELD.bytes + len(data) > HELD.most:
            self._refuse(503)
        else:
            self._came += len(data)
            HELD.bytes += len(data)
            self._is_counted = True
            self._keep(data)

    def _keep(self, data: bytes) -> None:
        try:
            super().handleContentChunk(data)
        except OSError:
            # No room for a temporary file: said to whoever sends, instead of hanging up on them.
            log.exception("a body could not be kept")
            self._refuse(503)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        """Hear that all is here; what was refused goes no further."""
        self._cancel()
        if self._is_refused:
            self.channel.loseConnection()
            return
        super().requestReceived(command, path, version)

    def finish(self) -> None:
        """Give back what was held."""
        self._let_go()
        super().finish()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802  Twisted's name
        """Give back what was held."""
        self._cancel()
        self._let_go()
        super().connectionLost(reason)

    def _asked_for(self) -> str:
        uri: bytes = getattr(self.channel, "_path", b"")
        return unquote(uri.split(b"?", 1)[0].decode("latin-1"))

    def _refuse(self, status: int) -> None:
        self._is_refused = True
        self._let_go()
        self.content.close()
        # Twisted would invite the body of whoever asks before sending it.
        self.requestHeaders.removeHeader(b"Expect")
        spoken = self.requestHeaders.getRawHeaders(b"Accept-Language", [])
        reads = [(b"accept-language", one) for one in spoken]
        kind, body = answer(status, self._asked_for(), reads)
        lines = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            f"Content-Type: {kind}",
            f"Content-Length: {len(body)}",
            "Connection: close",
            *(("Retry-After: 10",) if status == HTTPStatus.SERVICE_UNAVAILABLE else ()),
        )
        self.channel.transport.write("\r\n".join((*lines, "", "")).encode() + body)
        log.info("a request was refused while it was read", extra={"status": status})
        self._cancel()
        self._timer = self.channel.callLater(LINGER_S, self._hang_up)

    def _wait(self, seconds: float) -> None:
        self._cancel()
        self._timer = self.channel.callLater(seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._timer = None
        if self.content is None:
            self._hang_up()  # not even its headers have come
        else:
            self._refuse(408)

    def _hang_up(self) -> None:
        self._timer = None
        self.channel.transport.abortConnection()

    def _cancel(self) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None

    def _let_go(self) -> None:
        if self._is_counted:
            self._is_counted = False
            HELD.bytes -= self._came


def bound_bodies() -> None:
    """Let Daphne make every request from now on with these limits."""
    http_protocol.WebRequest = BoundedRequest
