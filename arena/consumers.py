"""The live socket of a match: the log to everybody, envelopes from those who sit at the table."""

from arena import running
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
from arena.hubs import hubs
from arena.seating import place
from arena.watching import Scene, awaiting_frame, waiting_frame
from negotiation.engine.quantities import to_paise
from negotiation.games.viewer_socket import ViewerSocket
from negotiation.threads import in_thread


class MatchConsumer(ViewerSocket):
    """One viewer of one match; anybody may look on."""

    hubs = hubs

    async def on_entered(self) -> None:
        """Take over matches whose process has died."""
        running.sweep()

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

    def news_of(self, scene: Scene) -> tuple[object, ...]:
        """Sum up who is waited for."""
        if scene.is_waiting:
            return ("waiting", scene.starts_at, scene.chairs)
        return ("awaiting", scene.awaited, scene.deadline) if scene.awaited else ("nobody",)

    async def tell(self, scene: Scene, was: tuple[object, ...]) -> None:
        """Say who is waited for."""
        if scene.is_waiting:
            await self.give(waiting_frame(scene, self.visitor))
        elif scene.awaited or was[:1] == ("awaiting",):
            await self.give(awaiting_frame(scene, self.visitor))

    async def _place(self, command: Command, frame: Signalled) -> None:
        await self.spend("messages")
        await in_thread(place)(self.game_id, self.visitor, command, frame.seen)
        running.tell(self.game_id)
        await self.refresh()
