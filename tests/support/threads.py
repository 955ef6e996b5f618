"""The threads of live games between two tests."""

import asyncio
import threading

from django.db import connections

from negotiation.threads import WORKERS, in_thread


async def let_go_of_connections() -> None:
    """Close the database connections that these threads keep: the next test may have none."""
    together = threading.Barrier(WORKERS)

    def close() -> None:
        # All threads at once, so that each of them comes by.
        together.wait(timeout=10)
        connections.close_all()

    await asyncio.gather(*(in_thread(close)() for _ in range(WORKERS)))
