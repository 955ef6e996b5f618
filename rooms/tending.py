"""What is due in a room: whenever somebody looks, and when one of its games has ended."""

from typing import Any

from negotiation.bargain import chairs
from negotiation.bargain.terms import PERSON
from negotiation.models import EventRow, Game
from negotiation.ttl_cache import is_time
from rooms import homework, tables, tasks
from rooms.hosting import touch
from rooms.models import Room, RoomGame
from rooms.seating import pairing

PAIR_EVERY_S = 1.0
"""How often each process looks whether waiting people can play."""

ABSENT_EVERY_S = 3.0
"""How often each process looks for people who have left their tables."""


def tend(room: Room, *, at_once: bool = False) -> None:
    """Make pairs, replace the absent; ``at_once``: somebody has come, who may make a pair."""
    homework.keep_time(room)
    if room.state == Room.State.GATHERING:
        return
    if room.state == Room.State.PLAYING and (
        is_time(f"room-pair:{room.pk}", PAIR_EVERY_S) or at_once
    ):
        pairing.advance(room)
    if is_time(f"room-absent:{room.pk}", ABSENT_EVERY_S):
        homework.fill_chairs(room)
        tables.look_after(Game.objects.filter(in_room__room=room, status=Game.Status.LIVE))


def hear_end(game_id: str, **_: Any) -> None:
    """Note the end of a game, where it is one of a room."""
    row = RoomGame.objects.select_related("room", "game").filter(game=game_id).first()
    if row is None:
        return
    if not row.closed and (why := _why(row)):
        RoomGame.objects.filter(pk=row.pk).update(closed=why)
    touch(row.room_id)
    homework.keep_time(row.room)
    pairing.advance(row.room)
    tasks.look_at_marks(row.room_id)


def _why(row: RoomGame) -> str:
    closing = EventRow.objects.filter(game=row.game_id, policy_version=chairs.VERSION)
    if why := closing.values_list("backend", flat=True).last():
        return _blamed(row) if why == "deadline" else str(why)
    is_replaced = row.seller_id and row.buyer_id and row.game.policy != PERSON
    return "replaced" if is_replaced else ""


def _blamed(row: RoomGame) -> str:
    """Name whoever had the turn longer; of one person and the house it is the person."""
    if row.seller_id and row.buyer_id:
        return f"deadline-{tables.thought_longer(row.game) or 'buyer'}"
    return "deadline-seller" if row.seller_id else "deadline-buyer"
