"""The ways from the game to a model: each a router of its own, with real backends where it can."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

from agents import asking
from agents.backends.base import Backend, Chat, Completion, Message, OnText, unheard
from agents.backends.hf import HfBackend
from agents.backends.ollama import OllamaBackend
from agents.gates.contract import Call, Gatekeeper, Settlement, Ticket
from agents.red_team.gullible import Gullible, pieces
from agents.router import Router

MODEL = "gullible"
PIECES = 6

LONGEST_BODY = 1_000_000

CHAT, OLLAMA = "/v1/chat/completions", "/api/chat"

Answering = Callable[[Chat], str]


class ModelServer:
    """Serves an answering callable while the ``async with`` block runs."""

    def __init__(self, answering: Answering, port: int = 0) -> None:
        self._answering = answering
        self._wanted = port
        self._server: asyncio.Server

    @property
    def url(self) -> str:
        """Where it is, without a slash at the end."""
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", self._wanted)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._answer_one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # whoever asked has gone
        finally:
            writer.close()

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = head[0].split(" ")[1]
        length = next(
            int(line.split(":")[1]) for line in head if line.lower().startswith("content-length")
        )
        if length > LONGEST_BODY:
            return False
        asked: dict[str, Any] = json.loads(await reader.readexactly(length))
        messages = (Message(one["role"], one["content"]) for one in asked["messages"])
        text = self._answering(Chat(tuple(messages)))
        kind = "application/x-ndjson" if path == OLLAMA else "text/event-stream"
        head_lines = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked"
        writer.write(head_lines.encode() + b"\r\n\r\n")
        for line in _ollama(text) if path == OLLAMA else _openai(text):
            writer.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


def _openai(text: str) -> Iterator[bytes]:
    for piece in pieces(text, PIECES):
        yield _event({"delta": {"content": piece}, "finish_reason": None})
    yield _event({"delta": {}, "finish_reason": "stop"})
    yield b"data: [DONE]\n\n"


def _event(choice: dict[str, Any]) -> bytes:
    body = {"model": MODEL, "choices": [{"index": 0, **choice}]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def _ollama(text: str) -> Iterator[bytes]:
    for piece in pieces(text, PIECES):
        line = {"model": MODEL, "message": {"role": "assistant", "content": piece}, "done": False}
        yield json.dumps(line).encode() + b"\n"
    last = {"message": {"role": "assistant", "content": ""}, "done_reason": "stop", "done": True}
    yield json.dumps({"model": MODEL, **last}).encode() + b"\n"


PATHS = ("rules", "hf", "ollama", "local")


class StandIn:
    """A gullible model in this process, where the site would have its local one."""

    name = "local"
    metered = False
    timeout_s = 5.0

    def __init__(self, model: Gullible) -> None:
        self._model = model

    def configured(self) -> bool:
        """Whether it can be asked."""
        return True

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        """Answer in pieces."""
        text = self._model.answer(chat)
        for piece in pieces(text, PIECES):
            on_text(piece)
            await asyncio.sleep(0)
        return Completion(text, MODEL)

    async def probe(self) -> str:
        """Return its name."""
        return MODEL

    async def close(self) -> None:
        """Let go of nothing."""


class OpenGate:
    """Lets every call through and counts nothing: a report must not use up anybody's day."""

    def admit(self, call: Call, now: float) -> Ticket:
        """Let it through."""
        return Ticket(0, call)

    def settle(self, ticket: Ticket, settlement: Settlement, now: float) -> None:
        """Write nothing down."""


@asynccontextmanager
async def way_to(path: str, model: Gullible) -> AsyncIterator[None]:
    """Let the model answer this task's questions on a path."""
    if path == "rules":
        yield
        return
    server = ModelServer(model.answer)
    async with server, way_through(_backend(path, server.url, model)):
        yield


@asynccontextmanager
async def way_through(backend: Backend, keeper: Gatekeeper | None = None) -> AsyncIterator[None]:
    """Let a backend answer this task's questions, behind an open gate or a given keeper."""
    router = Router([backend], keeper or OpenGate())
    with asking.through(router):
        yield
    await router.close()


def _backend(path: str, url: str, model: Gullible) -> Backend:
    if path == "hf":
        return HfBackend(url)
    return OllamaBackend(url, MODEL) if path == "ollama" else StandIn(model)
