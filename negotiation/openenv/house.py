"""The one room of this process, with the operator's limits."""

import functools
from typing import Any

from django.conf import settings

from negotiation.openenv.room import Room
from negotiation.openenv.shared_shelf import SharedShelf
from negotiation.openenv.shelf import Shelf
from negotiation.openenv.socket import EnvironmentSocket

MINUTE_S = 60.0


@functools.cache
def the_room() -> Room:
    """Give the room that sockets and HTTP sessions of this process share."""
    return Room(settings.ENV_SESSIONS, settings.ENV_SESSIONS_PER_CLIENT)


@functools.cache
def the_shelf() -> Shelf | SharedShelf:
    """Give the HTTP sessions: of this process, or with Redis those of all processes."""
    idle_s = settings.ENV_IDLE_MINUTES * MINUTE_S
    if not settings.REDIS_URL:
        return Shelf(the_room(), idle_s)
    return SharedShelf(
        settings.REDIS_URL,
        most=settings.ENV_SESSIONS,
        most_per_client=settings.ENV_SESSIONS_PER_CLIENT,
        idle_s=idle_s,
    )


async def environment_socket(scope: Any, receive: Any, send: Any) -> None:
    """Serve a connection to ``/env/bazaar/ws``."""
    room, shelf = the_room(), the_shelf()
    # Games in Redis are counted apart and take no place here.
    enter = shelf.enter if isinstance(shelf, Shelf) else room.enter
    socket = EnvironmentSocket(room, settings.ENV_IDLE_MINUTES * MINUTE_S, enter=enter)
    await socket(scope, receive, send)
