"""Finding a room by its code, so that nobody finds one by trying.

Wrong codes are counted by address, right ones never. Where an address has tried too many, people
who are in a room already stay in, and the square to scan still opens: it carries a key.
"""

from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from bazaar_site.rooms.errors import UnknownCode
from bazaar_site.rooms.joining import member_of
from bazaar_site.rooms.models import CODE_LENGTH, Room
from negotiation.games.visitors import visitor
from negotiation.limits import check, request_key, spend

DOOR = "door"
"""The field of an address that carries a room's key."""


def find_room(request: HttpRequest, code: str) -> Room:
    """Return the room with this code.

    UnknownCode: there is none; RateLimited: this address has tried too many.
    """
    client = request_key(request)
    room = Room.objects.filter(code=read_code(code)).first()
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


def _has_key(request: HttpRequest, room: Room) -> bool:
    given = request.POST.get(DOOR) or request.GET.get(DOOR) or ""
    return constant_time_compare(given, key_of_door(room))


def _is_in(request: HttpRequest, room: Room) -> bool:
    return room.host_id == request.user.pk or member_of(room, visitor(request)) is not None
