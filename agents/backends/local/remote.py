"""A model that lives in another process: what a web process has instead of a worker and torch."""

import asyncio
import contextlib
import functools
import logging
import socket
import threading
import time

import httpx
import msgspec

from agents.backends.base import (
    BackendError,
    BadAnswer,
    Chat,
    Completion,
    OnText,
    TooSlow,
    Unreachable,
)
from agents.backends.http_client import Address, Exchange, HttpClient, Reply, trusted_roots
from agents.backends.local.pace import Pace, Patience
from agents.backends.local.source import Source
from agents.backends.local.worker import State
from agents.backends.openai_answer import CHAT_ROUTE, ChatAnswer, ErrorInAnswer, chat_payload
from agents.backends.shapes import read_json

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.5
ANSWERS_WITHIN_S = 1.5
"""A server that does not even list its models for so long hangs; nobody waits for it."""
MOST_CALLS = 256
GRACE_S = 0.2
"""What the way to the model and back may take beyond the patience, which both sides count."""

MODELS = "/v1/models"


class _Model(msgspec.Struct):
    id: str
    state: State | None = None  # what a model process says, and no other server


class _Models(msgspec.Struct):
    data: list[_Model]


class _Code(msgspec.Struct):
    code: str = ""


class _Wrong(msgspec.Struct):
    error: _Code


class Door:
    """One model server: whether it is there, which models it has, and who waits for it.

    ``place`` is the path of a Unix socket, or an address. A thread looks every half second, so
    that a server that died or hangs costs nobody a turn, and one that came back is asked again.
    """

    def __init__(self, place: str) -> None:
        is_socket = place.startswith("/")
        self._base = "http://models" if is_socket else place
        self.path = place if is_socket else None
        address = Address(self._base, endings=(CHAT_ROUTE, "/v1"))
        self.http = HttpClient(address, socket=self.path, most=MOST_CALLS)
        self.states: dict[str, State] = {}
        self.there = False
        self.knows_states = True
        self.flights: set[asyncio.Task[Completion]] = set()
        self._wanted: set[str] = set()
        self._lock = threading.Lock()
        self._looking = False

    def want(self, label: str) -> None:
        """Have a model loaded there, now and whenever the server is another one."""
        with self._lock:
            self._wanted.add(label)
            if self._looking:
                return
            self._looking = True
        threading.Thread(target=self._look_on, name="model process", daemon=True).start()

    def unwant(self, label: str) -> None:
        """Do not ask for a model any more."""
        with self._lock:
            self._wanted.discard(label)

    def state(self, label: str) -> State:
        """Say how far a model is there."""
        if not self.there:
            return "away"
        return self.states.get(label, "loading") if self.knows_states else "ready"

    def client(self, timeout_s: float) -> httpx.Client:
        """Return a client for a thread, which closes it."""
        return httpx.Client(
            transport=httpx.HTTPTransport(uds=self.path, verify=trusted_roots()),
            auth=self.http.address.auth,
            timeout=timeout_s,
            trust_env=False,
        )

    def lose(self) -> None:
        """Take the server for gone until it answers a look; those who wait are let go."""
        self.there = False
        for task in list(self.flights):
            with contextlib.suppress(RuntimeError):  # its loop has ended
                task.get_loop().call_soon_threadsafe(task.cancel)

    def _look_on(self) -> None:
        while self._is_wanted():
            with self.client(ANSWERS_WITHIN_S) as client:
                self._look_while_it_answers(client)
            time.sleep(LOOK_EVERY_S)

    def _look_while_it_answers(self, client: httpx.Client) -> None:
        try:
            while self._wanted:
                self._look(client)
                time.sleep(LOOK_EVERY_S)
        except (httpx.HTTPError, httpx.InvalidURL, BackendError, OSError) as error:
            if self.there:
                log.warning("The model process does not answer: %s", type(error).__name__)
            self.lose()

    def _is_wanted(self) -> bool:
        with self._lock:
            self._looking = bool(self._wanted)
            self.there = self.there and self._looking
            return self._looking

    def _look(self, client: httpx.Client) -> None:
        if self.path:
            # httpx leaves a socket open that was refused.
            with socket.socket(socket.AF_UNIX) as probe:
                probe.settimeout(ANSWERS_WITHIN_S)
                probe.connect(self.path)
        url = self.http.address.at(MODELS)
        answer = client.get(url)
        if answer.status_code != 200:
            raise BackendError("away")
        offered = read_json(answer.content, _Models).data
        ours = any(one.state is not None for one in offered)
        with self._lock:
            wanted = set(self._wanted)
        missing = wanted - {one.id for one in offered if one.state != "not-started"}
        for label in missing if ours or not offered else ():
            ours |= client.post(url, json={"model": label}).status_code in (202, 404)
            offered.append(_Model(label, "loading"))
        self.states = {one.id: one.state or "ready" for one in offered}
        self.knows_states = ours
        self.there = True


