"""A process at work on a run: alone in its folder, ended with its parent, noted how it ended."""

import os
import signal
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import alone

INTERRUPTED_NOTE = "Interrupted by a signal; resume it any time."
Ending = tuple[str, str]  # Status and note of a run that did not come to its end


class Stopped(RuntimeError):
    """The run was cancelled; resume it any time."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def how_it_ended(error: BaseException) -> Ending:
    """Return in a run's words what stopped it."""
    match error:
        case Stopped():
            return Run.Status.CANCELLED, str(error)
        case KeyboardInterrupt() | SystemExit():
            return Run.Status.INTERRUPTED, INTERRUPTED_NOTE
        case _:
            return Run.Status.FAILED, f"{type(error).__name__}: {error}"


@contextmanager
def at_work(run: Run) -> Iterator[None]:
    """Work on a run; whoever leaves by an error has it noted, and the run can be resumed.

    Call ``lifecycle.beat`` at least every second or two and raise ``Stopped`` when it says False;
    call ``lifecycle.end`` with ``DONE`` at the end. SIGTERM is treated like Ctrl-C. Busy when it is
    taken.
    """
    folder = lifecycle.folder_of(run)
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder), terminable():
        lifecycle.begin(run)
        try:
            yield
        except BaseException as error:
            # What follows the end, as tidying up, does not undo it.
            if run.status != run.Status.DONE:
                status, note = how_it_ended(error)
                if status == Run.Status.INTERRUPTED and lifecycle.is_asked_to_stop(run):
                    # Cancelled as it started, before it had looked: the signal was for that.
                    status, note = how_it_ended(Stopped())
                lifecycle.end(run, status, note)
            raise


@contextmanager
def terminable() -> Iterator[None]:
    """Treat a polite end (SIGTERM) like Ctrl-C, where this is the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


LINE = 0  # File descriptor of the line to the parent: standard input, where that is a pipe
PATIENCE_S = 8.0  # So long may the run take to write down that it was interrupted


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
