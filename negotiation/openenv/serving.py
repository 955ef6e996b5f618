"""What serves one kind of environment in this process, with the operator's limits."""

import functools
from typing import Any

from django.conf import settings

from negotiation.openenv.kinds import A, AnyKind, Kind, O, R, W
from negotiation.openenv.shared_shelf import SharedShelf
from negotiation.openenv.shelf import Room, Shelf
from negotiation.openenv.socket import EnvironmentSocket

MINUTE_S = 60.0

AnyShelf = Shelf[Any, Any, Any, Any] | SharedShelf[Any, Any, Any, Any]


@functools.cache
def room_of(kind: AnyKind) -> Room:
    """Return the room that sockets and HTTP sessions of a kind share in this process."""
    return Room(settings.ENV_SESSIONS, settings.ENV_SESSIONS_PER_CLIENT)


def shelf_of(kind: Kind[R, W, A, O]) -> Shelf[R, W, A, O] | SharedShelf[R, W, A, O]:
    """Return the HTTP sessions of a kind: of this process, or with Redis those of all processes."""
    return _shelf_of(kind)


@functools.cache
def _shelf_of(kind: AnyKind) -> AnyShelf:
    idle_s = settings.ENV_IDLE_MINUTES * MINUTE_S
    if not settings.REDIS_URL:
        return Shelf(kind, room_of(kind), idle_s)
    return SharedShelf(
        kind,
        settings.REDIS_URL,
        most=settings.ENV_SESSIONS,
        most_per_client=settings.ENV_SESSIONS_PER_CLIENT,
        idle_s=idle_s,
    )


def forget_all() -> None:
    """Forget all sessions of this process."""
    room_of.cache_clear()
    _shelf_of.cache_clear()


async def serve_socket(kind: AnyKind, scope: Any, receive: Any, send: Any) -> None:
    """Serve one connection."""
    room, shelf = room_of(kind), shelf_of(kind)
    # Games in Redis are counted apart and take no place here.
    enter = shelf.enter if isinstance(shelf, Shelf) else room.enter
    idle_s = settings.ENV_IDLE_MINUTES * MINUTE_S
    await EnvironmentSocket(kind, room, idle_s, enter=enter)(scope, receive, send)
