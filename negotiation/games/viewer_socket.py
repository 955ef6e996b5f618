"""A viewer's socket to a game that many follow: the log, and how the game stands."""

import asyncio
from typing import Any

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

    Subclasses set ``hubs``, and give ``admit``, ``tell`` and what a player may send.
    """

    hubs: Hubs

    async def connect(self) -> None:
        """Let the viewer in."""
        self.visitor = self.scope["session"].session_key or ""
        self.is_drawn = HTML in self.scope.get("subprotocols", [])
        self.game_id: str = self.scope["url_route"]["kwargs"]["game_id"]
        self._seq = 0
        self._following = False
        self._by_itself = False
        self._told: Any = ()
        self._delivering = asyncio.Lock()
        self._late: asyncio.Task[None] | None = None
        self._hub: Hub | None = None
        # Browsers hide why a handshake failed, but show the close code of an open socket.
        await self.accept(HTML if self.is_drawn else None)
        try:
            await self.spend("sockets", scope_key(self.scope))
            self.visitor = await in_thread(visitor_of)(self.visitor)
            await self.admit()
            self._hub = await self.hubs.enter(self.game_id, self)
        except RateLimited as wrong:
            await self.refuse(wrong, CLOSE_LIMITED)
        except UnknownGame as wrong:
            await self.refuse(wrong, CLOSE_UNKNOWN)
        else:
            self.on_entered()
            self._timer = asyncio.get_running_loop().call_later(LISTEN_S, self._begin)

    async def admit(self) -> None:
        """Check that the visitor may look on.

        Raises:
            UnknownGame: not here, or not for this visitor.
        """

    def on_entered(self) -> None:
        """The viewer is in."""

    async def disconnect(self, code: int) -> None:
        """Forget the viewer; the game does not notice."""
        if self._hub is not None:
            self._timer.cancel()
            self._hub = None
            self.hubs.leave(self.game_id, self)

    async def on_sync(self, frame: SyncFrame) -> None:
        """Send what is missing, or say that nothing is."""
        # What was sent before the client had asked for anything is not sent once more.
        self._seq = max(self._seq, frame.after) if self._by_itself else frame.after
        self._following, self._by_itself, self._told = True, False, ()
        if not await self.deliver():
            await self.give({"type": "synced", "seq": self._seq})

    async def on_ping(self, frame: PingFrame) -> None:
        """Answer; should a bell have been lost, the ping makes up for it."""
        self._following = True
        await self.give({"type": "pong"})
        await self.deliver()

    async def deliver(self) -> int:
        """Send what the viewer has not been sent; give how many events that were."""
        async with self._delivering:
            hub = self._hub
            if hub is None or not self._following:
                return 0
            feed = await hub.feed_of(self)
            texts = feed.after(self._seq) if feed is not None else []
            panels = feed.panels_after(self._seq) if feed is not None else {}
            if feed is not None:
                self._seq = feed.seq
            await self._send_events(texts)
            if texts and panels:
                await self.give({"type": "panels", "panels": panels})
            if hub.scene is not None:
                was, self._told = self._told, self.news_of(hub.scene)
                if self._told != was:
                    await self.tell(hub.scene, was)
            return len(texts)

    async def refresh(self) -> None:
        """Look at the game at once, for a viewer who has just changed something."""
        if self._hub is not None:
            await self._hub.refresh()
            self._following = True
            await self.deliver()

    def news_of(self, scene: Any) -> Any:
        """Sum up how the game stands; ``tell`` is called when the sum is another one."""
        return ()

    async def tell(self, scene: Any, was: Any) -> None:
        """Say how the game stands; ``was`` is the sum of the last time, () before the first."""

    async def spend(self, name: Name, key: str = "") -> None:
        """Count one use of a limit; spectators without cookies are told apart by their socket."""
        await super().spend(name, key or self.visitor or self.channel_name)

    async def _send_events(self, texts: list[str]) -> None:
        if len(texts) > TOO_FAR:
            events = ",".join(texts)
            head = encoded({"type": "snapshot", "seq": self._seq})[:-1]
            texts = [f'{head},"events":[{events}]}}']
        for text in texts:
            await self.send(text_data=text)

    def _begin(self) -> None:
        if not self._following:
            self._following = self._by_itself = True
            self._late = asyncio.create_task(self.guard(self.deliver()))
