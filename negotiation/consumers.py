"""The live socket of a game with the house: its owner's moves in, the log out."""

import asyncio
from typing import Any

from negotiation import live
from negotiation.commands import Command, Say
from negotiation.engine.moves import Accept, Offer, Walk
from negotiation.engine.quantities import to_paise
from negotiation.errors import RateLimited, UnknownGame
from negotiation.frames_in import (
    AcceptFrame,
    Frame,
    OfferFrame,
    SayFrame,
    WalkFrame,
    read_frame,
)
from negotiation.games.frame_socket import CLOSE_LIMITED, CLOSE_UNKNOWN
from negotiation.games.frames_in import PingFrame, SyncFrame, Written
from negotiation.games.notify import listen, stop_listening
from negotiation.games.viewer_socket import HTML, LISTEN_S
from negotiation.host_socket import HostSocket
from negotiation.limits import scope_key
from negotiation.threads import in_thread
from negotiation.watching import NOTHING_NEW, Watcher

IMPATIENT_S = 3.0
"""While the house thinks, the log is looked at so often even if no bell rings: the process that was
thinking may have died, and then this one takes the turn."""


class GameConsumer(HostSocket):
    """One viewer of one game; ``kind`` says which games it knows.

    Nothing is sent before the viewer's first frame (or ``LISTEN_S``), so that a page which asks
    for what it misses is not sent what it has. From then on the socket follows the log.
    """

    kind = "sell"
    house = "buyer"

    async def connect(self) -> None:
        """Let the owner in; everybody else is told that there is no such game."""
        self.visitor = self.scope["session"].session_key or ""
        self._html = HTML in self.scope.get("subprotocols", [])
        self._game_id: str = self.scope["url_route"]["kwargs"]["game_id"]
        self._watcher = Watcher(self._game_id, self.visitor, self.kind, self._html)
        self._seq = 0
        self._thought_at = 0
        self._following = False
        self._delivering = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._late: asyncio.Task[None] | None = None
        # Browsers hide why a handshake failed, but show the close code of an open socket.
        await self.accept(HTML if self._html else None)
        try:
            await self._enter()
        except RateLimited as wrong:
            await self.refuse(wrong, CLOSE_LIMITED)
        except UnknownGame as wrong:
            await self.refuse(wrong, CLOSE_UNKNOWN)

    async def disconnect(self, code: int) -> None:
        """Forget the viewer; the game does not notice."""
        self._cancel_timer()
        await stop_listening(self._game_id, self.channel_name)
        await self.forget_guests(self._game_id)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take a frame: the client is not silent any more, before anything slow is awaited."""
        was_following = self._following
        if not was_following:
            self._cancel_timer()
        await super().receive(text_data, bytes_data)
        if not (was_following or self._following):
            self._look_in(LISTEN_S)

    def read(self, text: str) -> Frame:
        """Read one frame of a player."""
        return read_frame(text)

    async def on_say(self, frame: SayFrame) -> None:
        """Take words."""
        await self._play(Say(frame.words), frame)

    async def on_offer(self, frame: OfferFrame) -> None:
        """Take an ask."""
        await self._play(Offer(to_paise(frame.price), frame.words), frame)

    async def on_accept(self, frame: AcceptFrame) -> None:
        """Close at the standing bid."""
        await self._play(Accept(frame.words), frame)

    async def on_walk(self, frame: WalkFrame) -> None:
        """Leave."""
        await self._play(Walk(frame.words), frame)

    async def on_sync(self, frame: SyncFrame) -> None:
        """Send what is missing, or say that nothing is."""
        self._thought_at = 0
        if not await self._deliver(frame.after):
            await self.give({"type": "synced", "seq": self._seq})

    async def on_ping(self, frame: PingFrame) -> None:
        """Answer; should a bell have been lost, the ping makes up for it."""
        await self.give({"type": "pong"})
        await self._deliver()
        await self.count_guests()

    async def log_grew(self, message: dict[str, Any]) -> None:
        """Hear the bell: the log says what happened, not the bell."""
        if self._following and message["seq"] > self._seq:
            await self.guard(self._deliver())

    async def words_grew(self, message: dict[str, Any]) -> None:
        """Hear the words of a message that is being written."""
        if self._following and self._thought_at == self._seq:
            await self.give({"type": "thinking", "actor": self.house, "text": message["words"]})

    async def _enter(self) -> None:
        await self.spend("sockets", scope_key(self.scope))
        view = await in_thread(self._watcher.look)(NOTHING_NEW)
        await listen(self._game_id, self.channel_name)
        await self.await_guests(self._game_id)
        self._look_in(LISTEN_S)
        if view.thinking:
            live.start_turn(self._game_id, view.seq)

    async def _play(self, command: Command, frame: Written) -> None:
        await self.spend("messages")
        note = await in_thread(self._watcher.play)(command, frame.seconds, frame.seen)
        await self._deliver()
        if note is not None:
            await self.give({"type": "note", "code": note.code, "detail": note.detail})

    async def _deliver(self, after: int | None = None) -> int:
        """Send the log after ``after``, by default after what was sent; give how many events."""
        async with self._delivering:
            self._following = True
            view = await in_thread(self._watcher.look)(self._seq if after is None else after)
            for frame in view.frames:
                await self.give(frame)
            self._seq = view.seq
            if view.thinking:
                await self._think()
            return len(view.frames)

    async def _think(self) -> None:
        if self._thought_at != self._seq:
            self._thought_at = self._seq
            await self.give({"type": "thinking", "actor": self.house})
        live.start_turn(self._game_id, self._seq)
        self._look_in(IMPATIENT_S)

    def _look_in(self, seconds: float) -> None:
        self._cancel_timer()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look_now)

    def _look_now(self) -> None:
        self._late = asyncio.create_task(self.guard(self._deliver()))

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class SaleConsumer(GameConsumer):
    """One viewer of one sale: Sauda buys."""


class PurchaseConsumer(GameConsumer):
    """One viewer of one purchase: the house sells."""

    kind = "buy"
    house = "seller"
