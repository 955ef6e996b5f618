"""A sale or a purchase live: its owner's moves in, the log out to owner and guests."""

from collections.abc import Collection, Mapping
from typing import Any

from negotiation.bargain import opponent_turns, sessions
from negotiation.bargain.commands import Command, Say
from negotiation.bargain.guests import (
    NOT_SHARED,
    GuestList,
    await_guests,
    forget_guests,
    game_for_guest,
    report,
)
from negotiation.bargain.web import watching
from negotiation.bargain.web.watching import Guest, Owner, Scene
from negotiation.engine.moves import Accept, Offer, Walk
from negotiation.engine.quantities import to_paise
from negotiation.errors import ReadOnly, UnknownGame
from negotiation.games.frames_in import PingFrame, SyncFrame, Written
from negotiation.games.live import Batch, Key, Live, Viewer, Want
from negotiation.games.visitors import visitor_of
from negotiation.threads import in_thread

IMPATIENT_S = 3.0
"""While the opponent thinks, the log is looked at so often without a notification too: the process
that was thinking may have died, and then this one takes the turn."""


class SayFrame(Written, frozen=True, tag="say"):
    """Free text with a price or an acceptance inside, or mere words."""


class OfferFrame(Written, frozen=True, tag="offer", kw_only=True):
    """An ask, or a bid, of ``price`` rupees."""

    price: float


class AcceptFrame(Written, frozen=True, tag="accept"):
    """Take the standing offer of the other side."""


class WalkFrame(Written, frozen=True, tag="walk"):
    """Leave without a deal."""


