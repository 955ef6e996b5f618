"""All viewers of a match in this process: one reader of its log, one listener to its bell.

The log is read, shaped and encoded once for each kind of viewer; every socket is sent the same
text. So 500 spectators cost little more than one.
"""

import asyncio
import contextlib
import logging
from bisect import bisect_right
from typing import Protocol

import msgspec
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from arena import programme, running
from arena.watching import Batch, Key, Scene, Want, look
from negotiation.bell import listen, stop_listening
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
"""The log is looked at so often even if no bell rings: the process that runs the match may have
died, and then this one takes it over."""

AT_ONCE = 50
"""Sockets that are sent to before others may run."""


class Subscriber(Protocol):
    """A socket that follows a match."""

    visitor: str
    is_drawn: bool

    async def deliver(self) -> int:
        """Send what the viewer has not been sent."""
        ...


class Feed(msgspec.Struct):
    """Everything one kind of viewer may see so far, ready to be sent."""

    numbers: list[int] = []
    texts: list[str] = []
    panels: dict[str, tuple[int, str]] = {}

    @property
    def seq(self) -> int:
        """Number of the last event."""
        return self.numbers[-1] if self.numbers else 0

    def after(self, seq: int) -> list[str]:
        """Give the encoded event frames after a number."""
        return self.texts[bisect_right(self.numbers, seq) :]

    def panels_after(self, seq: int) -> dict[str, str]:
        """Give the panels that were drawn anew after an event."""
        return {name: html for name, (number, html) in self.panels.items() if number > seq}

    def add(self, batch: Batch) -> None:
        """Take what is new."""
        for number, text in batch.events:
            if number > self.seq:
                self.numbers.append(number)
                self.texts.append(text)
        self.panels.update({name: (self.seq, html) for name, html in batch.panels.items()})


class Hub:
    """The viewers of one match in this process."""

    def __init__(self, match_id: str) -> None:
        self.match_id = match_id
        self.scene: Scene | None = None
        self.sockets: set[Subscriber] = set()
        self._feeds: dict[Key, Feed] = {}
        self._reading = asyncio.Lock()
        self._rung = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Read the match and begin to follow it.

        Raises:
            UnknownGame: there is no such match.
        """
        await self.refresh()
        # Everybody may have left meanwhile.
        if self.sockets and not self._tasks:
            self._tasks = [
                asyncio.create_task(self._listen(), name=f"bell of match {self.match_id}"),
                asyncio.create_task(self._follow(), name=f"viewers of match {self.match_id}"),
            ]

    def close(self) -> None:
        """Follow the match no more."""
        for task in self._tasks:
            task.cancel()

    async def feed_of(self, socket: Subscriber) -> Feed | None:
        """Give what a socket may see; None while the match has not begun."""
        feed = self._known_feed(socket)
        if feed is None and (self.scene is None or not self.scene.is_waiting):
            async with self._reading:
                feed = self._known_feed(socket)
                if feed is None:
                    await self._read()
                    feed = self._known_feed(socket)
        return feed

    async def refresh(self) -> None:
        """Read what is new."""
        async with self._reading:
            await self._read()

    def ring(self) -> None:
        """Look at the log soon."""
        self._rung.set()

    def _known_feed(self, socket: Subscriber) -> Feed | None:
        if self.scene is None:
            return None
        viewer = self.scene.viewers.get(self._want(socket))
        return None if viewer is None else self._feeds.get((viewer, socket.is_drawn))

    def _want(self, socket: Subscriber) -> Want:
        seat = self.scene.seat_of(socket.visitor) if self.scene is not None else None
        return seat, socket.is_drawn

    async def _read(self) -> None:
        wants = {self._want(socket) for socket in self.sockets}
        known = {key: feed.seq for key, feed in self._feeds.items()}
        scene, batches = await in_thread(look)(self.match_id, wants, known)
        for key, batch in batches.items():
            self._feeds.setdefault(key, Feed([], [], {})).add(batch)
        self.scene = scene

    async def _listen(self) -> None:
        while True:
            try:
                await self._hear_bell()
            except (RedisError, OSError):
                log.warning("the bell is out of order", extra={"game": self.match_id})
            await asyncio.sleep(LOOK_EVERY_S)

    async def _hear_bell(self) -> None:
        layer = get_channel_layer()
        if layer is None:
            return
        channel = await layer.new_channel()
        await listen(self.match_id, channel)
        try:
            while True:
                message = await layer.receive(channel)
                running.tell(self.match_id)
                # 0: news that are not in the log, like a person who sits down.
                if self.scene is None or message["seq"] == 0 or message["seq"] > self.scene.seq:
                    self.ring()
        finally:
            await stop_listening(self.match_id, channel)

    async def _follow(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._rung.wait()
            self._rung.clear()
            try:
                await self.refresh()
                await self._tell_everybody()
                await self._keep_alive()
            # The outermost loop of a match's viewers: whatever happens, they are served again.
            except Exception:
                log.exception("a match could not be followed", extra={"game": self.match_id})
                await asyncio.sleep(1)

    async def _tell_everybody(self) -> None:
        for number, socket in enumerate(list(self.sockets)):
            try:
                await socket.deliver()
            # One socket that has just gone must not keep the news from the others.
            except Exception:
                log.debug("a viewer was gone", exc_info=True)
            if number % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)

    async def _keep_alive(self) -> None:
        scene = self.scene
        if scene is None or scene.is_over:
            return
        if not scene.is_waiting and not scene.is_run:
            running.start(self.match_id)
        await in_thread(programme.watch)()


_hubs: dict[str, Hub] = {}


async def enter(match_id: str, socket: Subscriber) -> Hub:
    """Let a socket follow a match.

    Raises:
        UnknownGame: there is no such match.
    """
    hub = _hubs.get(match_id)
    if hub is None:
        hub = _hubs[match_id] = Hub(match_id)
    hub.sockets.add(socket)
    try:
        if hub.scene is None:
            await hub.open()
    except BaseException:
        leave(match_id, socket)
        raise
    return hub


def leave(match_id: str, socket: Subscriber) -> None:
    """Let a socket go; with the last one the hub closes."""
    hub = _hubs.get(match_id)
    if hub is None:
        return
    hub.sockets.discard(socket)
    if not hub.sockets:
        hub.close()
        del _hubs[match_id]
