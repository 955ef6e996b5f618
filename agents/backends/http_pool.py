"""Connections that are kept between calls, one pool for each event loop."""

import asyncio
import functools
import ssl
from collections.abc import AsyncGenerator, Callable

import httpx

NewClient = Callable[[], httpx.AsyncClient]

_open_lives: set[AsyncGenerator[httpx.AsyncClient]] = set()
"""Keeps the life of each client from being collected before its loop has ended."""


@functools.cache
def trusted_roots() -> ssl.SSLContext:
    """Read the certificates of the known authorities once per process."""
    return httpx.create_ssl_context(trust_env=False)


class Pools:
    """Gives each event loop a client of its own and closes it when that loop ends.

    A connection belongs to the loop that opened it. A loop that ends in the ordinary way
    (``asyncio.run``, ``async_to_sync``, a test) first closes its asynchronous generators, and
    each client lives in one of those: so nobody has to remember to close it.
    """

    def __init__(self, new_client: NewClient) -> None:
        self._new_client = new_client
        self._clients: dict[asyncio.AbstractEventLoop, httpx.AsyncClient] = {}
        self._lives: dict[asyncio.AbstractEventLoop, AsyncGenerator[httpx.AsyncClient]] = {}

    async def client(self) -> httpx.AsyncClient:
        """Give the client of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._forget_ended_loops()
            self._lives[loop] = life = self._life(loop)
            self._clients[loop] = await anext(life)
        return self._clients[loop]

    async def close(self) -> None:
        """Close every client, each on its own loop; a later call opens new ones."""
        here = asyncio.get_running_loop()
        for loop in list(self._lives):
            if loop is here:
                await self._end(loop)
            elif loop.is_running():
                asyncio.run_coroutine_threadsafe(self._end(loop), loop)

    async def _life(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[httpx.AsyncClient]:
        life = self._lives[loop]
        _open_lives.add(life)
        async with self._new_client() as client:
            try:
                yield client
            finally:
                self._clients.pop(loop, None)
                self._lives.pop(loop, None)
                _open_lives.discard(life)

    async def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        life = self._lives.get(loop)
        if life is not None:
            await life.aclose()

    def _forget_ended_loops(self) -> None:
        """Let go of loops that ended without closing their generators."""
        for loop, life in list(self._lives.items()):
            if loop.is_closed():
                self._clients.pop(loop, None)
                self._lives.pop(loop, None)
                _open_lives.discard(life)
