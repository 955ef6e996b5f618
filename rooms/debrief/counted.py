"""Whose games count, by one rule for progress, debrief and gradebook.

Pilots count nowhere, unless everybody in the room is one. Who withdrew is no person of the room
any more; who left or was taken out is. A game counts whoever of its people went afterwards.
"""

from django.db.models import Exists, Q, QuerySet

from rooms.models import Member, Room, RoomGame


def people_in(room: Room) -> QuerySet[Member]:
    """Return the members who count, in order."""
    people = room.members.filter(withdrawn_at=None).order_by("number")
    return people.exclude(_has_others(room), is_pilot=True)


def games_in(room: Room) -> QuerySet[RoomGame]:
    """Return the games that count, first to last."""
    pilots = Q(seller__is_pilot=True) | Q(buyer__is_pilot=True)
    games = RoomGame.objects.filter(room=room).order_by("round", "id")
    return games.exclude(pilots, _has_others(room))


def _has_others(room: Room) -> Exists:
    return Exists(Member.objects.filter(room=room, is_pilot=False))
