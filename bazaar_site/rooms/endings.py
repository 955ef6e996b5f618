"""A game of a room has ended: its room shows it, and whoever waits may play."""

from typing import Any

from bazaar_site.rooms import pairing
from bazaar_site.rooms.hosting import touch
from bazaar_site.rooms.lti import marks
from bazaar_site.rooms.models import RoomGame
from negotiation.bargain import pairs
from negotiation.bargain.terms import PERSON
from negotiation.models import EventRow


def hear_end(game_id: str, **_: Any) -> None:
    """Note the end of a game, where it is one of a room."""
    row = RoomGame.objects.select_related("room", "game").filter(game=game_id).first()
    if row is None:
        return
    if not row.closed and (why := _why(row)):
        RoomGame.objects.filter(pk=row.pk).update(closed=why)
    touch(row.room_id)
    pairing.advance(row.room)
    marks.look_at(row.room_id)


def _why(row: RoomGame) -> str:
    closing = EventRow.objects.filter(game=row.game_id, policy_version=pairs.VERSION)
    if why := closing.values_list("backend", flat=True).last():
        return str(why)
    is_replaced = row.seller_id and row.buyer_id and row.game.policy != PERSON
    return "replaced" if is_replaced else ""
