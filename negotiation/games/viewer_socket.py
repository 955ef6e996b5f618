"""A viewer's socket to a game that many follow: the log, and how the game stands."""

import asyncio
from typing import Any, ClassVar

from negotiation.errors import RateLimited, UnknownGame
from negotiation.games.frame_socket import CLOSE_LIMITED, CLOSE_UNKNOWN, FrameSocket, encoded
from negotiation.games.frames_in import PingFrame, SyncFrame
from negotiation.games.viewer_hub import Hub, Hubs
from negotiation.games.visitors import visitor_of
from negotiation.limits import Name, scope_key
from negotiation.threads import in_thread

HTML = "bazaar.html.v1"
"""Subprotocol of pages: frames also carry what to draw."""

LISTEN_S = 0.25
"""A client that is silent for so long after connecting is sent the log from its beginning."""

TOO_FAR = 200
"""Events behind which a JSON client is sent one snapshot instead of single events."""


class ViewerSocket(FrameSocket):
    """One viewer of one game.

    Nothing is sent before the viewer's first frame (or ``LISTEN_S``), so that a page which asks
    for what it misses is not sent what it has. From then on the socket follows the log.

    Subclasses set ``hubs``, and give ``admit``, ``place_in``, ``tell`` and what a player may send.
    """

    hubs: Hubs
    repeats: ClassVar[bool] = False
    """A client that listened before it first asked is sent that part again."""

    async def connect(self) -> None:
        """Let the viewer in."""
        self.visitor = self.scope["session"].session_key or ""
        self.is_drawn = HTML in self.scope.get("subprotocols", [])
        self.game_id: str = self.scope["url_route"]["kwargs"].get("game_id", "")
        self.seq = 0
        self._following = False
        self._by_itself = False
        self.told: Any = ()
        self._words = ""
        self._delivering = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._late: asyncio.Task[None] | None = None
        self._waking: asyncio.Task[None] | None = None
        self._is_woken = False
        self.hub: Hub | None = None
        # Browsers hide why a handshake failed, but show the close code of an open socket.
        await self.accept(HTML if self.is_drawn else None)
        try:
            await self.spend("sockets", scope_key(self.scope))
            await self.admit()
            self.hub = await self.hubs.enter(self.game_id, self)
        except RateLimited as wrong:
            await self.refuse(wrong, CLOSE_LIMITED)
        except UnknownGame as wrong:
            await self.refuse(wrong, CLOSE_UNKNOWN)
        else:
            await self.on_entered()
            self._begin_in(LISTEN_S)

    async def admit(self) -> None:
        """Find out who asks, and check that this visitor may look on.

        Raises:
            UnknownGame: not here, or not for this visitor.
        """
        self.visitor = await in_thread(visitor_of)(self.visitor)

    def place_in(self, scene: Any) -> Any:
        """Return the place from which the viewer sees the game, by default the own seat."""
        return None if scene is None else scene.seat_of(self.visitor)

    async def on_entered(self) -> None:
        """The viewer is in."""

    async def disconnect(self, code: int) -> None:
        """Forget the viewer; the game does not notice."""
        self._cancel_timer()
        self._leave()

    async def refuse(self, wrong: Exception, code: int) -> None:
        """Say what was wrong and hang up."""
        self._leave()
        await super().refuse(wrong, code)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take a frame: the client is not silent any more, before anything slow is awaited."""
        self._cancel_timer()
        await super().receive(text_data, bytes_data)
        if self.hub is not None and not self._following:
            self._begin_in(LISTEN_S)

    async def on_sync(self, frame: SyncFrame) -> None:
        """Send what is missing, or say that nothing is."""
        await self._ask()
        is_repeated = self._by_itself and not self.repeats
        # What was sent before the client had asked for anything is not sent once more.
        self.seq = max(self.seq, frame.after) if is_repeated else frame.after
        self._following, self._by_itself, self.told = True, False, ()
        if not await self.deliver():
            await self.give({"type": "synced", "seq": self.seq})

    async def on_ping(self, frame: PingFrame) -> None:
        """Answer; should a notification have been lost, the ping makes up for it."""
        self._following = True
        await self.give({"type": "pong"})
        await self._ask()
        await self.deliver()

    async def deliver(self) -> int:
        """Send what the viewer has not been sent; return how many events that were.

        Raises:
            UnknownGame: the viewer may not look any more.
        """
        async with self._delivering:
            hub = self.hub
            if hub is None or not self._following:
                return 0
            feed = await hub.feed_of(self)
            texts = feed.after(self.seq) if feed is not None else []
            panels = feed.panels_after(self.seq) if feed is not None else {}
            if feed is not None:
                self.seq = feed.seq
            await self._send_events(texts)
            if texts and panels:
                await self.give({"type": "panels", "panels": panels})
            if hub.scene is not None:
                was, self.told = self.told, self.news_of(hub.scene)
                if self.told != was:
                    await self.tell(hub.scene, was)
            return len(texts)

    async def refresh(self, seq: int | None = None) -> None:
        """Look at the game at once, for a viewer who has just changed something.

        Args:
            seq: number of the last event that came of it, where that is known.
        """
        if self.hub is not None:
            await self.hub.refresh(seq)
            self._following = True
            await self.deliver()

    def wake(self) -> None:
        """Send soon what is new, beside other sockets: one that reads slowly holds up nobody."""
        self._is_woken = True
        if self._waking is None or self._waking.done():
            self._waking = asyncio.create_task(self.guard(self._catch_up()))

    def hear_words(self, words: str) -> None:
        """Hear the words so far of a message that is being written."""
        if self._following:
            self._words = words
            self.wake()

    async def tell_words(self, words: str) -> None:
        """Say which words of a message have been written so far."""

    async def answer_roll(self) -> None:
        """Hear that somebody counts who is here."""

    def news_of(self, scene: Any) -> Any:
        """Sum up how the game stands; ``tell`` is called when the sum is another one."""
        return ()

    async def tell(self, scene: Any, was: Any) -> None:
        """Say how the game stands; ``was`` is the sum of the last time, () before the first."""

    async def spend(self, name: Name, key: str = "") -> None:
        """Count one use of a limit; spectators without cookies are told apart by their socket."""
        await super().spend(name, key or self.visitor or self.channel_name)

    def is_snapshot_due(self, count: int) -> bool:
        """Whether so many events are sent as one frame."""
        return count > TOO_FAR

    async def _ask(self) -> None:
        if self.hub is not None:
            await self.hub.ask()

    async def _catch_up(self) -> None:
        while self._is_woken:
            self._is_woken = False
            await self.deliver()
            words, self._words = self._words, ""
            if words:
                await self.tell_words(words)

    async def _send_events(self, texts: list[str]) -> None:
        if self.is_snapshot_due(len(texts)):
            events = ",".join(texts)
            head = encoded({"type": "snapshot", "seq": self.seq})[:-1]
            texts = [f'{head},"events":[{events}]}}']
        for text in texts:
            await self.send(text_data=text)

    def _begin_in(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._begin)

    def _begin(self) -> None:
        if not self._following:
            self._following = self._by_itself = True
            self._late = asyncio.create_task(self.guard(self._look()))

    async def _look(self) -> None:
        await self._ask()
        await self.deliver()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _leave(self) -> None:
        if self.hub is not None:
            self.hub = None
            self.hubs.leave(self.game_id, self)
