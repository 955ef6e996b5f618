"""All viewers of a game in this process: one reader of its log, one listener to its bell.

The log is read, shaped and encoded once for each kind of viewer; every socket is sent the same
text. So 500 spectators cost little more than one.
"""

import asyncio
import contextlib
import logging
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping
from typing import Any, Protocol

import msgspec
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from negotiation.games.notify import listen, stop_listening
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
"""The log is looked at so often even if no bell rings: the process that runs the game may have
died, and then this one takes it over."""

AT_ONCE = 50
"""Sockets that are sent to before others may run."""

Want = tuple[int | None, bool]
"""What a socket wants to see: as whom (a seat, None: a spectator), and whether drawn as HTML."""

Key = tuple[Hashable, bool]
"""Whom a feed is for, and whether it is drawn."""


class Batch(msgspec.Struct, frozen=True):
    """What is new in one feed: encoded event frames with their numbers, and drawn panels."""

    events: tuple[tuple[int, str], ...]
    panels: Mapping[str, str]


class Scene(Protocol):
    """How a game stands: its log ends at ``seq``; ``viewers`` tells as what each want is served."""

    @property
    def seq(self) -> int:
        """Number of the last event of the log."""
        ...

    @property
    def is_waiting(self) -> bool:
        """The game has not begun."""
        ...

    @property
    def viewers(self) -> Mapping[Want, Any]:
        """As what each want is served."""
        ...

    def seat_of(self, visitor: str) -> int | None:
        """Give the seat of a visitor."""
        ...


Look = Callable[[str, Collection[Want], Mapping[Key, int]], tuple[Any, dict[Key, Batch]]]
"""Reads, in a thread, how a game stands and what is new for these wants beyond what is known;
raises UnknownGame where there is no such game."""


class Ways(msgspec.Struct, frozen=True):
    """How the games of one kind are followed.

    ``look`` reads a game; ``keep_alive`` sees to it, after each look, that somebody runs it;
    ``hear`` is told of every bell.
    """

    name: str
    look: Look
    keep_alive: Callable[[str, Any], Awaitable[None]]
    hear: Callable[[str], None] = lambda game_id: None


class Subscriber(Protocol):
    """A socket that follows a game."""

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
    """The viewers of one game in this process."""

    def __init__(self, game_id: str, ways: Ways) -> None:
        self.game_id = game_id
        self.scene: Any = None
        self._ways = ways
        self.sockets: set[Subscriber] = set()
        self._feeds: dict[Key, Feed] = {}
        self._reading = asyncio.Lock()
        self._rung = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Read the game and begin to follow it.

        Raises:
            UnknownGame: there is no such game.
        """
        await self.refresh()
        # Everybody may have left meanwhile.
        if self.sockets and not self._tasks:
            self._tasks = [
                asyncio.create_task(
                    self._listen(), name=f"bell of {self._ways.name} {self.game_id}"
                ),
                asyncio.create_task(
                    self._follow(), name=f"viewers of {self._ways.name} {self.game_id}"
                ),
            ]

    def close(self) -> None:
        """Follow the game no more."""
        for task in self._tasks:
            task.cancel()

    async def feed_of(self, socket: Subscriber) -> Feed | None:
        """Give what a socket may see; None while the game has not begun."""
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
        scene, batches = await in_thread(self._ways.look)(self.game_id, wants, known)
        for key, batch in batches.items():
            self._feeds.setdefault(key, Feed([], [], {})).add(batch)
        self.scene = scene

    async def _listen(self) -> None:
        while True:
            try:
                await self._hear_bell()
            except (RedisError, OSError):
                log.warning("the bell is out of order", extra={"game": self.game_id})
            await asyncio.sleep(LOOK_EVERY_S)

    async def _hear_bell(self) -> None:
        layer = get_channel_layer()
        if layer is None:
            return
        channel = await layer.new_channel()
        await listen(self.game_id, channel)
        try:
            while True:
                message = await layer.receive(channel)
                self._ways.hear(self.game_id)
                # 0: news that are not in the log, like a person who sits down.
                if self.scene is None or message["seq"] == 0 or message["seq"] > self.scene.seq:
                    self.ring()
        finally:
            await stop_listening(self.game_id, channel)

    async def _follow(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._rung.wait()
            self._rung.clear()
            try:
                await self.refresh()
                await self._tell_everybody()
                await self._ways.keep_alive(self.game_id, self.scene)
            # The outermost loop of a game's viewers: whatever happens, they are served again.
            except Exception:
                log.exception("a game could not be followed", extra={"game": self.game_id})
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


class Hubs:
    """All games of one kind that somebody follows in this process."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._hubs: dict[str, Hub] = {}

    async def enter(self, game_id: str, socket: Subscriber) -> Hub:
        """Let a socket follow a game.

        Raises:
            UnknownGame: there is no such game.
        """
        hub = self._hubs.get(game_id)
        if hub is None:
            hub = self._hubs[game_id] = Hub(game_id, self._ways)
        hub.sockets.add(socket)
        try:
            if hub.scene is None:
                await hub.open()
        except BaseException:
            self.leave(game_id, socket)
            raise
        return hub

    def leave(self, game_id: str, socket: Subscriber) -> None:
        """Let a socket go; with the last one the hub closes."""
        hub = self._hubs.get(game_id)
        if hub is None:
            return
        hub.sockets.discard(socket)
        if not hub.sockets:
            hub.close()
            del self._hubs[game_id]
