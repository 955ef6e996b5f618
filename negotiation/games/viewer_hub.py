"""All viewers of a game in this process: one reader of its log, one listener to its notifications.

The log is read, shaped and encoded once for each kind of viewer; every socket is sent the same
text. So 500 spectators cost little more than one.
"""

import asyncio
import logging
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any, Protocol

import msgspec
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from negotiation.errors import UnknownGame
from negotiation.games.live import LOOK_EVERY_S, AnyLive, Batch, Key, Want
from negotiation.games.notify import PARTIAL_TEXT_TYPE, ROLL_TYPE, listen, stop_listening
from negotiation.threads import in_thread

log = logging.getLogger(__name__)


class Subscriber(Protocol):
    """A socket that follows a game."""

    drawn_in: str

    def place_in(self, scene: Any) -> Any:
        """Return the place from which it sees a game; ``scene`` is None before the first look."""

    def wake(self) -> None:
        """Send soon what the viewer has not been sent."""

    def hear_words(self, words: str) -> None:
        """Hear the words so far of a message that is being written."""

    async def answer_roll(self) -> None:
        """Hear that somebody counts who is here."""


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
        """Return the encoded event frames after a number."""
        return self.texts[bisect_right(self.numbers, seq) :]

    def panels_after(self, seq: int) -> dict[str, str]:
        """Return the panels that were drawn anew after an event."""
        return {name: html for name, (number, html) in self.panels.items() if number > seq}

    def add(self, batch: Batch) -> None:
        """Take what is new."""
        for number, text in batch.events:
            if number > self.seq:
                self.numbers.append(number)
                self.texts.append(text)
        self.panels.update({name: (self.seq, html) for name, html in batch.panels.items()})


_leaving: set[asyncio.Task[None]] = set()


