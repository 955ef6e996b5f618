"""A game of a room has ended: its room shows it, and whoever waits may play."""

from typing import Any

from bazaar_site.rooms import pairing
from bazaar_site.rooms.hosting import touch
from bazaar_site.rooms.models import RoomGame


def hear_end(game_id: str, **_: Any) -> None:
    """Note the end of a game, where it is one of a room."""
    row = RoomGame.objects.select_related("room").filter(game=game_id).first()
    if row is not None:
        touch(row.room_id)
        pairing.advance(row.room)
