"""A game of a participant, played to an end."""

from typing import Any

from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain import sessions
from negotiation.bargain.commands import Say
from negotiation.bargain.scenarios import NewSale
from negotiation.models import Listing
from rooms.models import Member, RoomGame


def begin(member: Member, number: int = 1, **options: Any) -> RoomGame:
    """Open a sale by a member against a rule."""
    lamp, _ = Listing.objects.get_or_create(
        title="Lamp",
        category="Home",
        list_price=200_000,
        street_price=150_000,
        source_key="lamp",
    )
    sale = NewSale(listing=lamp, policy="rules:linear")
    game = sessions.open_sale(member.session, sale, lambda most: most // 3, **options)
    return RoomGame.objects.create(room=member.room, game=game, round=number, seller=member)


def talk(row: RoomGame, words: str, price: int) -> None:
    """Let the seller say something and name a price, and the buyer answer."""
    game = row.game
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, game.owner, Say(words))
    sessions.play(game.pk, game.owner, Offer(Paise(price), words))
    sessions.opponent_turn(game.pk)


def end(row: RoomGame) -> None:
    """Let the seller leave the table."""
    sessions.opponent_turn(row.game_id)
    sessions.play(row.game_id, row.game.owner, Walk("I am off"))
    row.game.refresh_from_db()
