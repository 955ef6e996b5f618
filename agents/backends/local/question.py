"""One question on its way from the asker's event loop to the worker's thread and back."""

import asyncio
import time
from collections.abc import Callable

from agents.backends.base import BackendError, Chat, Completion, OnText, unheard


class Question:
    """A chat, who waits for its answer, and until when; all happens on the asker's event loop."""

    def __init__(self, chat: Chat, on_text: OnText, timeout_s: float) -> None:
        self.chat = chat
        self.begun = False
        self.answered: asyncio.Future[Completion]
        self._on_text = on_text
        self._deadline = time.monotonic() + timeout_s
        self._dropped = False
        self._loop = asyncio.get_running_loop()
        self.answered = self._loop.create_future()

    @property
    def unwanted(self) -> bool:
        """Nobody waits for the answer: cancelled, too late, or the asker's loop has gone."""
        return self._dropped or time.monotonic() > self._deadline or self._loop.is_closed()

    def drop(self) -> None:
        """Say that the answer is not wanted any more; the worker notices before its next step."""
        self._dropped = True
        if self.answered.done() and not self.answered.cancelled():
            self.answered.exception()  # an error that nobody came for is no event-loop error

    def tell(self, piece: str) -> None:
        """Hand over a piece of the answer."""
        if piece and self._on_text is not unheard:
            self._later(self._hear, piece)

    def answer(self, completion: Completion) -> None:
        """Hand over the whole answer."""
        self._later(self._settle, completion, None)

    def fail(self, error: BackendError) -> None:
        """Say that there will be no answer."""
        self._later(self._settle, None, error)

    def _hear(self, piece: str) -> None:
        if not self._dropped:
            self._on_text(piece)

    def _settle(self, completion: Completion | None, error: BackendError | None) -> None:
        if self._dropped or self.answered.done():
            return
        if completion is not None:
            self.answered.set_result(completion)
        elif error is not None:
            self.answered.set_exception(error)

    def _later(self, act: Callable[..., None], *args: object) -> None:
        try:
            self._loop.call_soon_threadsafe(act, *args)
        except RuntimeError:  # the asker's loop was closed meanwhile
            self._dropped = True
