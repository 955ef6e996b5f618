"""Talking with a bot in a thread of its own: the network there, the database here."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self

from training.bots.asking import greet, line_to
from training.bots.calling.addresses import read_address
from training.bots.calling.errors import BadAddress, CallFailed
from training.bots.calling.limits import CallLimits
from training.bots.dealing import Deal
from training.bots.lanes import Gone, News, play_all


class Conversation:
    """All lanes to one bot, from the greeting to the last move or the moment one hangs up.

    Attributes:
        was_cut_off: the bot owed an answer for longer than an answer may take.
    """

    def __init__(self, url: str, deals: Sequence[Deal], limits: CallLimits) -> None:
        self._url = url
        self._deals = deals
        self._limits = limits
        self._heard: queue.Queue[News | BaseException | None] = queue.Queue()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self.was_cut_off = False
        self._talking: asyncio.Task[None] | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._thread = threading.Thread(target=self._work, name="bot lanes", daemon=True)

    def __enter__(self) -> Self:
        """Begin to talk."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Hang up and wait for the answers that are under way."""
        self.hang_up()
        self._thread.join()

    def hang_up(self) -> None:
        """Ask for no further moves; those under way have the time of one answer, all together."""
        with contextlib.suppress(RuntimeError):  # the loop has closed: all has been said
            self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        self._stop.set()
        if self._patience is None:
            # Questions over one socket wait for each other, however many lanes ask.
            self._patience = self._loop.call_later(self._limits.answer_s, self._cut_off)

    def _cut_off(self) -> None:
        if self._talking is not None:
            self.was_cut_off = self._talking.cancel()

    def news(self, tick_s: float) -> Iterator[News | None]:
        """Give what happens, and None whenever nothing has for ``tick_s``, until it is over."""
        while True:
            try:
                heard = self._heard.get(timeout=tick_s)
            except queue.Empty:
                yield None
                continue
            if heard is None:
                return
            if isinstance(heard, BaseException):
                raise heard
            yield heard

    def _work(self) -> None:
        try:
            with (
                asyncio.Runner(loop_factory=lambda: self._loop) as runner,
                contextlib.suppress(asyncio.CancelledError),  # cut off
            ):
                runner.run(self._talk())
        # A fault of ours belongs to whoever waits for the news.
        except Exception as fault:  # noqa: BLE001  passed on, not swallowed
            self._heard.put(fault)
        finally:
            self._heard.put(None)

    async def _talk(self) -> None:
        self._talking = asyncio.current_task()
        limits = self._limits
        try:
            address = read_address(self._url, loopback=limits.loopback)
            async with line_to(address, limits) as line:
                await greet(line)
                await play_all(
                    self._deals, line, self._heard.put, self._stop, at_once=limits.at_once
                )
        except CallFailed as failed:
            self._heard.put(Gone(failed.code))
        except BadAddress:
            self._heard.put(Gone("private-address"))
