"""Words on their way: shows people the part of a message that has been made so far.

A whisper is a courtesy. It may get lost, it is never stored, and the event that follows is the
only truth; so it may ride on the channel layer that otherwise only rings.
"""

import asyncio
import contextlib

from negotiation.games import notify

EVERY_S = 0.12
"""Time between two whispers of one message: as fast as people read, and no faster."""


class Whisperer:
    """Sends the newest words of one turn to everybody who watches the game."""

    def __init__(self, game_id: str) -> None:
        self._game_id = game_id
        self._news = asyncio.Event()
        self._words = ""

    def hear(self, words: str) -> None:
        """Take all words so far; they replace those heard before."""
        if words != self._words:
            self._words = words
            self._news.set()

    async def __aenter__(self) -> "Whisperer":
        self._pump = asyncio.create_task(self._send(), name=f"whispers of {self._game_id}")
        return self

    async def __aexit__(self, *wrong: object) -> None:
        self._pump.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._pump

    async def _send(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            await notify.whisper(self._game_id, self._words)
            await asyncio.sleep(EVERY_S)
