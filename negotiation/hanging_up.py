"""How sockets end: the close codes of the site, and a line that is told why before it closes."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

CLOSE_AWAY = 4503
"""The database does not answer: try again later."""

CLOSE_STRANGER = 4401
"""No bot has this token."""

CLOSE_UNKNOWN = 4404
"""There is no such game for this visitor."""

CLOSE_IDLE = 4408
"""Nothing was said for too long."""

CLOSE_FULL = 4429
"""Too many connections or sessions."""

UNTIL_HEARD_S = 2.0
"""Who may not stay is told why, and the line closes when they speak, or after so long: a client
that speaks before it listens would hear of the close alone from its library."""

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def hang_up(send: Send, told: str, code: int) -> None:
    """Say why to a client that has just spoken, or has nothing to say, and close."""
    await send({"type": "websocket.send", "text": told})
    await send({"type": "websocket.close", "code": code})


async def turn_away(receive: Receive, send: Send, told: str, code: int) -> None:
    """Say why to a client that has just come and may not stay; close when it has spoken."""
    await send({"type": "websocket.send", "text": told})
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(UNTIL_HEARD_S):
            await receive()
    await send({"type": "websocket.close", "code": code})
