"""A match live: the log to everybody, envelopes from those who sit at the table."""

from collections.abc import Collection, Mapping

from arena.auction.web import running, schedule, watching
from arena.auction.web.commands import Command, Say, place
from arena.auction.web.watching import Scene, awaiting_frame, waiting_frame
from bazaarbatna.auction.events import Bid, Hold, Leave, Signal, Take
from bazaarbatna.bargain.quantities import to_paise
from negotiation.games.frames_in import PingFrame, SyncFrame, Written
from negotiation.games.live import Batch, Connection, Key, Live, Want
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


class AuctionLive(Live[Scene]):
    """How a match is played; anybody may look on."""

    name = "match"
    addresses = {r"^ws/arena/(?P<game_id>[a-z0-9]{1,12})/$": {}}
    frame_type = SayFrame | BidFrame | TakeFrame | HoldFrame | LeaveFrame | SyncFrame | PingFrame

    def look(
        self, game_id: str, wants: Collection[Want], known: Mapping[Key, int]
    ) -> tuple[Scene, dict[Key, Batch]]:
        """Read how a match stands and what its viewers have not been sent."""
        return watching.look(game_id, wants, known)

    async def keep_alive(self, game_id: str, scene: Scene) -> None:
        """Run a match that nobody runs, and see to the next one."""
        if scene.is_over:
            return
        if not scene.is_waiting and not scene.is_run:
            running.start(game_id)
        await in_thread(schedule.watch)()

    def notified(self, game_id: str) -> None:
        """Wake the runner."""
        running.tell(game_id)

    def place_in(self, viewer: Connection, scene: Scene | None) -> int | None:
        """Return the viewer's chair."""
        return None if scene is None else scene.seat_of(viewer.visitor)

    async def entered(self, viewer: Connection) -> None:
        """Take over matches whose process has died."""
        running.sweep()

    async def on_say(self, viewer: Connection, frame: SayFrame) -> None:
        """Take words with a price in them."""
        await self._place(viewer, Say(frame.words, frame.signal, viewer.asked), frame)

    async def on_offer(self, viewer: Connection, frame: BidFrame) -> None:
        """Take a bid."""
        await self._place(viewer, Bid(to_paise(frame.price), frame.words, frame.signal), frame)

    async def on_accept(self, viewer: Connection, frame: TakeFrame) -> None:
        """Take the standing ask."""
        await self._place(viewer, Take(frame.words, frame.signal), frame)

    async def on_hold(self, viewer: Connection, frame: HoldFrame) -> None:
        """Leave the bid standing."""
        await self._place(viewer, Hold(frame.words, frame.signal), frame)

    async def on_walk(self, viewer: Connection, frame: LeaveFrame) -> None:
        """Leave."""
        await self._place(viewer, Leave(frame.words, frame.signal), frame)

    def news_of(self, scene: Scene) -> tuple[object, ...]:
        """Return who is waited for."""
        if scene.is_waiting:
            return ("waiting", scene.starts_at, scene.chairs)
        return ("awaiting", scene.awaited, scene.deadline) if scene.awaited else ("nobody",)

    async def tell(self, viewer: Connection, scene: Scene, was: tuple[object, ...]) -> None:
        """Send who is waited for."""
        if scene.is_waiting:
            await viewer.give(waiting_frame(scene, viewer.visitor))
        elif scene.awaited or was[:1] == ("awaiting",):
            await viewer.give(awaiting_frame(scene, viewer.visitor))

    async def _place(self, viewer: Connection, command: Command, frame: Signalled) -> None:
        await viewer.spend("messages")
        await in_thread(place)(viewer.game_id, viewer.visitor, command, frame.seen)
        running.tell(viewer.game_id)
        await viewer.refresh()
