"""The way into a room: by its code, so that nobody finds one by trying, and to the own seat.

Wrong codes are counted by address, right ones never. Where an address has tried too many, people
who are in a room already stay in, and the square to scan still opens: it carries a key.
"""

from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from negotiation.games.visitors import visitor
from negotiation.limits import check, request_key, spend
from rooms import homework
from rooms.errors import UnknownCode
from rooms.hosting import plan_of, start
from rooms.models import CODE_LENGTH, Member, Room
from rooms.seating import pairing

DOOR = "door"
"""The field of an address that carries a room's key."""

SEATS = "room-seats"
"""The field of a session with the rooms in which this browser had a seat once."""


def find_room(request: HttpRequest, code: str) -> Room:
    """Return the room with this code.

    UnknownCode: there is none; RateLimited: this address has tried too many.
    """
    client = request_key(request)
    room = Room.objects.select_related("study").filter(code=read_code(code)).first()
    if room is not None:
        homework.keep_time(room)
    if room is not None and (_has_key(request, room) or _is_in(request, room)):
        return room
    check("codes", client)
    if room is None:
        spend("codes", client)
        raise UnknownCode
    return room


def read_code(text: str) -> str:
    """Return a code as people type it, in the letters that codes have.

    >>> read_code(" abc-def ")
    'ABCDEF'
    """
    letters = "".join(c for c in text[:40].upper() if c.isascii() and c.isalpha())
    return letters if len(letters) == CODE_LENGTH else ""


def key_of_door(room: Room) -> str:
    """Return the key that the square to scan carries: 50 bits that nobody guesses."""
    return salted_hmac("bazaar.room-door", room.pk).hexdigest()[:13]


def link_to(request: HttpRequest, room: Room) -> str:
    """Return the whole address that the square leads to."""
    path = f"{reverse('room', args=[room.code])}?{urlencode({DOOR: key_of_door(room)})}"
    return request.build_absolute_uri(path)


def sit_down(request: HttpRequest, member: Member) -> HttpResponse:
    """Lead somebody who has just been let in to the lobby, and see who can play now."""
    found = member.room
    remember_seat(request, member)
    plan = plan_of(found)
    if plan.starts_itself:
        start(found)
    pairing.advance(found)
    response = redirect(found)
    if plan.language in dict(settings.LANGUAGES):
        response.set_cookie(settings.LANGUAGE_COOKIE_NAME, plan.language, samesite="Lax")
    return response


def remember_seat(request: HttpRequest, member: Member) -> None:
    """Note in a browser's session that it had a seat here."""
    request.session[SEATS] = {**request.session.get(SEATS, {}), member.room_id: member.pk}


def _has_key(request: HttpRequest, room: Room) -> bool:
    given = request.POST.get(DOOR) or request.GET.get(DOOR) or ""
    return constant_time_compare(given, key_of_door(room))


def _is_in(request: HttpRequest, room: Room) -> bool:
    session = visitor(request)
    is_member = bool(session) and room.members.filter(session=session).exists()
    return is_member or room.host_id == request.user.pk
