"""Something that stands in front of a site and passes bytes on, in a thread of its own."""

import asyncio
import contextlib
import ssl
import threading
from types import TracebackType
from typing import Self


class Front:
    """Listens while it is entered, so that callers may block; ``meet`` does the rest."""

    secured: ssl.SSLContext | None = None

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=type(self).__name__)
        self._server: asyncio.Server
        self._talks: set[asyncio.Task[None]] = set()
        self._ends: set[asyncio.StreamWriter] = set()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.sockets[0].getsockname()[1])

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection to its end."""
        raise NotImplementedError

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
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self.secured)

    async def _close(self) -> None:
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        # What a dead peer never read would keep a socket open for ever.
        for end in self._ends:
            end.transport.abort()
        await asyncio.sleep(0)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        assert talk is not None
        self._talks.add(talk)
        self._ends.add(writer)
        talk.add_done_callback(self._talks.discard)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                await self.meet(reader, writer)
        finally:
            _close_once(writer)

    async def pass_on(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        port: int,
        first: bytes = b"",
    ) -> None:
        """Join a connection to a port of this machine, which hears ``first`` before the rest."""
        answers, behind = await asyncio.open_connection("127.0.0.1", port)
        self._ends.add(behind)
        behind.write(first)
        async with asyncio.TaskGroup() as ways:
            ways.create_task(_pipe(reader, behind))
            ways.create_task(_pipe(answers, writer))


async def _pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            while data := await source.read(65_536):
                target.write(data)
                await target.drain()
    finally:
        _close_once(target)


def _close_once(end: asyncio.StreamWriter) -> None:
    """Close an end; Python 3.11.2 cannot abort an encrypted one that was closed twice."""
    if not end.is_closing():
        end.close()
