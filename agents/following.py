"""A server's look at the operator's choice of a model, every few seconds.

Whether or not somebody plays: who starts a game finds the chosen model loaded.
"""

import atexit
import logging
import threading
from collections.abc import Callable

from django.db import connections

log = logging.getLogger(__name__)

EVERY_S = 2.0


class Follower:
    """Calls a function every ``EVERY_S`` seconds on a thread of its own.

    Args:
        look: reads the switches and acts on them; it may use the database.
    """

    def __init__(self, look: Callable[[], object]) -> None:
        self._look = look
        self._ended = threading.Event()
        self._troubled = False
        self._thread = threading.Thread(target=self._live, name="sauda-follows", daemon=True)

    def start(self) -> None:
        """Begin."""
        atexit.register(self.stop)
        self._thread.start()

    def stop(self) -> None:
        """End; waits for the look under way."""
        self._ended.set()
        self._thread.join(EVERY_S)

    def _live(self) -> None:
        while not self._ended.wait(EVERY_S):
            try:
                self._look()
                self._troubled = False
            # A site without its database stays up and says so elsewhere; once is enough here.
            except Exception:
                if not self._troubled:
                    log.exception("the operator's switches cannot be read")
                self._troubled = True
                connections.close_all()
        connections.close_all()
