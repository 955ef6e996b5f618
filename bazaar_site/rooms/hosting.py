"""A room from its host's side."""

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest

from bazaar_site.rooms.models import Room


def own_room(request: HttpRequest, code: str) -> Room:
    """Return a host's own room, or raise Http404: another's looks like none."""
    user = request.user
    room = None
    if isinstance(user, User) and user.is_active:
        room = Room.objects.filter(host=user, code=code.upper()).first()
    if room is None:
        raise Http404
    return room
