"""Playing many games with one bot at once, without a word to the database.

What happens is told to whoever started the lanes, as values; they end when the games are over,
when they are asked to stop, or when the bot seems to be gone.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

import msgspec

from training.bots.asking import Line, ask_move, greet
from training.bots.calling.errors import CallFailed, Code
from training.bots.dealing import Deal
from training.bots.moves import Failed, KeptMove

DOUBTED_AFTER = 4
"""Failed answers in a row, over all lanes, after which a bot is greeted again."""

GONE_AFTER = 6
"""Failed answers in a row in one lane after which it counts as gone though it greets."""


class Moved(msgspec.Struct, frozen=True):
    """A move was made; ``moves`` are all of the game so far, ``bargains`` of it are over now.

    ``digests`` are those of its logs, once the whole game is done.
    """

    number: int
    moves: tuple[KeptMove, ...]
    bargains: int
    done: bool
    digests: tuple[str, ...] = ()


class Gone(msgspec.Struct, frozen=True):
    """The bot gave no usable answer so often that nobody asks on."""

    code: Code


News = Moved | Gone


def moved(deal: Deal) -> Moved:
    """Say where a game stands."""
    digests = deal.digests() if deal.done else ()
    return Moved(deal.number, tuple(deal.moves), deal.bargains, deal.done, digests)


async def play_all(
    deals: Iterable[Deal],
    line: Line,
    tell: Callable[[News], None],
    stop: asyncio.Event,
    *,
    at_once: int,
) -> None:
    """Play games until all are over, until ``stop`` is set, or until the bot is gone.

    Args:
        deals: games that are not over; taken from the front, whole games at a time.
        line: an open line to the bot.
        tell: hears what happens, in this task's thread.
        stop: asked between two moves.
        at_once: how many games are under way.
    """
    lanes = _Lanes(deque(deals), line, tell, stop)
    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(lanes.run())


class _Lanes:
    def __init__(
        self, deals: deque[Deal], line: Line, tell: Callable[[News], None], stop: asyncio.Event
    ) -> None:
        self._deals = deals
        self._line = line
        self._tell = tell
        self._stop = stop
        self._failed_in_a_row = 0

    async def run(self) -> None:
        failed_here = 0
        while self._deals and not self._stop.is_set():
            deal = self._deals.popleft()
            while not deal.done and not self._stop.is_set():
                move = await ask_move(self._line, deal.question(), self._stop)
                if move is None:
                    return
                deal.make(move)
                self._tell(moved(deal))
                if isinstance(move, Failed):
                    failed_here += 1
                    await self._doubt(move.code, failed_here)
                else:
                    failed_here = self._failed_in_a_row = 0

    async def _doubt(self, code: Code, failed_here: int) -> None:
        """Find out whether a bot that gave no answer is still there at all."""
        self._failed_in_a_row += 1
        if failed_here >= GONE_AFTER:
            self._gone(code)
        elif self._failed_in_a_row >= DOUBTED_AFTER:
            self._failed_in_a_row = 0
            try:
                await greet(self._line)
            except CallFailed:
                self._gone(code)

    def _gone(self, code: Code) -> None:
        if not self._stop.is_set():
            self._tell(Gone(code))
        self._stop.set()
