"""Who may look: the host always, members once the room is open; everybody else finds nothing."""

import msgspec
from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from negotiation.games.visitors import visitor
from negotiation.models import Game
from replays.finished import register_reader
from rooms.hosting import NO_ROOM, own_room_or_none
from rooms.models import Room, RoomGame


class Looker(msgspec.Struct, frozen=True):
    """Somebody who may look at a room's debrief."""

    room: Room
    is_host: bool


def looker_of(request: HttpRequest, code: str) -> Looker:
    """Return who looks at a room's debrief; ``Http404`` where it is not theirs to see."""
    if (own := own_room_or_none(request, code)) is not None:
        return Looker(own, is_host=True)
    room = Room.objects.filter(code=code.upper()).first()
    if room is not None and room.is_open and _is_member(visitor(request), room):
        return Looker(room, is_host=False)
    raise Http404(gettext(NO_ROOM))


def _is_member(session: str, room: Room) -> bool:
    return (
        bool(session)
        and room.members.filter(session=session, withdrawn_at=None, is_removed=False).exists()
    )


def _opens(session: str, game: Game) -> Game | None:
    """Return a finished game of a room as its host and, once it is open, its members may see it."""
    played = RoomGame.objects.filter(game=game.pk).select_related("room").first()
    if played is None:
        return None
    room = played.room
    leads = room.desk_session == session or room.cohosts.filter(session=session).exists()
    if not leads and not (room.is_open and _is_member(session, room)):
        return None
    if not room.is_named:
        game.names = {}
    return game


def register() -> None:
    """Let the replays ask here before they refuse somebody."""
    register_reader(_opens)
