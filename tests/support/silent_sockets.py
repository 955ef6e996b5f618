"""People who ask for more and more and never read an answer."""

import asyncio
import json
import threading
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.support.servers import Site

ASKS = json.dumps({"type": "sync", "after": 0})
FULL_AFTER_S = 0.5
"""A line that takes nothing for so long is full in both directions."""


class SilentSockets:
    """``with SilentSockets(site, paths, cookies)``: one for each path, in a thread of its own.

    Each asks for its whole game again until nothing goes through any more, holds the line open,
    and comes back when it is cut off. ``cut_off`` counts that.
    """

    def __init__(self, site: Site, lines: list[tuple[str, str]]) -> None:
        self.site = site
        self.lines = lines
        self.cut_off = 0
        self.asked = 0
        self._ends = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._all()), daemon=True)

    def __enter__(self) -> "SilentSockets":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join(10)

    async def _all(self) -> None:
        crowd = [asyncio.create_task(self._one(path, cookies)) for path, cookies in self.lines]
        await asyncio.to_thread(self._ends.wait)
        for one in crowd:
            one.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    async def _one(self, path: str, cookies: str) -> None:
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                line = await connect(
                    f"{self.site.ws_url}{path}",
                    additional_headers={"Cookie": cookies},
                    proxy=None,
                    max_queue=1,
                    ping_interval=None,
                    close_timeout=0.1,
                )
                try:
                    await self._until_cut_off(line)
                    self.cut_off += 1
                finally:
                    line.transport.abort()
            await asyncio.sleep(1)

    async def _until_cut_off(self, line: ClientConnection) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(line.send(ASKS), FULL_AFTER_S)
                self.asked += 1
                await asyncio.sleep(0.01)
