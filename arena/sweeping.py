"""Finds matches whose process has died: one task per process, begun by the first visitor."""

import asyncio
import logging
from collections.abc import Callable

from django.db import DatabaseError

from arena import leases
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

SWEEP_EVERY_S = 1.5

_sweeper: list[asyncio.Task[None]] = []


def begin(start: Callable[[str], None]) -> None:
    """Sweep from now on, on this event loop; asking again does nothing.

    Args:
        start: runs a match on this event loop, unless it runs here already.
    """
    if _sweeper and not _sweeper[0].done():
        return
    _sweeper[:] = [asyncio.get_running_loop().create_task(_sweep(start), name="arena sweeper")]


async def _sweep(start: Callable[[str], None]) -> None:
    while True:
        try:
            for match_id in await in_thread(leases.orphans)():
                start(match_id)
        except DatabaseError:
            log.warning("matches were not swept", exc_info=True)
        await asyncio.sleep(SWEEP_EVERY_S)