class Hub:
    """The viewers of one game in this process."""

    def __init__(self, game_id: str, live: AnyLive) -> None:
        self.game_id = game_id
        self.scene: Any = None
        self.sockets: set[Subscriber] = set()
        self._live = live
        self._feeds: dict[Key, Feed] = {}
        self._asked: set[Want] = set()
        self._opening = asyncio.Lock()
        self._reading = asyncio.Lock()
        self._awake = asyncio.Event()
        self._has_news = False
        self._channel = ""
        self._hears = False
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Read the game and begin to follow it, or raise UnknownGame."""
        async with self._opening:
            if self.scene is not None:
                return
            # Before the first look: what happens after it must not go unheard.
            await self._begin_to_listen()
            await self.refresh()
            # Everybody may have left meanwhile.
            if self.sockets:
                name = f"{self._live.name} {self.game_id}"
                self._tasks = [
                    asyncio.create_task(self._listen(), name=f"notifications of {name}"),
                    asyncio.create_task(self._follow(), name=f"viewers of {name}"),
                ]
            else:
                await self._stop_listening()

    def close(self) -> None:
        """Follow the game no more."""
        for task in self._tasks:
            task.cancel()
        leaving = asyncio.create_task(self._stop_listening())
        _leaving.add(leaving)
        leaving.add_done_callback(_leaving.discard)

    async def feed_of(self, socket: Subscriber) -> Feed | None:
        """Return what a socket may see, None before the game begins, or raise UnknownGame."""
        feed = self._known_feed(socket)
        if feed is None and (self.scene is None or not self.scene.is_waiting):
            async with self._reading:
                if self._want(socket) not in self._asked:
                    await self._read()
                feed = self._known_feed(socket)
            if feed is None and not self.scene.is_waiting:
                raise UnknownGame
        return feed

    async def refresh(self, seq: int | None = None) -> None:
        """Read what is new, unless the last look reached event ``seq``."""
        async with self._reading:
            if seq is None or self.scene is None or self.scene.seq < seq:
                await self._read()

    async def ask(self) -> None:
        """Let a viewer ask for what is new."""
        if self._live.is_read_anew:
            await self.refresh()

    def _known_feed(self, socket: Subscriber) -> Feed | None:
        if self.scene is None:
            return None
        viewer = self.scene.viewers.get(self._want(socket))
        return None if viewer is None else self._feeds.get((viewer, socket.drawn_in))

    def _want(self, socket: Subscriber) -> Want:
        return socket.place_in(self.scene), socket.drawn_in

    async def _read(self) -> None:
        wants = {self._want(socket) for socket in self.sockets}
        known = {key: feed.seq for key, feed in self._feeds.items()}
        scene, batches = await in_thread(self._live.look)(self.game_id, wants, known)
        # What nobody wants any more is not kept.
        self._feeds = {key: self._feeds.get(key) or Feed([], [], {}) for key in batches}
        for key, batch in batches.items():
            self._feeds[key].add(batch)
        self.scene, self._asked = scene, wants
        # The others are told, and somebody runs the game, beside whoever asked.
        self._awake.set()

    async def _begin_to_listen(self) -> None:
        layer = get_channel_layer()
        try:
            if layer is not None:
                self._channel = self._channel or str(await layer.new_channel())
                self._hears = await listen(self.game_id, self._channel)
        except (RedisError, OSError):
            log.warning("notifications do not arrive", extra={"game": self.game_id})

    async def _stop_listening(self) -> None:
        channel, self._channel, self._hears = self._channel, "", False
        if channel:
            await stop_listening(self.game_id, channel)

    async def _listen(self) -> None:
        layer = get_channel_layer()
        while layer is not None:
            try:
                while self._hears:
                    await self._hear(await layer.receive(self._channel))
            except (RedisError, OSError):
                log.warning("notifications do not arrive", extra={"game": self.game_id})
                await self._stop_listening()
            await asyncio.sleep(LOOK_EVERY_S)
            await self._begin_to_listen()
            self._ring()

    async def _hear(self, message: Mapping[str, Any]) -> None:
        if message["type"] == PARTIAL_TEXT_TYPE:
            for socket in list(self.sockets):
                socket.hear_words(message["words"])
        elif message["type"] == ROLL_TYPE:
            for socket in list(self.sockets):
                await socket.answer_roll()
        else:
            self._live.notified(self.game_id)
            # 0: news that are not in the log, like a person who sits down.
            if self.scene is None or message["seq"] == 0 or message["seq"] > self.scene.seq:
                self._ring()

    def _ring(self) -> None:
        self._has_news = True
        self._awake.set()

    async def _follow(self) -> None:
        while True:
            is_rested = False
            try:
                async with asyncio.timeout(self._live.rest_s(self.scene)):
                    await self._awake.wait()
            except TimeoutError:
                is_rested = True
            self._awake.clear()
            try:
                if is_rested or self._has_news:
                    if not await self._is_there():
                        return
                    if not self._has_news:
                        self._awake.clear()
                self._wake_everybody()
                await self._live.keep_alive(self.game_id, self.scene)
            # The outermost loop of a game's viewers: whatever happens, they are served again.
            except Exception:
                log.exception("a game could not be followed", extra={"game": self.game_id})
                self._ring()
                await asyncio.sleep(1)

    async def _is_there(self) -> bool:
        self._has_news = False
        try:
            async with self._reading:
                await self._read()
        except UnknownGame:
            # Each socket finds that out for itself, and closes.
            self.scene, self._feeds, self._asked = None, {}, set()
            self._wake_everybody()
            return False
        return True

    def _wake_everybody(self) -> None:
        for socket in list(self.sockets):
            socket.wake()


class Hubs:
    """All games of one kind that somebody follows in this process."""

    def __init__(self, live: AnyLive) -> None:
        self._live = live
        self._hubs: dict[str, Hub] = {}

    async def enter(self, game_id: str, socket: Subscriber) -> Hub:
        """Let a socket follow a game, or raise UnknownGame where this viewer may not."""
        hub = self._hubs.get(game_id)
        if hub is None:
            hub = self._hubs[game_id] = Hub(game_id, self._live)
        hub.sockets.add(socket)
        try:
            if hub.scene is None:
                await hub.open()
            else:
                await hub.ask()
            await hub.feed_of(socket)
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