class SaleLive(Live[Scene]):
    """How a game for two is played; whoever has the key of a shared game looks on.

    A guest never moves the game, not even the opponent's turn, and knows no way to do so. Each look
    asks for the key again, so that a link which was taken back is told and closed.
    """

    name = "game"
    addresses = {
        r"^ws/sell/(?P<game_id>[a-z0-9]{1,12})/$": {"kind": "sell"},
        r"^ws/buy/(?P<game_id>[a-z0-9]{1,12})/$": {"kind": "buy"},
        r"^ws/watch/(?P<key>[a-z0-9]{1,24})/$": {},
    }
    frame_type = SayFrame | OfferFrame | AcceptFrame | WalkFrame | SyncFrame | PingFrame
    repeats = True
    is_read_anew = True

    def look(
        self, game_id: str, wants: Collection[Want], known: Mapping[Key, int]
    ) -> tuple[Scene, dict[Key, Batch]]:
        """Read how a game stands and what its viewers have not been sent."""
        return watching.look(game_id, wants, known)

    async def keep_alive(self, game_id: str, scene: Scene) -> None:
        """Let the opponent act; guests alone move nothing, not even that."""
        if scene.is_thinking and scene.has_owner:
            opponent_turns.start_turn(game_id, scene.seq)

    def rest_s(self, scene: Scene) -> float | None:
        """Rest until something is heard, unless an answer is owed."""
        return IMPATIENT_S if scene.is_thinking and scene.has_owner else None

    async def admit(self, viewer: Viewer) -> None:
        """Let in whoever has the key of a shared game; an owner's visit is asked in every look."""
        if "key" not in viewer.route:
            viewer.place = Owner(viewer.visitor, viewer.route["kind"])
            viewer.own = GuestList()
            return
        viewer.place, viewer.visitor = Guest(viewer.route["key"]), viewer.session
        viewer.game_id = (await in_thread(game_for_guest)(viewer.place.key)).pk

    async def entered(self, viewer: Viewer) -> None:
        """Tell the owner of a guest, and let an owner begin to count guests."""
        if isinstance(viewer.place, Guest):
            await report(viewer.game_id, viewer.channel_name)
        else:
            await await_guests(viewer.game_id, viewer.channel_name)

    async def left(self, viewer: Viewer) -> None:
        """Let the owner know that a guest has gone, and an owner count no more."""
        if isinstance(viewer.place, Owner):
            await forget_guests(viewer.game_id, viewer.channel_name)
        elif viewer.game_id:
            await report(viewer.game_id, viewer.channel_name, here=False)

    async def pinged(self, viewer: Viewer) -> None:
        """Count anew: a guest may have vanished without a word."""
        await self.counted(viewer)
        if isinstance(viewer.place, Owner):
            await _tell_guests(viewer, viewer.own.count())

    async def counted(self, viewer: Viewer) -> None:
        """Report a guest to the owner, who asks who is here."""
        if isinstance(viewer.place, Guest):
            await report(viewer.game_id, viewer.channel_name)

    async def guest_here(self, viewer: Viewer, message: dict[str, Any]) -> None:
        """Hear that a guest is here."""
        await _tell_guests(viewer, viewer.own.come(message["guest"]))

    async def guest_gone(self, viewer: Viewer, message: dict[str, Any]) -> None:
        """Hear that a guest has left."""
        await _tell_guests(viewer, viewer.own.leave(message["guest"]))

    def refusal(self, viewer: Viewer, wrong: Exception) -> Exception:
        """Tell a guest that the link is not good (any more)."""
        is_no_link = "key" in viewer.route and isinstance(wrong, UnknownGame)
        return UnknownGame(NOT_SHARED) if is_no_link else wrong

    async def on_say(self, viewer: Viewer, frame: SayFrame) -> None:
        """Take words."""
        await self._play(viewer, Say(frame.words), frame)

    async def on_offer(self, viewer: Viewer, frame: OfferFrame) -> None:
        """Take a price."""
        await self._play(viewer, Offer(to_paise(frame.price), frame.words), frame)

    async def on_accept(self, viewer: Viewer, frame: AcceptFrame) -> None:
        """Close at the standing offer."""
        await self._play(viewer, Accept(frame.words), frame)

    async def on_walk(self, viewer: Viewer, frame: WalkFrame) -> None:
        """Leave."""
        await self._play(viewer, Walk(frame.words), frame)

    def is_snapshot_due(self, viewer: Viewer, count: int) -> bool:
        """Pages draw event by event, and guests are sent every one by itself."""
        is_owners = isinstance(viewer.place, Owner) and not viewer.is_drawn
        return is_owners and super().is_snapshot_due(viewer, count)

    def news_of(self, scene: Scene) -> int:
        """Sum up about which event the opponent thinks; 0: it does not."""
        return scene.seq if scene.is_thinking else 0

    async def tell(self, viewer: Viewer, scene: Scene, was: object) -> None:
        """Say that the opponent thinks."""
        if scene.is_thinking:
            await viewer.give({"type": "thinking", "actor": scene.opponent})

    async def tell_words(self, viewer: Viewer, scene: Scene, words: str) -> None:
        """Show the words that the opponent has found so far, if they are about this position."""
        if viewer.told and viewer.told == viewer.seq:
            await viewer.give({"type": "thinking", "actor": scene.opponent, "text": words})

    async def _play(self, viewer: Viewer, command: Command, frame: Written) -> None:
        if not isinstance(viewer.place, Owner):
            raise ReadOnly
        await viewer.spend("messages")
        receipt = await in_thread(play)(viewer.game_id, viewer.place, command, frame)
        await viewer.refresh(receipt.seq)
        if receipt.note is not None:
            note = receipt.note
            await viewer.give({"type": "note", "code": note.code, "detail": note.detail})


SALE_LIVE = SaleLive()


def play(game_id: str, place: Owner, command: Command, frame: Written) -> sessions.Receipt:
    """Carry out what an owner asks for while the visit lasts; errors as for ``sessions.play``."""
    if not visitor_of(place.visitor):
        raise UnknownGame
    return sessions.play(game_id, place.visitor, command, frame.seconds, frame.seen, place.kind)


async def _tell_guests(viewer: Viewer, count: int) -> None:
    if count != viewer.own.told:
        viewer.own.told = count
        await viewer.give({"type": "guests", "count": count})
