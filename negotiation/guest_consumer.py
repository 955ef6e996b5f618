"""The socket of somebody who looks on at a live game: the log out, nothing in."""

import asyncio
from typing import Any

from negotiation.errors import RateLimited, ReadOnly, UnknownGame
from negotiation.frames_in import Frame, read_frame
from negotiation.games.frame_socket import CLOSE_LIMITED, CLOSE_UNKNOWN, FrameSocket
from negotiation.games.frames_in import PingFrame, SyncFrame, Written
from negotiation.games.notify import listen, stop_listening
from negotiation.games.viewer_socket import HTML, LISTEN_S
from negotiation.guest_count import report
from negotiation.guest_watching import look
from negotiation.guests import game_for_guest
from negotiation.limits import scope_key
from negotiation.seats import seat_of
from negotiation.threads import in_thread


class GuestConsumer(FrameSocket):
    """One guest of one shared game.

    It never moves the game, not even the house's turn, and it knows no way to do so: every command
    has the same answer. Each look asks for the key again, so that a link which was taken back is
    told and closed. As for players, nothing is sent before the first frame or ``LISTEN_S``.
    """

    async def connect(self) -> None:
        """Let in whoever has the key of a shared game."""
        session = self.scope.get("session")
        address = scope_key(self.scope)
        self.visitor = (session.session_key if session is not None else None) or address
        self._key: str = self.scope["url_route"]["kwargs"]["key"]
        self._html = HTML in self.scope.get("subprotocols", [])
        self._game_id = ""
        self._seq = self._thought_at = 0
        self._following = False
        self._delivering = asyncio.Lock()
        self._first: asyncio.TimerHandle | None = None
        await self.accept(HTML if self._html else None)
        try:
            await self.spend("sockets", address)
            game = await in_thread(game_for_guest)(self._key)
        except RateLimited as wrong:
            await self.refuse(wrong, CLOSE_LIMITED)
        except UnknownGame as wrong:
            await self.refuse(wrong, CLOSE_UNKNOWN)
        else:
            self._game_id, self._house = game.pk, seat_of(game).rival_side
            await listen(self._game_id, self.channel_name)
            await report(self._game_id, self.channel_name)
            self._first = asyncio.get_running_loop().call_later(LISTEN_S, self._begin)

    async def disconnect(self, code: int) -> None:
        """Forget the guest."""
        self._be_patient()
        if self._game_id:
            await stop_listening(self._game_id, self.channel_name)
            await report(self._game_id, self.channel_name, here=False)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take a frame: the guest is not silent any more."""
        self._be_patient()
        await super().receive(text_data, bytes_data)

    def read(self, text: str) -> Frame:
        """Read one frame; what it asks for is another matter."""
        return read_frame(text)

    async def on_say(self, frame: Written) -> None:
        """Refuse: guests have no voice here."""
        raise ReadOnly

    on_offer = on_accept = on_walk = on_say

    async def on_sync(self, frame: SyncFrame) -> None:
        """Send what is missing, or say that nothing is."""
        self._thought_at = 0
        if not await self._deliver(frame.after):
            await self.give({"type": "synced", "seq": self._seq})

    async def on_ping(self, frame: PingFrame) -> None:
        """Answer, and look: should a bell have been lost, the ping makes up for it."""
        await self.give({"type": "pong"})
        await self._deliver()
        await report(self._game_id, self.channel_name)

    async def log_grew(self, message: dict[str, Any]) -> None:
        """Hear the bell, which also rings when the link is taken back."""
        if self._following:
            await self.guard(self._deliver())

    async def guests_roll(self, message: dict[str, Any]) -> None:
        """Answer the owner, who asks who is here."""
        await report(self._game_id, self.channel_name)

    async def words_grew(self, message: dict[str, Any]) -> None:
        """Hear the words of a message that the house is writing."""
        if self._following and self._thought_at == self._seq:
            await self.give({"type": "thinking", "actor": self._house, "text": message["words"]})

    async def _deliver(self, after: int | None = None) -> int:
        async with self._delivering:
            self._following = True
            known = self._seq if after is None else after
            view = await in_thread(look)(self._key, known, html=self._html)
            for frame in view.frames:
                await self.give(frame)
            self._seq = view.seq
            if view.thinking and self._thought_at != self._seq:
                self._thought_at = self._seq
                await self.give({"type": "thinking", "actor": self._house})
            return len(view.frames)

    def _begin(self) -> None:
        self._late = asyncio.create_task(self.guard(self._deliver()))

    def _be_patient(self) -> None:
        if self._first is not None:
            self._first.cancel()
