"""A page's turn among those that a process makes at once, and how it is laid down for a while."""

import asyncio
import contextlib
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from django.http import HttpRequest

IN_SCOPE = "bazaar.page_turn"
"""Where the turn of a request stands in its ASGI scope."""

LONGEST_S = 60.0
"""Seconds that a thread waits to go on; in a process that ends, nobody would ever call it."""


class PageTurn:
    """One of the turns that a semaphore gives; ``async with`` takes it and gives it back."""

    def __init__(self, turns: asyncio.Semaphore) -> None:
        self._turns = turns
        self._loop = asyncio.get_running_loop()
        self._is_held = self._is_over = False

    async def __aenter__(self) -> Self:
        """Wait for the turn."""
        await self._take()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the turn back, unless it is laid down: then nobody takes it up again."""
        self._is_over = True
        self._give()

    @contextlib.contextmanager
    def laid_down(self) -> Iterator[None]:
        """Let another page have the turn while a thread waits for something else."""
        self._loop.call_soon_threadsafe(self._give)
        try:
            yield
        finally:
            asyncio.run_coroutine_threadsafe(self._take(), self._loop).result(LONGEST_S)

    async def _take(self) -> None:
        await self._turns.acquire()
        self._is_held = True
        if self._is_over:  # the client has hung up meanwhile
            self._give()

    def _give(self) -> None:
        if self._is_held:
            self._is_held = False
            self._turns.release()


def laid_down(request: HttpRequest) -> contextlib.AbstractContextManager[None]:
    """Let another page have a request's turn meanwhile; a request without one waits as it is."""
    turn = getattr(request, "scope", {}).get(IN_SCOPE)
    return turn.laid_down() if isinstance(turn, PageTurn) else contextlib.nullcontext()
