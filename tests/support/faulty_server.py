"""A model server that answers what a test tells it to, and fails on demand.

In a test::

    with FaultyServer() as server:
        server.always(Say("theek hai"))
        server.then(Status(429, retry_after="7"), Silence(after_pieces=2))
        server.answer_with(lambda asked: Say(asked.messages[-1]["content"]))

It speaks the protocols of ``tests.support.model_protocols`` on real sockets, from a thread with an
event loop of its own, so that it serves tests, other processes and browsers alike.
"""

import asyncio
import gzip
import json
import ssl
import threading
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import msgspec

from tests.support.model_answers import (
    Answer,
    Answerer,
    Asked,
    Body,
    Half,
    HangUp,
    Noise,
    Say,
    Script,
    Silence,
    Status,
)
from tests.support.model_protocols import CHAT, GETS, MESSAGES, NATIVE, OLLAMA, content_type, pieces
from tests.support.servers import free_port

MODEL_ROUTES = (CHAT, OLLAMA, NATIVE, MESSAGES)
READY_WITHIN_S = 10
LOOK_EVERY_S = 0.005


class FaultyServer:
    """Serves from ``start`` to ``stop``; both can be repeated, on the same port.

    ``missing`` are paths that it answers by 404; ``streams`` False answers all in one piece;
    ``gets`` is the answer to every GET, None for the usual ones. ``asked`` are the questions to a
    model so far; ``hang_ups`` counts askers who went away before their answer was complete;
    ``connections`` counts connections so far. With ``tls`` it speaks https.
    """

    def __init__(self, port: int | None = None, tls: ssl.SSLContext | None = None) -> None:
        self.port = port or free_port()
        self._tls = tls
        self.missing: set[str] = set()
        self.streams = True
        self.gets: Answer | None = None
        self.asked: list[Asked] = []
        self.hang_ups = 0
        self.connections = 0
        self._resets = 0
        self._next: deque[Answer] = deque()
        self._answerer: Answerer = lambda _asked: Say()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopped: asyncio.Event

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    def always(self, answer: Answer) -> None:
        """Answer this whenever nothing else was asked for."""
        self._answerer = lambda _asked: answer

    def then(self, *answers: Answer) -> None:
        """Answer these next, one after the other."""
        self._next.extend(answers)

    def answer_with(self, answerer: Answerer) -> None:
        """Ask a callable for each answer; it runs in the server's thread."""
        self._answerer = answerer

    def obey(self, script: Script) -> None:
        """Do what ``POST /script`` says."""
        if script.always is not None:
            self.always(script.always)
        self.then(*script.then)
        self.missing = self.missing if script.missing is None else set(script.missing)
        self.streams = self.streams if script.streams is None else script.streams

    def reset(self) -> None:
        """Forget what it was told and what it was asked; what still runs is not counted."""
        self._resets += 1
        self._next.clear()
        self.always(Say())
        self.missing.clear()
        self.streams = True
        self.gets = None
        self.asked.clear()
        self.hang_ups = self.connections = 0

    def start(self) -> None:
        """Serve."""
        ready: Future[None] = Future()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(ready)), name="faulty-server", daemon=True
        )
        self._thread.start()
        ready.result(READY_WITHIN_S)

    def stop(self) -> None:
        """Break off all connections and refuse new ones."""
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join()
            self._thread = self._loop = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    async def _serve(self, ready: Future[None]) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        talks: set[asyncio.Task[None]] = set()

        def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.connections += 1
            task = asyncio.ensure_future(self._talk(reader, writer))
            talks.add(task)
            task.add_done_callback(talks.discard)

        try:
            server = await asyncio.start_server(talk, "127.0.0.1", self.port, ssl=self._tls)
        except OSError as error:
            ready.set_exception(error)
            return
        ready.set_result(None)
        await self._stopped.wait()
        server.close()
        for task in list(talks):
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        # One that was closing already has been cancelled in it: its transport needs one more turn.
        await asyncio.sleep(0)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        resets = self._resets
        try:
            while (asked := await _read_request(reader)) is not None:
                resets = self._resets
                if not await self._reply(asked, reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hang_ups += resets == self._resets
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _reply(
        self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; tell whether the connection can be kept."""
        if asked.path == "/script":
            return await self._take_script(asked, writer)
        if asked.method == "GET" and self.gets is None:
            found = {} if asked.path in self.missing else GETS.get(asked.path, {})
            await _send(writer, 200 if found else 404, json.dumps(found).encode())
            return True
        if asked.method == "GET":
            return await self._answer(asked, self.gets or Say(), reader, writer)
        self.asked.append(asked)
        if asked.path not in MODEL_ROUTES or asked.path in self.missing:
            await _send(writer, 404, b'{"detail": "Not Found"}')
            return True
        answer = self._next.popleft() if self._next else self._answerer(asked)
        return await self._answer(asked, answer, reader, writer)

    async def _answer(
        self,
        asked: Asked,
        answer: Answer,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Perform an answer until it ends or the asker goes away."""
        gone = asyncio.ensure_future(_gone(reader))
        sending = asyncio.ensure_future(self._perform(asked, answer, writer))
        try:
            await asyncio.wait((gone, sending), return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                raise ConnectionResetError
            return sending.result()
        finally:
            gone.cancel()
            sending.cancel()
            await asyncio.gather(gone, sending, return_exceptions=True)

    async def _perform(self, asked: Asked, answer: Answer, writer: asyncio.StreamWriter) -> bool:
        match answer:
            case Say():
                sent = pieces(asked, answer, streams=self.streams)
                await self._send_pieces(asked, writer, sent, answer.pause_s)
                writer.write(b"0\r\n\r\n")
                await writer.drain()
                return True
            case Status():
                more = {"Retry-After": answer.retry_after} if answer.retry_after else {}
                await _send(writer, answer.status, answer.body.encode(), **more)
                return True
            case Silence():
                if answer.after_pieces:
                    sent = pieces(asked, Say(answer.text), streams=True)[: answer.after_pieces]
                    await self._send_pieces(asked, writer, sent)
                await asyncio.sleep(answer.seconds)
            case Half():
                sent = pieces(asked, Say(answer.text), streams=self.streams)
                whole = b"".join(sent)
                await self._send_pieces(asked, writer, [whole[: len(whole) // 2]])
                if answer.politely:
                    # It ends as whole answers do, so the asker may use the connection again.
                    writer.write(b"0\r\n\r\n")
                    await writer.drain()
                    return True
            case Body():
                await _send_body(writer, answer)
                return True
            case Noise():
                writer.write(answer.bytes.encode())
            case HangUp():
                pass
        await writer.drain()
        return False

    async def _send_pieces(
        self, asked: Asked, writer: asyncio.StreamWriter, sent: list[bytes], pause_s: float = 0.0
    ) -> None:
        kind = content_type(asked, streams=self.streams)
        writer.write(_head(200, {"Content-Type": kind, "Transfer-Encoding": "chunked"}))
        for piece in sent:
            await asyncio.sleep(pause_s)
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()

    async def _take_script(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        if asked.method == "POST":
            try:
                self.obey(msgspec.convert(asked.body, Script))
            except msgspec.ValidationError as error:
                await _send(writer, 400, json.dumps({"error": str(error)}).encode())
                return True
        elif asked.method == "DELETE":
            self.reset()
        report = {
            "asked": [msgspec.to_builtins(question) for question in self.asked],
            "hang_ups": self.hang_ups,
            "connections": self.connections,
        }
        await _send(writer, 200, json.dumps(report).encode())
        return True


async def _read_request(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise
        return None
    first, *lines = head.strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
    }
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    body: Any = json.loads(raw) if raw else {}
    return Asked(method, target.partition("?")[0], headers, body)


async def _gone(reader: asyncio.StreamReader) -> None:
    """Return when the asker has gone; reading would take bytes of the next request."""
    while not reader.at_eof() and reader.exception() is None:  # noqa: ASYNC110  # no event tells
        await asyncio.sleep(LOOK_EVERY_S)


def _head(status: int, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


async def _send(writer: asyncio.StreamWriter, status: int, body: bytes, **headers: str) -> None:
    described = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
    writer.write(_head(status, described) + body)
    await writer.drain()


async def _send_body(writer: asyncio.StreamWriter, answer: Body) -> None:
    body = answer.body.encode() * answer.times
    headers = {"Content-Type": answer.content_type}
    if answer.gzip:
        body, headers["Content-Encoding"] = gzip.compress(body), "gzip"
    headers["Content-Length"] = str(len(body))
    writer.write(_head(200, headers))
    writer.write(body)
    await writer.drain()
