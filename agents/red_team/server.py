"""A model server on this machine that a gullible model answers through, in two real protocols.

OpenAI-style streaming chat, and Ollama's chat. Loopback only, on a free port.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self

from agents.backends.base import Chat, Message
from agents.red_team.gullible import pieces

MODEL = "gullible"
PIECES = 6
"""Into how many pieces an answer is cut."""

LONGEST_BODY = 1_000_000
"""Bytes of a question."""

CHAT, OLLAMA = "/v1/chat/completions", "/api/chat"

Answering = Callable[[Chat], str]


class ModelServer:
    """Serves an answering callable while the ``async with`` block runs.

    Args:
        answering: makes the text of each answer.
        port: 0 takes a free one.
    """

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
