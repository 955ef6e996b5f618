"""A run's process ends with whoever started it, also when that one is killed; no Django here."""

import os
import signal
import stat
import threading
import time

LINE = 0
"""File descriptor of the line to the parent: standard input, where that is a pipe."""

PATIENCE_S = 8.0
"""So long may the run take to write down that it was interrupted."""


def end_with_parent() -> None:
    """Listen for the end of the parent: the line that it holds breaks, however it dies."""
    if stat.S_ISFIFO(os.fstat(LINE).st_mode):
        threading.Thread(target=_listen, name="line to the parent", daemon=True).start()


def _listen() -> None:
    while os.read(LINE, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE_S)
    os.kill(os.getpid(), signal.SIGKILL)
