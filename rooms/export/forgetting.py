"""What is deleted: rooms whose time is over, and one person with everything of hers."""

import datetime as dt
from collections.abc import Iterator

import msgspec
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from negotiation.models import Game
from rooms.models import Answer, Member, Room, RoomGame
from rooms.study import promises

CHUNK = 100
"""Games that are deleted in one transaction: nobody waits long for the database."""


class DeletedCounts(msgspec.Struct, frozen=True):
    """How much goes, or went."""

    games: int = 0
    members: int = 0
    answers: int = 0


def due(today: dt.date | None = None) -> QuerySet[Room]:
    """Return the rooms whose last day is over."""
    return Room.objects.filter(keep_until__lt=today or timezone.localdate()).order_by("keep_until")


def due_people(today: dt.date | None = None) -> Iterator[Member]:
    """Yield the people who were promised less time than their room has, and whose time is over."""
    return promises.over(today or timezone.localdate())


def weigh(room: Room) -> DeletedCounts:
    """Count what goes with a room."""
    return DeletedCounts(
        RoomGame.objects.filter(room=room).count(),
        room.members.count(),
        Answer.objects.filter(member__room=room).count(),
    )


def forget_room(room: Room) -> DeletedCounts:
    """Delete a room with its games, what they led to, its people and what they answered."""
    gone = weigh(room)
    _forget_games(RoomGame.objects.filter(room=room))
    room.delete()
    return gone


def weigh_member(member: Member) -> DeletedCounts:
    """Count what goes with a person."""
    return DeletedCounts(_games_of(member).count(), 1, member.answers.count())


def forget_member(member: Member) -> DeletedCounts:
    """Delete a person with what she answered and every game that she sat in.

    A game belongs to both sides: it is gone for the other one, too. No member is counted where
    another process was faster.
    """
    gone = weigh_member(member)
    _forget_games(_games_of(member))
    deleted = member.delete()[1].get(Member._meta.label, 0)
    return msgspec.structs.replace(gone, members=deleted)


def forget_due() -> int:
    """Delete every room whose time is over, and people whose own time is; how many rooms."""
    rooms = list(due())
    for room in rooms:
        forget_room(room)
    for member in list(due_people()):
        forget_member(member)
    return len(rooms)


def _games_of(member: Member) -> QuerySet[RoomGame]:
    return RoomGame.objects.filter(Q(seller=member) | Q(buyer=member))


def _forget_games(found: QuerySet[RoomGame]) -> None:
    while ids := list(found.order_by("pk").values_list("game_id", flat=True)[:CHUNK]):
        with transaction.atomic():
            # What-ifs and rematches hold the same words, and go with them.
            Game.objects.filter(pk__in=ids).delete()
