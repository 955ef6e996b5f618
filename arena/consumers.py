"""The live socket of a match: the log to everybody, envelopes from those who sit at the table."""

import asyncio

from arena import hubs, running
from arena.commands import Command, Say
from arena.engine.moves import Bid, Hold, Leave, Take
from arena.frames_in import (
    BidFrame,
    Frame,
    HoldFrame,
    LeaveFrame,
    SayFrame,
    Signalled,
    TakeFrame,
    read_frame,
)
from arena.seating import place, visitor_of
from arena.watching import Scene, awaiting_frame, waiting_frame
from negotiation.consumers import HTML, LISTEN_S
from negotiation.engine.quantities import to_paise
from negotiation.errors import RateLimited, UnknownGame
from negotiation.frame_socket import CLOSE_LIMITED, CLOSE_UNKNOWN, FrameSocket, encoded
from negotiation.frames_in import PingFrame, SyncFrame
from negotiation.limits import Name, scope_key
from negotiation.threads import in_thread
from negotiation.watching import TOO_FAR


class MatchConsumer(FrameSocket):
    """One viewer of one match; anybody may look on.

    Nothing is sent before the viewer's first frame (or ``LISTEN_S``), so that a page which asks
    for what it misses is not sent what it has. From then on the socket follows the log.
    """

    async def connect(self) -> None:
        """Let the viewer in."""
        self.visitor = self.scope["session"].session_key or ""
        self.is_drawn = HTML in self.scope.get("subprotocols", [])
        self._match_id: str = self.scope["url_route"]["kwargs"]["game_id"]
        self._seq = 0
        self._following = False
        self._by_itself = False
        self._told: tuple[object, ...] = ()
        self._delivering = asyncio.Lock()
        self._late: asyncio.Task[None] | None = None
        self._hub: hubs.Hub | None = None
        # Browsers hide why a handshake failed, but show the close code of an open socket.
        await self.accept(HTML if self.is_drawn else None)
        try:
            await self.spend("sockets", scope_key(self.scope))
            self.visitor = await in_thread(visitor_of)(self.visitor)
            self._hub = await hubs.enter(self._match_id, self)
        except RateLimited as wrong:
            await self.refuse(wrong, CLOSE_LIMITED)
        except UnknownGame as wrong:
            await self.refuse(wrong, CLOSE_UNKNOWN)
        else:
            running.sweep()
            self._timer = asyncio.get_running_loop().call_later(LISTEN_S, self._begin)

    async def disconnect(self, code: int) -> None:
        """Forget the viewer; the match does not notice."""
        if self._hub is not None:
            self._timer.cancel()
            self._hub = None
            hubs.leave(self._match_id, self)

    def read(self, text: str) -> Frame:
        """Read one frame."""
        return read_frame(text)

    async def on_say(self, frame: SayFrame) -> None:
        """Take words with a price in them."""
        await self._place(Say(frame.words, frame.signal), frame)

    async def on_offer(self, frame: BidFrame) -> None:
        """Take a bid."""
        await self._place(Bid(to_paise(frame.price), frame.words, frame.signal), frame)

    async def on_accept(self, frame: TakeFrame) -> None:
        """Take the standing ask."""
        await self._place(Take(frame.words, frame.signal), frame)

    async def on_hold(self, frame: HoldFrame) -> None:
        """Leave the bid standing."""
        await self._place(Hold(frame.words, frame.signal), frame)

    async def on_walk(self, frame: LeaveFrame) -> None:
        """Leave."""
        await self._place(Leave(frame.words, frame.signal), frame)

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
                await self._tell(hub.scene)
            return len(texts)

    async def _send_events(self, texts: list[str]) -> None:
        if len(texts) > TOO_FAR:
            events = ",".join(texts)
            head = encoded({"type": "snapshot", "seq": self._seq})[:-1]
            texts = [f'{head},"events":[{events}]}}']
        for text in texts:
            await self.send(text_data=text)

    async def _tell(self, scene: Scene) -> None:
        """Say who is waited for, when that is new."""
        if scene.is_waiting:
            news: tuple[object, ...] = ("waiting", scene.starts_at, scene.chairs)
            frame = waiting_frame(scene, self.visitor)
        else:
            news = ("awaiting", scene.awaited, scene.deadline) if scene.awaited else ("nobody",)
            frame = awaiting_frame(scene, self.visitor)
        was, self._told = self._told, news
        if news != was and (scene.is_waiting or scene.awaited or was[:1] == ("awaiting",)):
            await self.give(frame)

    async def _place(self, command: Command, frame: Signalled) -> None:
        await self.spend("messages")
        await in_thread(place)(self._match_id, self.visitor, command, frame.seen)
        running.tell(self._match_id)
        if self._hub is not None:
            await self._hub.refresh()
            self._following = True
            await self.deliver()

    async def spend(self, name: Name, key: str = "") -> None:
        """Count one use of a limit; spectators without cookies are told apart by their socket."""
        await super().spend(name, key or self.visitor or self.channel_name)

    def _begin(self) -> None:
        if not self._following:
            self._following = self._by_itself = True
            self._late = asyncio.create_task(self.guard(self.deliver()))
