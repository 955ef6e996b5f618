"""A seat and its browsers: what moves it to another one, and what is noted of that.

A seat is a session in the column of a member. Whoever may move it may read what is in it, and leave
a study with it, which deletes: so a seat moves only for who shows to be that person, and one that
has moved leaves a study only after ``SETTLES_AFTER``, or from the browser where it began.
"""

import re
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from negotiation.bargain import sessions
from negotiation.models import Game
from rooms.errors import AlreadyIn
from rooms.hosting import touch
from rooms.joining import member_of
from rooms.models import Member, Room, SeatEvent, new_key

Kind = SeatEvent.Kind

LONG_ID = 16
"""Letters and digits of an external id that nobody guesses."""

CHANGES, CHANGES_HEX = 4, 6
"""One in so many of them, at least, begins anew: a digit after letters, letters after digits, a
capital after a small one. So it is in ids that are drawn, but for one or two in a hundred; of 24
hexadecimal digits, as Prolific's are, but for one or two in a thousand: no names are written so."""

COUNTED = 6
"""Two ids that differ in so many first or last characters alone were counted up."""

ALLOWED_FOR = timedelta(minutes=10)
"""How long a host's press lets a seat move, once."""

SETTLES_AFTER = timedelta(hours=1)
"""How long a seat that has moved cannot leave a study."""

SELDOM = timedelta(minutes=10)
"""How often the same is noted of a room where everybody could bring it about."""


def way_to(member: Member, session: str, external_id: str) -> SeatEvent.Kind | None:
    """Return what lets a browser have a seat by its id, and use it up; None: nothing does."""
    if session and member.first_session == session:
        return Kind.BACK
    allowed = Member.objects.filter(pk=member.pk, movable_until__gt=timezone.now())
    if allowed.update(movable_until=None):
        return Kind.BY_HOST
    others = member.room.members.exclude(pk=member.pk)
    is_counted = Q(external_id__startswith=external_id[:-COUNTED])
    is_counted |= Q(external_id__endswith=external_id[COUNTED:])
    is_alone = is_drawn(external_id) and not others.filter(is_counted).exists()
    return Kind.BY_ID if is_alone else None


_HEX = re.compile("[0-9a-f]{24,}|[0-9A-F]{24,}")
_CHANGE = re.compile(r"(?<=\D)(?=\d)|(?<=\d)(?=\D)|(?<=[a-z])(?=[A-Z])")


def is_drawn(external_id: str) -> bool:
    """Whether an id looks like one that a panel has drawn, so that it moves a seat by itself.

    Others may be known: names, addresses, words with a number.

    >>> [is_drawn(one) for one in ("5f1a2b3c4d5e6f7a8b9c0d1e", "asha.patel@example.org")]
    [True, False]
    >>> [is_drawn(one) for one in ("p01", "participant-00000017", "AshaPatel2011Bombay")]
    [False, False, False]
    """
    plain = "".join(filter(str.isalnum, external_id))
    is_long = len(plain) >= LONG_ID and "@" not in external_id
    seldom = CHANGES_HEX if _HEX.fullmatch(plain) else CHANGES
    return is_long and len(_CHANGE.findall(plain)) * seldom >= len(plain)


def move(member: Member, session: str, how: SeatEvent.Kind) -> Member:
    """Let a member sit at another browser, with the own games; the first one has none then.

    AlreadyIn: somebody else of the room sits there.
    """
    with transaction.atomic():
        member = _held(member)
        if member.session == session:
            return member
        other = member_of(member.room, session)
        if other is not None:
            raise AlreadyIn(
                gettext("In this browser %(name)s has a seat in this room. Use another one.")
                % {"name": other.nickname}
            )
        if session == member.first_session:
            first, moved_at = "", None
        else:
            # Where it was when it had moved before is nobody's first browser.
            first = member.first_session if member.moved_at else member.session
            moved_at = timezone.now()
        Member.objects.filter(room=member.room_id, first_session=session).update(first_session="")
        _put(member, session, first, moved_at)
        note(member.room, how, member)
    touch(member.room_id)
    return member


def free_browser(member: Member) -> None:
    """Take a member's seat out of its browser, for the next one who sits there, as in a lab.

    The games go along: the next one owns nothing of them, and cannot speak for who sat there.
    """
    with transaction.atomic():
        member = _held(member)
        _put(member, f"left-{new_key()}", "", timezone.now())
    touch(member.room_id)


def allow_move(room: Room, member: Member) -> None:
    """Let a seat move to the next browser that comes with its external id, for a while and once."""
    if member.external_id and not member.withdrawn_at:
        until = timezone.now() + ALLOWED_FOR
        Member.objects.filter(pk=member.pk).update(movable_until=until)
        note(room, Kind.ALLOWED, member)
        touch(room)


def first_seat_of(room: Room, session: str) -> Member | None:
    """Return whose seat began at a browser and is elsewhere now."""
    if not session:
        return None
    return Member.objects.select_related("room").filter(room=room, first_session=session).first()


def settles_at(member: Member, session: str) -> datetime | None:
    """Return until when a seat that has moved cannot leave a study from a browser; None: it can."""
    if member.moved_at is None or session == member.first_session:
        return None
    at = member.moved_at + SETTLES_AFTER
    return at if at > timezone.now() else None


def note(room: Room, kind: SeatEvent.Kind, member: Member | None = None) -> None:
    """Write down what happened to a seat, or to the door where nobody's seat was meant."""
    if kind in (Kind.UNFILLED, Kind.LIMITED):
        since = timezone.now() - SELDOM
        if SeatEvent.objects.filter(room=room, kind=kind, at__gt=since).exists():
            return
    SeatEvent.objects.create(room=room, kind=kind, member=member)


def _held(member: Member) -> Member:
    rows = Member.objects.select_for_update(of=("self",)).select_related("room")
    return rows.get(pk=member.pk)


def _put(member: Member, session: str, first: str, moved_at: datetime | None) -> None:
    old, member.session = member.session, session
    member.first_session, member.moved_at = first, moved_at
    member.save(update_fields=["session", "first_session", "moved_at"])
    games = Game.objects.filter(Q(in_room__seller=member) | Q(in_room__buyer=member))
    if old:
        sessions.move_seats(old, session, games)
