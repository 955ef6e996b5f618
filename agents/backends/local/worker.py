"""The one thread that owns the model: it loads it, then answers whoever waits."""

import asyncio
import atexit
import logging
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Literal

from agents.backends.base import BackendError, Chat, Completion, OnText, TooSlow
from agents.backends.local.pace import Pace, Patience
from agents.backends.local.question import Question
from agents.backends.local.source import Source, import_libraries

if TYPE_CHECKING:
    from agents.backends.local.decoder import Decoder

log = logging.getLogger(__name__)

State = Literal["not-started", "loading", "ready", "load-failed", "closed", "away"]


WAITING_PER_ROW = 4
"""Questions that may wait for each one that can be answered at once."""

PARTING_S = 2.0
"""How long a closing process waits for the step under way."""


class Worker:
    """Loads a model in the background and answers questions, many at once."""

    def __init__(self, source: Source, most: int, *, stop_at_object: bool) -> None:
        self._source = source
        self._most = most
        self._stop_at_object = stop_at_object
        self._state: State = "not-started"
        self._leaving = False
        self._waiting: deque[Question] = deque()
        self._pace = Pace()
        self._step_began: float | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._live, name="sauda-local", daemon=True)

    @property
    def state(self) -> State:
        """How far it is."""
        return self._state

    def start(self) -> None:
        """Begin to load; once is enough, more does nothing."""
        with self._changed:
            if self._state != "not-started":
                return
            self._state = "loading"
        # A daemon thread within torch while the interpreter takes itself apart would crash it.
        atexit.register(self.stop)
        self._thread.start()

    async def answer(self, chat: Chat, on_text: OnText, patience: Patience) -> Completion:
        """Answer, together with whoever else asks at this time. The first call starts loading."""
        self.start()
        self.check()
        with self._pace.taking(patience) as within_s:
            question = Question(chat, on_text, within_s)
            self.put(question)
            try:
                async with asyncio.timeout(within_s):
                    return await question.answered
            except TimeoutError:
                raise TooSlow(asked=question.begun) from None
            finally:
                question.drop()

    def put(self, question: Question) -> None:
        """Queue a question; raises BackendError where the model is not there or too many wait."""
        with self._changed:
            self.check()
            if len(self._waiting) >= self._most * WAITING_PER_ROW:
                self._waiting = deque(other for other in self._waiting if not other.unwanted)
            if len(self._waiting) >= self._most * WAITING_PER_ROW:
                raise BackendError("busy", asked=False)
            self._waiting.append(question)
            self._changed.notify()

    def check(self) -> None:
        """Raise BackendError, with the state as its code, unless the model answers."""
        if self._state != "ready":
            passing = self._state in ("not-started", "loading")
            raise BackendError(self._state, retryable=passing, asked=False)

    def stands_still_s(self, now: float) -> float:
        """Return for how long the model has been at one step (``time.monotonic``)."""
        began = self._step_began
        return 0.0 if began is None else now - began

    def retire(self) -> None:
        """Answer those who have asked already, then end the thread; waits for nobody."""
        with self._changed:
            self._leaving = True
            if self._state in ("not-started", "load-failed"):
                self._state = "closed"
            self._changed.notify()

    def stop(self, patience_s: float = PARTING_S) -> None:
        """Answer nobody any more and end the thread; a load under way ends by itself."""
        with self._changed:
            self._state = "closed"
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(patience_s)
        atexit.unregister(self.stop)

    def _live(self) -> None:
        try:
            decoder = self._load()
        except Exception:
            log.exception("The local model cannot be loaded")
            self._become("load-failed")
            return
        self._become("ready")
        while self._state == "ready":
            for question in self._next_questions(decoder):
                self._step_began = time.monotonic()
                self._join(decoder, question)
            self._step_began = time.monotonic()
            self._step(decoder)
            self._step_began = None
        self._part(decoder)
        if self._leaving:
            atexit.unregister(self.stop)

    def _load(self) -> "Decoder":
        began = time.monotonic()
        import_libraries()
        imported = time.monotonic()
        from agents.backends.local.decoder import Decoder
        from agents.backends.local.loading import load

        decoder = Decoder(load(self._source), self._most, stop_at_object=self._stop_at_object)
        decoder.warm_up()
        took = {"libraries_s": imported - began, "model_s": time.monotonic() - imported}
        log.info("The local model speaks", extra={of: round(s, 1) for of, s in took.items()})
        return decoder

    def _become(self, state: State) -> None:
        with self._changed:
            if self._state != "closed":
                self._state = state

    def _next_questions(self, decoder: "Decoder") -> list[Question]:
        with self._changed:
            while self._state == "ready" and not self._waiting and not decoder.busy:
                if self._leaving:
                    self._state = "closed"
                    return []
                self._changed.wait()
            some = min(decoder.room, len(self._waiting))
            return [self._waiting.popleft() for _ in range(some)]

    def _join(self, decoder: "Decoder", question: Question) -> None:
        if question.unwanted:
            return
        question.begun = True
        try:
            decoder.join(question)
        except BackendError as error:
            question.fail(error)
        except Exception:
            log.exception("The local model failed to read a prompt")
            question.fail(BackendError("generation-failed"))

    def _step(self, decoder: "Decoder") -> None:
        try:
            decoder.step()
        except Exception:
            log.exception("The local model failed in the middle of answers")
            decoder.abandon(BackendError("generation-failed"))

    def _part(self, decoder: "Decoder") -> None:
        closed = BackendError("closed", retryable=False)
        decoder.abandon(closed)
        with self._changed:
            waiting, self._waiting = self._waiting, deque()
        for question in waiting:
            question.fail(closed)
