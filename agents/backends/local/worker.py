"""Loads a model in the background and lets it answer whoever asks, in time or not at all."""

import asyncio
import atexit
import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import msgspec

from agents.backends.base import BackendError, Chat, Completion, OnText, TooSlow, unheard
from agents.backends.local.model import Model, open_model
from agents.backends.local.pace import Pace, Patience
from agents.backends.local.source import Source

log = logging.getLogger(__name__)

State = Literal["not-started", "loading", "ready", "load-failed", "closed", "away"]

WAITING_PER_SEAT = 4
"""Questions that may wait for each one that can be answered at once."""


THINKING, THOUGHT = "<think>", "</think>"


class ObjectEnd:
    """Reads an answer piece by piece until its first JSON object is closed.

    What stands between ``<think>`` and ``</think>`` is not the answer and is passed over.

    >>> end = ObjectEnd()
    >>> end.closed_after('{"say": "50} '), end.closed_after('ok"} and'), end.closed_after("so on")
    (None, 4, 0)
    """

    def __init__(self) -> None:
        self._depth = 0
        self._quoted = False
        self._escaped = False
        self._thinking = False
        self._closed = False
        self._tail = ""

    def closed_after(self, piece: str) -> int | None:
        """Return how many characters of this piece come up to the object's end, if it ends here."""
        if self._closed:
            return 0
        for index, character in enumerate(piece, start=1):
            if self._read(character):
                self._closed = True
                return index
        return None

    def _read(self, character: str) -> bool:
        if self._depth == 0:
            self._tail = (self._tail + character)[-len(THOUGHT) :]
            if self._tail.endswith((THINKING, THOUGHT)):
                self._thinking = self._tail.endswith(THINKING)
            self._depth = int(character == "{" and not self._thinking)
            return False
        if self._quoted:
            self._quoted = self._escaped or character != '"'
            self._escaped = character == "\\" and not self._escaped
            return False
        self._quoted = character == '"'
        self._depth += (character == "{") - (character == "}")
        return self._depth == 0


class _Question:
    """A chat, and who hears its answer on an event loop of their own."""

    def __init__(self, chat: Chat, on_text: OnText, *, stop_at_object: bool) -> None:
        self.chat = chat
        self.begun_at: float | None = None
        self.dropped = self.closed = False
        self.text: list[str] = []
        self._on_text = on_text
        self._end = ObjectEnd() if stop_at_object else None
        self._loop = asyncio.get_running_loop()

    def hear(self, piece: str) -> bool:
        """Pass on a piece; give whether that was the end, or nobody listens any more."""
        self.begun_at = time.monotonic()
        end = self._end.closed_after(piece) if self._end is not None else None
        piece = piece if end is None else piece[:end]
        self.text.append(piece)
        if piece and self._on_text is not unheard:
            try:
                self._loop.call_soon_threadsafe(self._tell, piece)
            except RuntimeError:  # the asker's loop was closed meanwhile
                self.dropped = True
        return end is not None or self.dropped or self.closed

    def _tell(self, piece: str) -> None:
        if not self.dropped:
            self._on_text(piece)


class Worker:
    """A model of this process and those who wait for it; ``most`` are answered at once.

    The answers of a small model are over in hundredths of a second and come in one piece: every
    piece would cost as much as the tokens in it. Those of any other are heard as they are made.
    """

    def __init__(self, source: Source, most: int, *, stop_at_object: bool) -> None:
        self._source = source
        self._most = most
        self._stop_at_object = stop_at_object
        self._is_small = source.card is not None and source.card.dialect != "chat"
        self._state: State = "not-started"
        self._leaving = False
        self._model: Model | None = None
        self._lock = threading.Lock()
        self._pace = Pace()
        self._questions: set[_Question] = set()
        self._pool = ThreadPoolExecutor(most, "sauda-local")

    @property
    def state(self) -> State:
        """How far it is."""
        return self._state

    def start(self) -> None:
        """Begin to load; once is enough, more does nothing."""
        with self._lock:
            if self._state != "not-started":
                return
            self._state = "loading"
        atexit.register(self.stop)
        threading.Thread(target=self._load, name="sauda-local", daemon=True).start()

    async def answer(self, chat: Chat, on_text: OnText, patience: Patience) -> Completion:
        """Answer, together with whoever else asks at this time. The first call starts loading."""
        self.start()
        self.check()
        with self._pace.taking(patience) as within_s, self._asking(chat, on_text) as question:
            answered = asyncio.get_running_loop().run_in_executor(self._pool, self._say, question)
            try:
                async with asyncio.timeout(within_s):
                    return await answered
            except TimeoutError:
                raise TooSlow(asked=question.begun_at is not None) from None

    def check(self) -> None:
        """Raise BackendError, with the state as its code, unless the model answers."""
        if self._state != "ready":
            passing = self._state in ("not-started", "loading")
            raise BackendError(self._state, retryable=passing, asked=False)

    def stands_still_s(self, now: float) -> float:
        """Return for how long the model has been at one step (``time.monotonic``)."""
        with self._lock:
            begun = [one.begun_at for one in self._questions if one.begun_at is not None]
        return now - max(begun) if begun else 0.0

    def retire(self) -> None:
        """Answer those who have asked already, then let the model go; waits for nobody."""
        self._leaving = True
        self._part()

    def stop(self) -> None:
        """Answer nobody any more; a load under way ends by itself."""
        with self._lock:
            self._state = "closed"
            for question in self._questions:
                question.closed = True
        self._part()
        atexit.unregister(self.stop)

    @contextlib.contextmanager
    def _asking(self, chat: Chat, on_text: OnText) -> Iterator[_Question]:
        question = _Question(chat, on_text, stop_at_object=self._stop_at_object)
        with self._lock:
            if len(self._questions) >= self._most * (1 + WAITING_PER_SEAT):
                raise BackendError("busy", asked=False)
            self._questions.add(question)
        try:
            yield question
        finally:
            question.dropped = True
            with self._lock:
                self._questions.discard(question)
            self._part()

    def _part(self) -> None:
        with self._lock:
            if self._leaving and not self._questions:
                self._state = "closed"
            if self._state == "closed":
                self._model = None
                self._pool.shutdown(wait=False)

    def _load(self) -> None:
        began = time.monotonic()
        try:
            self._model = open_model(self._source, self._most)
        except Exception:  # foreign code: a file it cannot read must not end the site
            log.exception("The local model cannot be loaded")
            self._become("load-failed")
            return
        log.info("The local model speaks", extra={"took_s": round(time.monotonic() - began, 1)})
        self._become("ready")

    def _become(self, state: State) -> None:
        with self._lock:
            if self._state != "closed":
                self._state = state
        self._part()

    def _say(self, question: _Question) -> Completion:
        model = self._model
        if model is None or question.closed:
            raise BackendError("closed", retryable=False)
        question.begun_at = time.monotonic()
        try:
            if self._is_small:
                completion = model.say(question.chat)
                question.hear(completion.text)
            else:
                completion = model.say(question.chat, question.hear)
        except BackendError:
            raise
        except Exception:  # foreign code, and nothing of it reaches the asker
            log.exception("The local model failed in the middle of an answer")
            raise BackendError("generation-failed") from None
        if question.closed:
            raise BackendError("closed", retryable=False)
        return msgspec.structs.replace(
            completion, text="".join(question.text), model=self._source.label
        )
