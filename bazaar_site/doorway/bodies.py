"""How much a request may bring, decided before any of it is kept."""

import json
from collections.abc import Iterable
from typing import Any

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


class BodyLimit:
    """Refuses what is too long by its ``Content-Length``, and cuts off what grows too long.

    Daphne has read a body to its end before it asks anybody; ``bazaar_site.doorway.daphne_bodies``
    holds the same limits there. This holds them under any server.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        kinds = (value for name, value in scope["headers"] if name.lower() == b"content-type")
        most = most_of(scope["path"], next(kinds, b""))
        if declared_length(scope["headers"]) > most:
            await _refuse(scope, send)
            return
        body = _Counted(receive, send, most)
        await self.application(scope, body.receive, body.send)
        if body.is_too_long and not body.is_answered:
            await _refuse(scope, send)


class _Counted:
    def __init__(self, receive: Any, send: Any, most: int) -> None:
        self._receive, self._send, self._left = receive, send, most
        self.is_answered = self.is_too_long = False

    async def receive(self) -> Any:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            # To the application it is as if the client had gone: it reads and answers no more.
            self.is_too_long = True
            return {"type": "http.disconnect"}
        return message

    async def send(self, message: Any) -> None:
        self.is_answered = True
        await self._send(message)


def declared_length(headers: Any) -> int:
    """Return what ``Content-Length`` says; 0 where it says nothing that is a number."""
    said = next((value for name, value in headers if name.lower() == b"content-length"), b"0")
    return int(said) if said.isdigit() and len(said) < 20 else 0


async def _refuse(scope: Any, send: Any) -> None:
    kind, body = answer(413, scope["path"], scope["headers"])
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})
