"""The live sockets of a game with the house: its owner's moves in, the log out to all viewers."""

from typing import Any

from negotiation.bargain import sessions
from negotiation.bargain.commands import Command, Say
from negotiation.bargain.guests import (
    NOT_SHARED,
    GuestList,
    await_guests,
    forget_guests,
    game_for_guest,
    report,
)
from negotiation.bargain.web.frames_in import (
    AcceptFrame,
    Frame,
    OfferFrame,
    SayFrame,
    WalkFrame,
    read_frame,
)
from negotiation.bargain.web.watching import Guest, Owner, Scene, hubs
from negotiation.engine.moves import Accept, Offer, Walk
from negotiation.engine.quantities import to_paise
from negotiation.errors import ReadOnly, UnknownGame
from negotiation.games.frames_in import PingFrame, Written
from negotiation.games.viewer_socket import ViewerSocket
from negotiation.games.visitors import visitor_of
from negotiation.limits import scope_key
from negotiation.threads import in_thread


class HouseSocket(ViewerSocket):
    """One viewer of one game with the house, who also sees that the house thinks."""

    hubs = hubs
    repeats = True

    def read(self, text: str) -> Frame:
        """Read one frame; whether its sender may play is another matter."""
        return read_frame(text)

    async def on_say(self, frame: SayFrame) -> None:
        """Take words."""
        await self.play(Say(frame.words), frame)

    async def on_offer(self, frame: OfferFrame) -> None:
        """Take an ask."""
        await self.play(Offer(to_paise(frame.price), frame.words), frame)

    async def on_accept(self, frame: AcceptFrame) -> None:
        """Close at the standing bid."""
        await self.play(Accept(frame.words), frame)

    async def on_walk(self, frame: WalkFrame) -> None:
        """Leave."""
        await self.play(Walk(frame.words), frame)

    async def play(self, command: Command, frame: Written) -> None:
        """Carry out what the viewer asks for.

        Raises:
            ReadOnly: the viewer only looks on.
        """
        raise ReadOnly

    def is_snapshot_due(self, count: int) -> bool:
        """Pages draw event by event."""
        return not self.is_drawn and super().is_snapshot_due(count)

    def news_of(self, scene: Scene) -> int:
        """Sum up about which event the house thinks; 0: it does not."""
        return scene.seq if scene.is_thinking else 0

    async def tell(self, scene: Scene, was: object) -> None:
        """Say that the house thinks."""
        if scene.is_thinking:
            await self.give({"type": "thinking", "actor": scene.house})

    async def tell_words(self, words: str) -> None:
        """Show the words that the house has found so far, if they are about this position."""
        if self.hub is not None and self.told and self.told == self.seq:
            house = self.hub.scene.house
            await self.give({"type": "thinking", "actor": house, "text": words})


class GameConsumer(HouseSocket):
    """The owner of one game, who plays and hears how many guests look on.

    ``kind`` says which games it knows.
    """

    kind = "sell"

    async def admit(self) -> None:
        """Leave it to the look, which asks for the visit every time."""
        self._guests, self._guests_told = GuestList(), 0

    def place_in(self, scene: Scene | None) -> Owner:
        """Sit at the table."""
        return Owner(self.visitor, self.kind)

    async def on_entered(self) -> None:
        """Begin to count guests."""
        await await_guests(self.game_id, self.channel_name)

    async def disconnect(self, code: int) -> None:
        """Forget the viewer; the game does not notice."""
        await super().disconnect(code)
        await forget_guests(self.game_id, self.channel_name)

    async def play(self, command: Command, frame: Written) -> None:
        """Carry out a command."""
        await self.spend("messages")
        receipt = await in_thread(self._play)(command, frame.seconds, frame.seen)
        await self.refresh(receipt.seq)
        if receipt.note is not None:
            note = receipt.note
            await self.give({"type": "note", "code": note.code, "detail": note.detail})

    async def on_ping(self, frame: PingFrame) -> None:
        """Answer, and tell the count anew if a guest vanished without a word."""
        await super().on_ping(frame)
        await self._tell_guests(self._guests.count())

    async def guest_here(self, message: dict[str, Any]) -> None:
        """Hear that a guest is here."""
        await self._tell_guests(self._guests.come(message["guest"]))

    async def guest_gone(self, message: dict[str, Any]) -> None:
        """Hear that a guest has left."""
        await self._tell_guests(self._guests.leave(message["guest"]))

    async def _tell_guests(self, count: int) -> None:
        if count != self._guests_told:
            self._guests_told = count
            await self.give({"type": "guests", "count": count})

    def _play(self, command: Command, typing_s: float | None, seen: int | None) -> sessions.Receipt:
        if not visitor_of(self.visitor):
            raise UnknownGame
        return sessions.play(self.game_id, self.visitor, command, typing_s, seen, self.kind)


class SaleConsumer(GameConsumer):
    """The owner of one sale: Sauda buys."""


class PurchaseConsumer(GameConsumer):
    """The owner of one purchase: the house sells."""

    kind = "buy"


class GuestConsumer(HouseSocket):
    """One guest of one shared game.

    It never moves the game, not even the house's turn, and it knows no way to do so. Each look asks
    for the key again, so that a link which was taken back is told and closed.
    """

    async def admit(self) -> None:
        """Let in whoever has the key of a shared game."""
        self.visitor = self.visitor or scope_key(self.scope)
        self._key: str = self.scope["url_route"]["kwargs"]["key"]
        self.game_id = (await in_thread(game_for_guest)(self._key)).pk

    def place_in(self, scene: Scene | None) -> Guest:
        """Stand where the key lets one stand."""
        return Guest(self._key)

    def is_snapshot_due(self, count: int) -> bool:
        """Guests are sent every event by itself."""
        return False

    async def on_entered(self) -> None:
        """Report to the owner."""
        await report(self.game_id, self.channel_name)

    async def disconnect(self, code: int) -> None:
        """Forget the guest."""
        await super().disconnect(code)
        if self.game_id:
            await report(self.game_id, self.channel_name, here=False)

    async def refuse(self, wrong: Exception, code: int) -> None:
        """Say that the link is not good (any more), and hang up."""
        told = UnknownGame(NOT_SHARED) if isinstance(wrong, UnknownGame) else wrong
        await super().refuse(told, code)

    async def on_ping(self, frame: PingFrame) -> None:
        """Answer, and report again."""
        await super().on_ping(frame)
        await report(self.game_id, self.channel_name)

    async def answer_roll(self) -> None:
        """Report to the owner, who asks who is here."""
        await report(self.game_id, self.channel_name)
