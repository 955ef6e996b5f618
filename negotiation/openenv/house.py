"""The one room of this process, with the operator's limits."""

import functools
from typing import Any

from django.conf import settings

from negotiation.openenv.room import Room
from negotiation.openenv.shelf import Shelf
from negotiation.openenv.socket import EnvironmentSocket

MINUTE_S = 60.0


@functools.cache
def the_room() -> Room:
    """Give the room that sockets and HTTP sessions of this process share."""
    return Room(settings.ENV_SESSIONS, settings.ENV_SESSIONS_PER_CLIENT)


@functools.cache
def the_shelf() -> Shelf:
    """Give the HTTP sessions of this process."""
    return Shelf(the_room(), settings.ENV_IDLE_MINUTES * MINUTE_S)


async def environment_socket(scope: Any, receive: Any, send: Any) -> None:
    """Serve a connection to ``/env/bazaar/ws``."""
    await EnvironmentSocket(the_room(), settings.ENV_IDLE_MINUTES * MINUTE_S)(scope, receive, send)
