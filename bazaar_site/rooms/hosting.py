"""Stand-in until the rooms' own arrives."""

import msgspec
from django.http import Http404, HttpRequest

from bazaar_site.rooms.models import Member, Room
from bazaar_site.rooms.plan import Plan


def own_room(request: HttpRequest, code: str) -> Room:
    """Return a host's own room, or raise Http404."""
    room = Room.objects.filter(host_id=request.user.pk, code=code.upper()).first()
    if room is None:
        raise Http404
    return room


def plan_of(room: Room) -> Plan:
    """Return what a room plays."""
    return msgspec.convert(room.plan, Plan)


def plan_for(member: Member) -> Plan:
    """Return what a member plays."""
    from bazaar_site.rooms.study.flow import plan_in_arm

    return plan_in_arm(member, plan_of(member.room))