@functools.cache
def doors(places: tuple[str, ...]) -> tuple[Door, ...]:
    """Return this process's doors to model servers; there is one for each."""
    return tuple(Door(place) for place in places)


class RemoteWorker:
    """Stands for a model in this process; see ``Worker`` for what each of these is about."""

    def __init__(self, source: Source, behind: tuple[Door, ...]) -> None:
        self._source = source
        self._doors = behind
        self._started = False
        self._closed = False
        self._pace = Pace()

    @property
    def state(self) -> State:
        """How far it is, at the door where it is furthest."""
        if self._closed:
            return "closed"
        if not self._started:
            return "not-started"
        there = {door.state(self._source.label) for door in self._doors}
        order: tuple[State, ...] = ("ready", "loading", "load-failed", "away")
        return next((state for state in order if state in there), "away")

    def start(self) -> None:
        """Have it loaded."""
        if not self._started:
            self._started = True
            for door in self._doors:
                door.want(self._source.label)

    def check(self) -> None:
        """Raise BackendError, with the state as its code, unless the model answers."""
        state = self.state
        if state != "ready":
            passing = state not in ("load-failed", "closed")
            raise BackendError(state, retryable=passing, asked=False)

    def retire(self) -> None:
        """Let the server forget it."""
        self.stop()

    def stop(self) -> None:
        """Ask no more."""
        self._closed = True
        for door in self._doors:
            door.unwant(self._source.label)

    async def answer(self, chat: Chat, on_text: OnText, patience: Patience) -> Completion:
        """Ask the server with the fewest of our calls; raises BackendError."""
        self.start()
        self.check()
        label = self._source.label
        ready = [door for door in self._doors if door.state(label) == "ready"]
        if not ready:
            raise BackendError("away", asked=False)
        door = min(ready, key=lambda one: len(one.flights))
        with self._pace.taking(patience) as within_s:
            return await self._flown(door, chat, on_text, within_s + GRACE_S)

    async def _flown(self, door: Door, chat: Chat, on_text: OnText, within_s: float) -> Completion:
        flight = asyncio.ensure_future(self._asked(door, chat, on_text, within_s))
        door.flights.add(flight)
        try:
            return await flight
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if this is not None and this.cancelling():
                raise
            raise BackendError("away") from None
        finally:
            door.flights.discard(flight)

    async def _asked(self, door: Door, chat: Chat, on_text: OnText, within_s: float) -> Completion:
        label = self._source.label
        try:
            async with door.http.exchange(within_s) as exchange:
                return await _completion(exchange, chat, on_text, label)
        except ErrorInAnswer as wrong:
            code = wrong.told.get("code") if isinstance(wrong.told, dict) else None
            raise _own(code) or wrong from wrong
        except Unreachable as wrong:
            door.lose()
            raise BackendError("away", asked=False) from wrong
        except BadAnswer as wrong:
            # The server was killed in the middle; what it was is looked at, not held against it.
            if wrong.code == "cut-off":
                raise BackendError("away") from wrong
            raise


async def _completion(exchange: Exchange, chat: Chat, on_text: OnText, label: str) -> Completion:
    payload = chat_payload(chat, label)
    async with exchange.reply("POST", CHAT_ROUTE, payload) as reply:
        if reply.status != 200:
            raise await _refusal(reply)
        answer = ChatAnswer(on_text, label, streamed=reply.is_stream)
        await reply.read(answer.feed)
        return answer.completion()


async def _refusal(reply: Reply) -> BackendError:
    """Say in the server's own words why it does not answer, where those are ours."""
    try:
        code = read_json(await reply.whole(), _Wrong).error.code
    except BackendError:
        return reply.refusal()
    return _own(code) or reply.refusal()


def _own(code: object) -> BackendError | None:
    if code == "too-slow":
        return TooSlow()
    if code not in PASSED_ON:
        return None
    again = code in ("shed", "busy", "loading", "generation-failed")
    return BackendError(str(code), retryable=again, asked=code == "generation-failed")


PASSED_ON = frozenset(
    {"shed", "busy", "loading", "load-failed", "no-such-model", "prompt-too-long"}
    | {"generation-failed", "closed", "not-started"}
)
"""What a model process may say of itself."""
