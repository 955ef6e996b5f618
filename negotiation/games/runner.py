"""Runs games by themselves in this process: one task for each, until it has nothing more to do.

A task begins by taking the game's lease (``games.lease``). A process that dies lets it run out;
the sweep of any process that serves such games finds it and goes on from the log.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from django.db import DatabaseError

from negotiation.games.lease import renewing
from negotiation.games.server_loop import server_loop
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

SWEEP_EVERY_S = 1.5
"""How often a process looks for games whose process has died; begun by its first visitor."""


class Runners:
    """The games of one kind that this process runs.

    Args:
        name: of such a game, for the log.
        play: plays a game on until there is nothing more to do; called while the lease lasts.
        claim: takes the lease of a game, in a thread; False when there is nothing to run here.
        renew: holds on to it; False when another process has taken it over.
        orphans: finds games that somebody should run.
    """

    def __init__(
        self,
        name: str,
        play: Callable[[str], Awaitable[None]],
        *,
        claim: Callable[[str], bool],
        renew: Callable[[str], bool],
        orphans: Callable[[], list[str]],
    ) -> None:
        self.name = name
        self._play = play
        self._claim = claim
        self._renew = renew
        self._orphans = orphans
        self._running: dict[str, asyncio.Task[None]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    def start(self, game_id: str) -> None:
        """Run a game on this event loop, unless it runs here already."""
        self.sweep()
        if game_id in self._running:
            return
        task = asyncio.get_running_loop().create_task(
            self._run(game_id), name=f"{self.name} {game_id}"
        )
        self._running[game_id] = task
        task.add_done_callback(lambda done: self._forget(game_id, done))

    def start_from_thread(self, game_id: str) -> None:
        """Run it on the server's event loop; without a server somebody else's sweep finds it."""
        loop = server_loop()
        if loop is not None:
            loop.call_soon_threadsafe(self.start, game_id)

    def sweep(self) -> None:
        """From now on take over games whose process has died; asking again does nothing."""
        if self._sweeper is None or self._sweeper.done():
            self._sweeper = asyncio.get_running_loop().create_task(
                self._sweep(), name=f"{self.name} sweeper"
            )

    def sweep_from_thread(self) -> None:
        """The same, asked by a plain view; without a server there is nothing to run."""
        loop = server_loop()
        if loop is not None:
            loop.call_soon_threadsafe(self.sweep)

    async def _run(self, game_id: str) -> None:
        if await in_thread(self._claim)(game_id):
            async with renewing(lambda: self._renew(game_id), game_id):
                await self._play(game_id)

    async def _sweep(self) -> None:
        while True:
            try:
                for game_id in await in_thread(self._orphans)():
                    self.start(game_id)
            except DatabaseError:
                log.warning("a sweep failed", exc_info=True, extra={"games": self.name})
            await asyncio.sleep(SWEEP_EVERY_S)

    def _forget(self, game_id: str, task: asyncio.Task[None]) -> None:
        self._running.pop(game_id, None)
        if not task.cancelled() and (wrong := task.exception()):
            log.error("a game broke off", exc_info=wrong, extra={"game": game_id})
