"""What serves one kind of environment in this process, with the operator's limits."""

from typing import Any

from django.conf import settings

from negotiation.openenv.kinds import A, AnyKind, Kind, O, R, W
from negotiation.openenv.room import Room
from negotiation.openenv.shared_shelf import SharedShelf
from negotiation.openenv.shelf import Shelf
from negotiation.openenv.socket import EnvironmentSocket

MINUTE_S = 60.0

AnyShelf = Shelf[Any, Any, Any, Any] | SharedShelf[Any, Any, Any, Any]


def make_room() -> Room:
    """Make the room that sockets and HTTP sessions of a kind share."""
    return Room(settings.ENV_SESSIONS, settings.ENV_SESSIONS_PER_CLIENT)


def make_shelf(kind: Kind[R, W, A, O], room: Room) -> Shelf[R, W, A, O] | SharedShelf[R, W, A, O]:
    """Make the HTTP sessions: of this process, or with Redis those of all processes."""
    idle_s = settings.ENV_IDLE_MINUTES * MINUTE_S
    if not settings.REDIS_URL:
        return Shelf(kind, room, idle_s)
    return SharedShelf(
        kind,
        settings.REDIS_URL,
        most=settings.ENV_SESSIONS,
        most_per_client=settings.ENV_SESSIONS_PER_CLIENT,
        idle_s=idle_s,
    )


async def serve_socket(
    kind: AnyKind, room: Room, shelf: AnyShelf, scope: Any, receive: Any, send: Any
) -> None:
    """Serve one connection."""
    # Games in Redis are counted apart and take no place here.
    enter = shelf.enter if isinstance(shelf, Shelf) else room.enter
    idle_s = settings.ENV_IDLE_MINUTES * MINUTE_S
    await EnvironmentSocket(kind, room, idle_s, enter=enter)(scope, receive, send)
