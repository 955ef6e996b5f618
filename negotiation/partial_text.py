"""Show people the part of a message that has been made so far.

Partial text is a courtesy. It may get lost, it is never stored, and the event that follows is the
only truth; so it may ride on the channel layer that otherwise only rings.
"""

import asyncio
import json
import re
from collections.abc import Callable

from negotiation.games import notify

EVERY_S = 0.12
"""Time between two parts of one message: as fast as people read, and no faster."""

_MESSAGE = re.compile(r'"message"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
_UNFINISHED_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")


class PartialAnswer:
    """Reads a model's answer while it is made, and shows what may be seen of its message.

    Args:
        show: shows all words so far.
        plays: asked once, as soon as everything before the message is known, with that: whether
            the move is going to be played as it is, with its own words.
        sayable: returns the beginning of the words that nothing can make wrong that follows.
    """

    def __init__(
        self,
        show: Callable[[str], None],
        plays: Callable[[str], bool],
        sayable: Callable[[str], str],
    ) -> None:
        self._show = show
        self._plays = plays
        self._sayable = sayable
        self._answer = ""
        self._verdict: bool | None = None
        self._shown = ""

    def hear(self, piece: str) -> None:
        """Take the next piece of the answer; an empty one means that somebody else begins."""
        if not piece:
            self._answer, self._verdict = "", None
            return
        self._answer += piece
        begun = _MESSAGE.search(self._answer)
        if begun is None or self._verdict is False:
            return
        if self._verdict is None:
            self._verdict = self._plays(self._answer[: begun.start()])
        words = self._sayable(_unescape(begun[1])) if self._verdict else ""
        if len(words) > len(self._shown):
            self._shown = words
            self._show(words)


class PartialTextSender:
    """Sends the newest words of one turn to everybody who watches the game."""

    def __init__(self, game_id: str) -> None:
        self._game_id = game_id
        self._news = asyncio.Event()
        self._words = ""
        self._is_over = False

    def show(self, words: str) -> None:
        """Take all words so far; they replace those before."""
        if words != self._words:
            self._words = words
            self._news.set()

    async def __aenter__(self) -> "PartialTextSender":
        self._pump = asyncio.create_task(self._send(), name=f"partial text of {self._game_id}")
        return self

    async def __aexit__(self, *wrong: object) -> None:
        self._is_over = True
        self._pump.cancel()
        # Not until it has ended: redis 8.1 may swallow a cancellation while it connects anew, and
        # the turn, with its game, would wait for ever.
        await asyncio.wait([self._pump], timeout=EVERY_S)

    async def _send(self) -> None:
        while not self._is_over:
            await self._news.wait()
            self._news.clear()
            await notify.send_partial_text(self._game_id, self._words)
            await asyncio.sleep(EVERY_S)


def _unescape(raw: str) -> str:
    try:
        return str(json.loads(f'"{_UNFINISHED_ESCAPE.sub("", raw)}"', strict=False))
    except ValueError:
        return ""
