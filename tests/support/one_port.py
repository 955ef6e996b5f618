"""One port in front of several sites: each new connection goes to the next of them."""

import asyncio
import contextlib
import copy
import itertools
import threading
from types import TracebackType
from typing import Self

from tests.support.servers import Site


class OnePort:
    """Passes bytes on, as a load balancer does: ``with OnePort(a, b) as front``.

    It works in a thread of its own, so that callers may block. ``served`` counts the connections
    that each site was given.
    """

    def __init__(self, *sites: Site) -> None:
        self.served = [0] * len(sites)
        self._sites = sites
        self._turn = itertools.cycle(range(len(sites)))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="one port")
        self._server: asyncio.Server
        self._pipes: set[asyncio.Task[None]] = set()

    @property
    def site(self) -> Site:
        """The site as people see it: at the common port."""
        seen = copy.copy(self._sites[0])
        seen.port = int(self._server.sockets[0].getsockname()[1])
        return seen

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)

    async def _close(self) -> None:
        self._server.close()
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(self._turn)
        self.served[number] += 1
        there = await asyncio.open_connection("127.0.0.1", self._sites[number].port)
        for source, target in ((reader, there[1]), (there[0], writer)):
            pipe = asyncio.create_task(_pipe(source, target))
            self._pipes.add(pipe)
            pipe.add_done_callback(self._pipes.discard)


async def _pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65_536):
                target.write(data)
                await target.drain()
    finally:
        target.close()
