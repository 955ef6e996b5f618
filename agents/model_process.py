"""A model process: the local models behind an OpenAI-style server on a Unix socket.

``python -m agents.model_process SOCKET`` is what ``manage.py serve`` starts and starts
again. Web processes and workers speak to it (``remote.py``) as to any other such server.
"""

import asyncio
import contextlib
import logging
import os
import socket
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings

from agents.backends.base import BackendError, Chat, Completion, Message
from agents.backends.local.backend import chosen, how, patience
from agents.backends.local.pace import Patience
from agents.backends.local.source import Source
from agents.backends.local.worker import State, Worker
from agents.checkpoints import find_checkpoint
from agents.prompts.chats import Role
from agents.speech.model import VOICE, Engine, engine_at
from bazaarbatna import nulls

log = logging.getLogger(__name__)

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
FindSource = Callable[[str], Source | None]

LONGEST_QUESTION = 256 * 1024
KEPT = 7
"""Models that are kept; the one asked longest ago leaves first."""
TELL_EVERY_S = 0.25
"""Pieces of an answer travel together: each costs a web process a look at what may be said."""
STUCK_S = 30.0
"""A model that made no step for so long, or a loop that answers nobody, ends the process."""

VOICE_STATES: dict[str, State] = {
    "not-started": "not-started",
    "loading": "loading",
    "ready": "ready",
    "failed": "load-failed",
}

STATUS = {
    "no-such-model": 404,
    "prompt-too-long": 413,
    "too-slow": 504,
    "generation-failed": 500,
}
"""Of an error that came before the answer; any other is 503."""


class _Turn(msgspec.Struct):
    role: Role
    content: str


class _Wanted(msgspec.Struct):
    model: str = ""


class _Asked(_Wanted, kw_only=True):
    messages: list[_Turn]
    max_tokens: int = 96
    temperature: float = 1.0
    top_p: float = 1.0
    seed: int | None = None


class ModelServer:
    """The ASGI application; ``find`` turns a model's label into where it lies."""

    def __init__(
        self,
        find: FindSource,
        batch: int,
        patience: Patience,
        *,
        stop_at_object: bool = True,
        voice: Engine | None = None,
    ) -> None:
        self._find = find
        self._voice = voice
        self._batch = batch
        self._patience = patience
        self._stop_at_object = stop_at_object
        self._workers: OrderedDict[str, Worker] = OrderedDict()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        match scope["method"], scope["path"]:
            case "GET", "/v1/models":
                await _reply(send, 200, self._offered())
            case "POST", "/v1/models":
                await self._reading(receive, send, _Wanted, self._load)
            case "POST", "/v1/chat/completions":
                await self._reading(receive, send, _Asked, self._chat)
            case "POST", "/v1/completions":
                await self._reading(receive, send, dict[str, Any], self._complete)
            case _:
                await _reply(send, 404, _wrong("not-found"))

    def worker(self, label: str) -> Worker:
        """Return the worker of a model, begun to load; raises BackendError, "no-such-model"."""
        found = self._workers.get(label)
        if found is None:
            source = self._find(label)
            if source is None:
                raise BackendError("no-such-model", retryable=False, asked=False)
            found = Worker(source, self._batch, stop_at_object=self._stop_at_object)
            self._workers[label] = found
            if len(self._workers) > KEPT:
                self._workers.popitem(last=False)[1].retire()
        self._workers.move_to_end(label)
        found.start()
        return found

    @property
    def stuck(self) -> bool:
        """Whether some model has made no step for too long."""
        now = time.monotonic()
        return any(one.stands_still_s(now) > STUCK_S for one in list(self._workers.values()))

    def _offered(self) -> dict[str, Any]:
        there = [
            {"id": label, "object": "model", "state": one.state}
            for label, one in self._workers.items()
        ]
        if self._voice is not None:
            there.append({"id": VOICE, "object": "model", "state": VOICE_STATES[self._voice.state]})
        return {"object": "list", "data": there}

    async def _reading(
        self,
        receive: Receive,
        send: Send,
        shape: Any,
        act: Callable[[Any, Receive, Send], Awaitable[None]],
    ) -> None:
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > LONGEST_QUESTION:
                await _reply(send, 413, _wrong("prompt-too-long"))
                return
        try:
            wanted = nulls.decoded(msgspec.json.Decoder(shape), bytes(body))
        except msgspec.DecodeError:
            await _reply(send, 400, _wrong("not-the-protocol"))
            return
        await act(wanted, receive, send)

    async def _load(self, wanted: _Wanted, _receive: Receive, send: Send) -> None:
        try:
            if wanted.model == VOICE and self._voice is not None:
                self._voice.start()
            else:
                self.worker(wanted.model)
        except BackendError as wrong:
            await _reply(send, STATUS[wrong.code], _wrong(wrong.code))
            return
        await _reply(send, 202, self._offered())

    async def _chat(self, asked: _Asked, receive: Receive, send: Send) -> None:
        answering = asyncio.ensure_future(self._answer(asked, send))
        leaving = asyncio.ensure_future(_hung_up(receive))
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        for one in (answering, leaving):
            one.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await answering

    async def _complete(self, asked: dict[str, Any], receive: Receive, send: Send) -> None:
        """Pass on all that the voice's program says, until the asker has enough."""
        voice = self._voice
        if voice is None or voice.state != "ready" or voice.free < 1:
            await _reply(send, 503, _wrong("busy"))
            return
        leaving = asyncio.ensure_future(_hung_up(receive))
        loop, said = asyncio.get_running_loop(), asyncio.Queue[Any]()

        def hear(chunk: Any) -> bool:
            loop.call_soon_threadsafe(said.put_nowait, chunk)
            return leaving.done()

        speaking = loop.run_in_executor(None, voice.answer, asked, hear)
        speaking.add_done_callback(lambda _: said.put_nowait(None))
        await send(_start(200, b"text/event-stream"))
        while (chunk := await said.get()) is not None:
            event = b"data: " + msgspec.json.encode(chunk) + b"\n\n"
            await send({"type": "http.response.body", "body": event, "more_body": True})
        leaving.cancel()
        await send({"type": "http.response.body", "body": b""})
        await speaking

    async def _answer(self, asked: _Asked, send: Send) -> None:
        chat = Chat(
            tuple(Message(turn.role, turn.content) for turn in asked.messages),
            max_new_tokens=max(1, asked.max_tokens),
            temperature=asked.temperature,
            top_p=asked.top_p,
            seed=asked.seed,
        )
        stream = _Stream(send, asked.model)
        try:
            worker = self.worker(asked.model)
            answer = asyncio.ensure_future(worker.answer(chat, stream.hear, self._patience))
            try:
                while not (await asyncio.wait({answer}, timeout=TELL_EVERY_S))[0]:
                    await stream.tell()
                await stream.end(await answer)
            finally:
                answer.cancel()
        except BackendError as wrong:
            await stream.fail(wrong.code)


