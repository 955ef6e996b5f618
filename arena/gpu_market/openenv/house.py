"""The market's one room of this process; it shares no place with the bazaar's."""

import functools
from typing import Any

from arena.gpu_market.environment.actions import Turn
from arena.gpu_market.environment.resets import MarketReset
from arena.gpu_market.environment.seat import MarketAnswer
from arena.gpu_market.openenv.market import MARKET, Wire
from negotiation.openenv.room import Room
from negotiation.openenv.serving import make_room, make_shelf, serve_socket
from negotiation.openenv.shared_shelf import SharedShelf
from negotiation.openenv.shelf import Shelf

OwnShelf = Shelf[MarketReset, Wire, Turn, MarketAnswer]
SameShelf = SharedShelf[MarketReset, Wire, Turn, MarketAnswer]


@functools.cache
def market_room() -> Room:
    """Give the room that sockets and HTTP sessions of this process share."""
    return make_room()


@functools.cache
def market_shelf() -> OwnShelf | SameShelf:
    """Give the HTTP sessions."""
    return make_shelf(MARKET, market_room())


async def market_socket(scope: Any, receive: Any, send: Any) -> None:
    """Serve a connection to ``/env/market/ws``."""
    await serve_socket(MARKET, market_room(), market_shelf(), scope, receive, send)
