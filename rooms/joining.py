"""People come in: with a code and a nickname, without an account; one browser is one member."""

import unicodedata

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext

from negotiation.errors import Busy
from negotiation.names import name_key
from negotiation.words import clean_text
from rooms import presence
from rooms.errors import AlreadyIn, BadNickname, NicknameTaken, Removed, RoomFull, RoomOver
from rooms.hosting import plan_of
from rooms.models import Member, Room, new_key

LONGEST_NICKNAME = 24

MOST_PEOPLE = 500
"""In any room: beyond that one machine is not enough."""

NAMES_OF_THE_HOUSE = frozenset(map(name_key, ("Sauda", "host", "teacher", "BazaarBATNA")))
"""Nobody plays under a name that would speak for the house or the host."""

_TRIES = 8


def join(
    room: Room, nickname: str, session: str, *, external_id: str = "", is_pilot: bool = False
) -> Member:
    """Let somebody in, once: who is in already is returned. "" draws a nickname.

    Raises:
        RoomOver, RoomFull: nobody comes in.
        Removed: the host has sent this browser out.
        BadNickname, NicknameTaken: another nickname is needed.
        AlreadyIn: this external id belongs to another browser.
    """
    for _ in range(_TRIES):
        known = member_of(room, session)
        if known is not None:
            return _back(known)
        try:
            with transaction.atomic():
                return _seat(room, nickname, session, external_id, is_pilot=is_pilot)
        except IntegrityError:
            continue  # somebody took the same number or name at the same moment
    raise Busy


def reserve(room: Room, nickname: str) -> Member:
    """Keep a seat for somebody who comes by the personal link; errors as of ``join``."""
    with transaction.atomic():
        member = _seat(room, nickname, "", "", is_pilot=False)
        Member.objects.filter(pk=member.pk).update(**presence.leaving(), seen_at=None)
    return member


def member_of(room: Room, session: str) -> Member | None:
    """Return who sits at a browser, also who has left; None: a stranger."""
    if not session:
        return None
    return Member.objects.select_related("room__study").filter(room=room, session=session).first()


def leave(member: Member) -> None:
    """Let a member go; the same browser may come back."""
    Member.objects.filter(pk=member.pk).update(left_at=timezone.now(), **presence.leaving())
    _touch(member)


def is_full(room: Room) -> bool:
    """Whether all chairs are taken: who left, withdrew or has done all there is to do has none."""
    most = min(plan_of(room).most or MOST_PEOPLE, MOST_PEOPLE)
    return room.members.filter(left_at=None, withdrawn_at=None, finished_at=None).count() >= most


def clean_nickname(text: str) -> str:
    """Return a nickname as it is shown: one line, visible characters, no more than fit."""
    return clean_text(unicodedata.normalize("NFKC", text[:200]), LONGEST_NICKNAME)


def key_of(nickname: str) -> str:
    """Fold a nickname so that those which look alike become equal; emoji stay what they are."""
    return (name_key(nickname) or "".join(nickname.casefold().split()))[:80]


def _back(member: Member) -> Member:
    if member.is_removed:
        raise Removed
    if member.left_at is not None:
        if member.room.state == Room.State.OVER:
            raise RoomOver
        Member.objects.filter(pk=member.pk).update(left_at=None, **presence.arriving())
        member.left_at = None
        _touch(member)
    return member


def _seat(room: Room, nickname: str, session: str, external_id: str, *, is_pilot: bool) -> Member:
    here = Room.objects.select_for_update().get(pk=room.pk)
    known = member_of(here, session)
    if known is not None:
        return _back(known)  # another tab of this browser was faster
    if here.state == Room.State.OVER:
        raise RoomOver
    if external_id and here.members.filter(external_id=external_id, is_pilot=is_pilot).exists():
        raise AlreadyIn
    if is_full(here):  # whoever has left keeps the number, not the chair
        raise RoomFull
    number = (here.members.aggregate(last=Max("number"))["last"] or 0) + 1
    shown = _free_nickname(here, nickname, number)
    member = Member.objects.create(
        room=here,
        number=number,
        nickname=shown,
        name_key=key_of(shown),
        key=new_key(),
        session=session,
        external_id=external_id,
        is_pilot=is_pilot,
        **presence.arriving(),
    )
    # Whose seat began here, and is elsewhere, has nothing to do with this browser any more.
    here.members.filter(first_session=session).update(first_session="")
    _touch(member)
    return member


def _free_nickname(room: Room, wanted: str, number: int) -> str:
    shown = clean_nickname(wanted)
    if not shown:
        if wanted.strip():
            raise BadNickname
        return _numbered(room, gettext("Guest"), number)
    key = key_of(shown)
    if not key or not any(unicodedata.category(c)[0] in "LNS" for c in shown):
        raise BadNickname
    if key in NAMES_OF_THE_HOUSE or room.members.filter(name_key=key).exists():
        raise NicknameTaken(_numbered(room, shown[: LONGEST_NICKNAME - 4], 2))
    return shown


def _numbered(room: Room, name: str, number: int) -> str:
    taken = set(room.members.values_list("name_key", flat=True))
    while key_of(f"{name} {number}") in taken:
        number += 1
    return f"{name} {number}"


def _touch(member: Member) -> None:
    Room.objects.filter(pk=member.room_id).update(version=F("version") + 1)
