"""What is due in a room, done whenever somebody looks: pairs are made, absent people replaced."""

from bazaar_site.rooms import pairing
from bazaar_site.rooms.models import Room
from negotiation.bargain import pairs
from negotiation.models import Game
from negotiation.ttl_cache import is_time

PAIR_EVERY_S = 1.0
"""How often each process looks whether waiting people can play."""

ABSENT_EVERY_S = 3.0
"""How often each process looks for people who have left their tables."""


def tend(room: Room, *, at_once: bool = False) -> None:
    """Do what is due; ``at_once``: somebody has come, which may change who can play."""
    if room.state == Room.State.GATHERING:
        return
    if room.state == Room.State.PLAYING and (
        is_time(f"room-pair:{room.pk}", PAIR_EVERY_S) or at_once
    ):
        pairing.advance(room)
    if is_time(f"room-absent:{room.pk}", ABSENT_EVERY_S):
        pairs.look_after_all(Game.objects.filter(in_room__room=room, status=Game.Status.LIVE))
