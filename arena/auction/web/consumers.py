"""The live socket of a match: the log to everybody, envelopes from those who sit at the table."""

from typing import get_args

import msgspec

from arena.auction.engine.events import Bid, Hold, Leave, Signal, Take
from arena.auction.web import running, schedule
from arena.auction.web.commands import Command, Say, place
from arena.auction.web.watching import Scene, awaiting_frame, look, waiting_frame
from negotiation.engine.quantities import to_paise
from negotiation.games.frames_in import PingFrame, SyncFrame, Written, read_with
from negotiation.games.viewer_hub import Hubs, Ways
from negotiation.games.viewer_socket import ViewerSocket
from negotiation.threads import in_thread


class Signalled(Written, frozen=True):
    """What a person puts into the envelope; ``signal`` is shown to the others with it."""

    signal: Signal | None = None


class SayFrame(Signalled, frozen=True, tag="say"):
    """Free text with a price or an acceptance inside."""


class BidFrame(Signalled, frozen=True, tag="offer", kw_only=True):
    """A bid of ``price`` rupees."""

    price: float


class TakeFrame(Signalled, frozen=True, tag="accept"):
    """Take the standing ask."""


class HoldFrame(Signalled, frozen=True, tag="hold"):
    """Leave the own bid standing."""


class LeaveFrame(Signalled, frozen=True, tag="walk"):
    """Leave the match for good."""


Frame = SayFrame | BidFrame | TakeFrame | HoldFrame | LeaveFrame | SyncFrame | PingFrame
TYPES = tuple(str(one.__struct_config__.tag) for one in get_args(Frame))

_decoder: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)


def read_frame(text: str) -> Frame:
    """Read one frame of a viewer of a match; ``BadFrame`` where that cannot be done."""
    return read_with(_decoder, TYPES, text)


async def _keep_alive(match_id: str, scene: Scene) -> None:
    if scene.is_over:
        return
    if not scene.is_waiting and not scene.is_run:
        running.start(match_id)
    await in_thread(schedule.watch)()


hubs = Hubs(Ways("match", look, _keep_alive, running.tell))


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
        """Return who is waited for."""
        if scene.is_waiting:
            return ("waiting", scene.starts_at, scene.chairs)
        return ("awaiting", scene.awaited, scene.deadline) if scene.awaited else ("nobody",)

    async def tell(self, scene: Scene, was: tuple[object, ...]) -> None:
        """Send who is waited for."""
        if scene.is_waiting:
            await self.give(waiting_frame(scene, self.visitor))
        elif scene.awaited or was[:1] == ("awaiting",):
            await self.give(awaiting_frame(scene, self.visitor))

    async def _place(self, command: Command, frame: Signalled) -> None:
        await self.spend("messages")
        await in_thread(place)(self.game_id, self.visitor, command, frame.seen)
        running.tell(self.game_id)
        await self.refresh()
