"""The event loop that serves the site: plain views start work of live games on it."""

import asyncio

_server_loop: list[asyncio.AbstractEventLoop] = []


def server_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that serves the site; None where there is no server."""
    loop = _server_loop[0] if _server_loop else None
    return loop if loop is not None and loop.is_running() else None


def remember_loop() -> None:
    """Keep the running event loop as the server's."""
    _server_loop[:] = [asyncio.get_running_loop()]
