"""The bazaar's one room of this process."""

import functools
from typing import Any

from negotiation.environment.actions import Action
from negotiation.environment.resets import Reset
from negotiation.environment.seat import Answer
from negotiation.openenv.bazaar import BAZAAR
from negotiation.openenv.room import Room
from negotiation.openenv.serving import make_room, make_shelf, serve_socket
from negotiation.openenv.shared_shelf import SharedShelf
from negotiation.openenv.shelf import Shelf

BazaarShelf = Shelf[Reset, Action, Action, Answer] | SharedShelf[Reset, Action, Action, Answer]


@functools.cache
def the_room() -> Room:
    """Give the room that sockets and HTTP sessions of this process share."""
    return make_room()


@functools.cache
def the_shelf() -> BazaarShelf:
    """Give the HTTP sessions."""
    return make_shelf(BAZAAR, the_room())


async def environment_socket(scope: Any, receive: Any, send: Any) -> None:
    """Serve a connection to ``/env/bazaar/ws``."""
    await serve_socket(BAZAAR, the_room(), the_shelf(), scope, receive, send)
