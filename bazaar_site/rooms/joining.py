"""Stand-in until the rooms' own arrives."""

from django.db.models import Max, Q

from bazaar_site.rooms.models import Member, Room
from negotiation.models import Game


def join(
    room: Room, nickname: str, session: str, *, external_id: str = "", is_pilot: bool = False
) -> Member:
    """Let somebody in, once."""
    known = member_of(room, session)
    if known is not None:
        return known
    number = (room.members.aggregate(last=Max("number"))["last"] or 0) + 1
    return Member.objects.create(
        room=room,
        number=number,
        nickname=nickname or f"Guest {number}",
        session=session,
        external_id=external_id,
        is_pilot=is_pilot,
    )


def member_of(room: Room, session: str) -> Member | None:
    """Return who sits at a browser."""
    if not session:
        return None
    return Member.objects.select_related("room").filter(room=room, session=session).first()


def move(member: Member, session: str) -> Member:
    """Let a member sit at another browser."""
    Game.objects.filter(
        Q(in_room__seller=member) | Q(in_room__buyer=member), owner=member.session
    ).update(owner=session)
    member.session = session
    member.save(update_fields=["session"])
    return member
