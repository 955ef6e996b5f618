"""From a course to a seat: one person of a course is one member of a room, on any device."""

from typing import Literal

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError, transaction

from negotiation.errors import RateLimited
from negotiation.limits import check, spend
from rooms import joining, seats
from rooms.doors import read_code
from rooms.errors import AlreadyIn
from rooms.hosting import rooms_of
from rooms.lti.browser import Refused
from rooms.lti_models import LtiLaunch, LtiSeat
from rooms.models import Member, Room
from rooms.study_hooks import is_study

Kind = Literal["desk", "teacher", "study", "in", "move", "out", "mine", "taken", "join"]


class Way(msgspec.Struct, frozen=True):
    """Where somebody who comes from a course goes.

    ``desk``: the host, to the own desk; ``teacher``: somebody who teaches, and is not the host
    here. ``in``: has a seat in this browser; ``move``: has one in another; ``out``: had one.
    ``mine``: this browser has a seat of nobody from a course; ``taken``: one of somebody else.
    """

    kind: Kind
    room: Room
    member: Member | None = None


def bring(launch: LtiLaunch) -> None:
    """Find the room of a link, and note where marks go now; without a room nothing is kept."""
    try:
        launch.room = _find_room(launch)
    except Refused:
        launch.delete()
        raise
    launch.save(update_fields=["room"])
    if launch.told["marks"]:
        seats = LtiSeat.objects.filter(room=launch.room, platform=launch.platform)
        seats.filter(sub=launch.told["sub"]).update(
            marks=launch.told["marks"], link=launch.told["link"]
        )


def _find_room(launch: LtiLaunch) -> Room:
    """Return the room that a link of a course names; wrong codes count for whoever follows it."""
    told, client = launch.told, f"lti:{launch.platform_id}:{launch.told['sub']}"
    try:
        check("codes", client)
    except RateLimited:
        raise Refused("no-room") from None
    room = Room.objects.filter(code=read_code(told["room"])).first() if told["room"] else None
    if room is None:
        spend("codes", client)
        raise Refused("no-room")
    return room


def way_of(launch: LtiLaunch, user: User | AnonymousUser, session: str) -> Way:
    """Return where somebody goes."""
    room = launch.room
    if room is None:
        raise Refused("no-room")
    if launch.told["is_teacher"]:
        return Way("desk" if rooms_of(user).filter(pk=room.pk).exists() else "teacher", room)
    seat = _seat_of(launch)
    if seat is not None:
        return _way_back(seat.member, session)
    here = joining.member_of(room, session)
    if here is not None and LtiSeat.objects.filter(member=here).exists():
        return Way("taken", room, here)
    if is_study(room):
        return Way("study", room)
    return Way("mine", room, here) if here is not None else Way("join", room)


def sit(launch: LtiLaunch, way: Way, session: str, nickname: str) -> Member:
    """Give somebody the seat, or the old one; ``RoomError`` as ``joining`` raises them."""
    if way.kind == "move" and way.member is not None:
        return seats.move(way.member, session, seats.Kind.BY_COURSE)
    try:
        with transaction.atomic():
            member = joining.join(way.room, nickname, session)
            LtiSeat.objects.create(
                platform=launch.platform,
                room=way.room,
                member=member,
                sub=launch.told["sub"],
                link=launch.told["link"],
                marks=launch.told["marks"],
            )
    except IntegrityError:  # the same person at the same moment, here or on another device
        raise AlreadyIn from None
    return member


def _seat_of(launch: LtiLaunch) -> LtiSeat | None:
    seats = LtiSeat.objects.select_related("member__room__study")
    return seats.filter(platform=launch.platform, room=launch.room, sub=launch.told["sub"]).first()


def _way_back(member: Member, session: str) -> Way:
    if member.is_removed or member.withdrawn_at is not None:
        return Way("out", member.room, member)
    return Way("in" if member.session == session else "move", member.room, member)
