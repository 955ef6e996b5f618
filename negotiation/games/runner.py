"""Runs games by themselves in this process: one task for each, until it has nothing more to do.

A task begins by taking the game's lease (``games.lease``). A process that dies lets it run out;
the sweep of any process that serves such games finds it and goes on from the log.
"""

import asyncio
import contextvars
import functools
import logging
from collections.abc import Awaitable, Callable

from django.db import DatabaseError

from negotiation.games.lease import RUNNER, renewing
from negotiation.games.notify import server_loop
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

SWEEP_EVERY_S = 1.5
"""How often a process looks for games whose process has died; begun by its first visitor."""


class Runners:
    """The games of one kind, called ``name`` in the log, that this process runs.

    ``play`` plays a game on until there is nothing more to do. ``claim`` takes its lease in a
    thread (False: nothing to run here), ``renew`` holds on to it (False: another process has it);
    without ``renew``, ``play`` sees to its own lease. ``orphans`` finds games that somebody should
    run; without it whoever looks at a game starts it. With ``repeats`` a game that was asked for
    while it ran is played once more.
    """

    def __init__(
        self,
        name: str,
        play: Callable[[str], Awaitable[None]],
        *,
        claim: Callable[[str], bool] = lambda game_id: True,
        renew: Callable[[str], bool] | None = None,
        orphans: Callable[[], list[str]] | None = None,
        repeats: bool = False,
    ) -> None:
        self.name = name
        self._play = play
        self._claim = claim
        self._renew = renew
        self._orphans = orphans
        self._repeats = repeats
        self._running: dict[str, asyncio.Task[None]] = {}
        self._asked_again: set[str] = set()
        self._sweeper: asyncio.Task[None] | None = None

    def start(self, game_id: str) -> bool:
        """Run a game on this event loop; False when it runs here already."""
        self.sweep()
        if game_id in self._running:
            # What runs may have looked at the log before the news that brought us here.
            self._asked_again.add(game_id)
            return False
        task = asyncio.get_running_loop().create_task(
            self._run(game_id), name=f"{self.name} {game_id}"
        )
        self._running[game_id] = task
        task.add_done_callback(functools.partial(self._forget, game_id))
        return True

    def start_from_thread(self, game_id: str) -> None:
        """Run it on the server's event loop; without a server somebody else's sweep finds it."""
        loop = server_loop()
        if loop is not None:
            loop.call_soon_threadsafe(self.start, game_id)

    def sweep(self) -> None:
        """From now on take over games whose process has died; asking again does nothing."""
        if self._orphans is None:
            return
        if self._sweeper is None or self._sweeper.done():
            self._sweeper = asyncio.get_running_loop().create_task(
                self._sweep(self._orphans),
                name=f"{self.name} sweeper",
                # On behalf of nobody, whoever happened to come first.
                context=contextvars.Context(),
            )

    def sweep_from_thread(self) -> None:
        """The same, asked by a plain view; without a server there is nothing to run."""
        loop = server_loop()
        if loop is not None:
            loop.call_soon_threadsafe(self.sweep)

    async def _run(self, game_id: str) -> None:
        again = True
        while again:
            self._asked_again.discard(game_id)
            await self._run_once(game_id)
            again = self._repeats and game_id in self._asked_again
        # In the same step of the loop as the last look: later news start a task of their own.
        del self._running[game_id]

    async def _run_once(self, game_id: str) -> None:
        if self._renew is None:
            await self._play(game_id)
        elif await in_thread(self._claim)(game_id):
            async with renewing(RUNNER, functools.partial(self._renew, game_id), game_id):
                await self._play(game_id)

    async def _sweep(self, orphans: Callable[[], list[str]]) -> None:
        while True:
            try:
                for game_id in await in_thread(orphans)():
                    self.start(game_id)
            except DatabaseError:
                log.warning("a sweep failed", exc_info=True, extra={"games": self.name})
            await asyncio.sleep(SWEEP_EVERY_S)

    def _forget(self, game_id: str, task: "asyncio.Task[None]") -> None:
        # Only a task that failed is still here; the name may also belong to the next task by now.
        if self._running.get(game_id) is task:
            del self._running[game_id]
        self._asked_again.discard(game_id)
        if not task.cancelled() and (wrong := task.exception()):
            log.error("a game broke off", exc_info=wrong, extra={"game": game_id})
