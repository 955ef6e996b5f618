"""Runs in the background, one at a time, each a process of its own that is watched to its end.

The rows are the queue. A worker plays the oldest that waits for nobody with the command that
people use; so a run that hangs can be ended, and one that dies goes on later.
"""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.utils import timezone

from negotiation.secret_values import scrub
from negotiation.sentences import sentences
from training.evaluation.folder import LOG
from training.jobs.chains import pin_plan
from training.models import EVALUATE, KINDS, Run, command_of
from training.runs import lifecycle
from training.runs.lifecycle import Busy, alone, is_held

say = sentences(__file__)

log = logging.getLogger(__name__)

MOST_WAITING = 40
LOOK_EVERY_S = 0.5
PATIENCE_S = 10.0
"""A cancelled run has so long to stop by itself, and as long again after a polite signal."""

HARD_END = say.text("hard_end")
_worker: int | None = None


def play(run: Run) -> None:
    """Play a run that this process has claimed, to whatever end."""
    folder = lifecycle.folder_of(run)
    folder.mkdir(parents=True, exist_ok=True)
    name = command_of(run.config)
    command = [sys.executable, "manage.py", name, "--resume", run.pk, "--background"]
    # Its standard input is the line to this process (training.runs.lifecycle); what it says goes
    # through here, so that no secret gets into the log. Of an evaluation only the complaints: it
    # writes its own log.
    is_silent = not run.what.is_stage
    child = subprocess.Popen(  # noqa: S603  our own command
        command,
        cwd=settings.BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL if is_silent else subprocess.PIPE,
        stderr=subprocess.PIPE if is_silent else subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    said = child.stderr if is_silent else child.stdout
    assert child.stdin is not None
    assert said is not None
    with child.stdin, _written_down(said, folder / LOG):
        try:
            status = _watch(run, child)
        finally:
            # Whatever ends the worker's task ends the run with it.
            _end(child)
    _settle(run, status)


@contextmanager
def _written_down(lines: IO[str], path: Path) -> Iterator[None]:
    # Lines go to a log as they come, without secrets.

    def copy() -> None:
        with lines, path.open("a") as log:
            for line in lines:
                log.write(scrub(line))
                log.flush()

    copying = threading.Thread(target=copy, name="log of a run", daemon=True)
    copying.start()
    try:
        yield
    finally:
        # A process that the run has left behind may hold the line for longer.
        copying.join(PATIENCE_S)


def _watch(run: Run, child: subprocess.Popen[str]) -> int:
    # One that was cancelled and does not stop is ended.
    asked: float | None = None
    row = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING)
    while True:
        try:
            return child.wait(LOOK_EVERY_S)
        except subprocess.TimeoutExpired:
            pass
        if is_stopping():
            _end(child)
        if _is_cancelled(row):
            asked = asked or time.monotonic()
            # One that is still starting up has nothing to finish, and would not look for long.
            is_starting = not is_held(lifecycle.folder_of(run))
            if is_starting or time.monotonic() - asked > PATIENCE_S:
                _end(child)


def _is_cancelled(row: QuerySet[Run]) -> bool:
    try:
        # Starting up it gives no sign of its own yet.
        row.update(alive_at=timezone.now())
        return row.filter(cancel_asked=True).exists()
    except DatabaseError:
        connection.close_if_unusable_or_obsolete()
        return False


def _end(child: subprocess.Popen[str]) -> None:
    if child.poll() is not None:
        return
    child.terminate()
    try:
        child.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _settle(run: Run, status: int) -> None:
    # For a run whose process ended without a word that it did.
    left = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING)
    ended = {"ended_at": timezone.now(), "cancel_asked": False}
    cancelled = left.filter(cancel_asked=True)
    if not cancelled.update(status=Run.Status.CANCELLED, note=HARD_END, **ended):
        note = f"Its process ended with {status}; resume it any time."
        left.update(status=Run.Status.INTERRUPTED, note=note, **ended)


# A worker that stops tells its children by a file with its number beside the runs: they play, and
# only it hears that it shall stop. One that is killed tells nobody: they notice another parent.


def remember_worker() -> None:
    """Note, in a child of a worker, whose child it is."""
    global _worker  # noqa: PLW0603  a fact of the process
    _worker = os.getppid()


def announce() -> None:
    """Note, in a worker, that it is stopping."""
    _file(os.getpid()).touch()


def forget() -> None:
    """Say, in a worker that starts, that it is not, whoever had its number before."""
    _file(os.getpid()).unlink(missing_ok=True)


def is_stopping() -> bool:
    """Whether, in a child of a worker, the worker is stopping, or gone."""
    if _worker is not None and os.getppid() != _worker:
        return True
    return _file(os.getppid()).exists()


def _file(worker: int) -> Path:
    folder = Path(settings.RUNS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f".stopping-{worker}"


class TooMany(ValueError):
    """So many runs wait that another one would be forgotten."""


def check_room() -> None:
    """Refuse another run while too many wait, or raise ``TooMany`` with how many."""
    waiting = Run.objects.filter(kind__in=KINDS, status=Run.Status.QUEUED).count()
    if waiting >= MOST_WAITING:
        raise TooMany(f"{waiting} runs wait already; cancel some or wait.")


def work() -> int:
    """Play the runs that wait, oldest first, unless another process of this machine does."""
    folder = Path(settings.RUNS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    lifecycle.mark_lost()
    played = 0
    # Asked again after the lock is given back: whoever knocked meanwhile was sent away.
    while lifecycle.next_waiting() is not None and not is_stopping():
        try:
            with alone(folder):
                played += _play_all()
        except Busy:
            log.info("another process plays; it will take the next run")
            break
    return played


def _play_all() -> int:
    played = 0
    while not is_stopping() and (run := lifecycle.next_waiting()) is not None:
        if lifecycle.at_work_here():
            # Begun in a terminal, or about to notice that its worker was killed.
            time.sleep(LOOK_EVERY_S)
        elif lifecycle.claim(run) and _is_ready(run):
            play(run)
            played += 1
    return played


def _is_ready(run: Run) -> bool:
    # The model before it decides the plan of the evaluation at a chain's end.
    if run.config.get("stage") != EVALUATE:
        return True
    try:
        pin_plan(run)
    except (ValueError, OSError) as wrong:
        lifecycle.end(run, Run.Status.FAILED, str(wrong))
        return False
    return True
