"""The threads of live games between two tests."""

import threading

from django.db import connections

from negotiation import threads

PATIENCE_S = 60


def let_go_of_connections() -> None:
    """Close the database connections that these threads keep: the next test may have none."""
    if not threads._pool._threads:
        return
    together = threading.Barrier(threads.WORKERS)

    def close() -> None:
        # All threads at once, so that each of them comes by.
        together.wait(PATIENCE_S)
        connections.close_all()

    closing = [threads._pool.submit(close) for _ in range(threads.WORKERS)]
    for one in closing:
        one.result(2 * PATIENCE_S)