class _Stream:
    """An answer on its way: events of the protocol, a few pieces in each."""

    def __init__(self, send: Send, model: str) -> None:
        self._send = send
        self._model = model
        self._pieces: list[str] = []
        self._begun = False

    def hear(self, piece: str) -> None:
        self._pieces.append(piece)

    async def end(self, completion: Completion) -> None:
        usage = {
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.completion_tokens,
        }
        choice: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
        last = {"model": self._model, "choices": [choice], "usage": usage}
        if not self._begun:
            # Nobody has waited: one body costs both sides less than four events.
            choice["message"] = {"role": "assistant", "content": "".join(self._pieces)}
            await _reply(self._send, 200, last)
            return
        await self.tell()
        choice["delta"] = {}
        await self._event(msgspec.json.encode(last))
        await self._event(b"[DONE]", more=False)

    async def fail(self, code: str) -> None:
        if not self._begun:
            await _reply(self._send, STATUS.get(code, 503), _wrong(code))
        else:
            await self._event(msgspec.json.encode(_wrong(code)), more=False)

    async def tell(self) -> None:
        """Send what was heard since."""
        text, self._pieces = "".join(self._pieces), []
        if text:
            choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
            await self._event(msgspec.json.encode({"model": self._model, "choices": [choice]}))

    async def _event(self, data: bytes, *, more: bool = True) -> None:
        if not self._begun:
            self._begun = True
            await self._send(_start(200, b"text/event-stream"))
        await self._send(
            {"type": "http.response.body", "body": b"data: " + data + b"\n\n", "more_body": more}
        )


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _wrong(code: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": code}}


def _start(status: int, kind: bytes) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status, "headers": [(b"content-type", kind)]}


async def _reply(send: Send, status: int, told: Any) -> None:
    await send(_start(status, b"application/json"))
    await send({"type": "http.response.body", "body": msgspec.json.encode(told)})


def model_server() -> ModelServer:
    """Make what a model process serves: the settings' model, and every checkpoint that is here."""
    voice = engine_at(())
    served = ModelServer(_source_of, settings.SAUDA_LOCAL["batch"], patience(), voice=voice)
    home = chosen()
    if home is not None:
        served.worker(home.label)
    return served


def _source_of(label: str) -> Source | None:
    """Find what a label means; other weights under the same name are another model."""
    home = chosen()
    if home is not None and home.label == label:
        return home
    found = find_checkpoint(label.partition("@")[0])
    source = how().of(found) if found is not None else None
    return source if source is not None and source.label == label else None


NICER = 5
"""The site's own work goes before the model's."""
LOOK_EVERY_S = 2.0
BIND_WITHIN_S = 10.0


def main(place: Path) -> None:
    """Serve the models of the settings on a socket, which a dead process may have left behind."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()
    sys.setswitchinterval(0.001)
    os.nice(NICER)
    place.unlink(missing_ok=True)
    application = model_server()
    looking = threading.Thread(target=_end_when_useless, args=(application, place), daemon=True)
    looking.start()
    _daphne(application, place)


def _end_when_useless(application: ModelServer, place: Path) -> None:
    time.sleep(BIND_WITHIN_S)
    while _answers(place) and not application.stuck:
        time.sleep(LOOK_EVERY_S)
    log.critical("The model process makes no step, or cannot be reached: it ends, to be replaced")
    os._exit(1)


def _answers(place: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(STUCK_S)
            line.connect(str(place))
            line.sendall(b"GET /v1/models HTTP/1.0\r\n\r\n")
            return bool(line.recv(1))
    except OSError:
        return False


def _daphne(application: ModelServer, place: Path) -> None:
    from daphne.server import Server

    where = str(place).replace("\\", "\\\\").replace(":", "\\:")
    Server(application, endpoints=[f"unix:{where}:mode=600"], server_name="").run()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
