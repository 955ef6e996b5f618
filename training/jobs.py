"""Evaluations in the background: asked for by staff, played one at a time by the worker.

The rows are the queue. A worker plays the oldest that waits, as a process of its own that runs
the same command as people do; so a run that hangs can be ended, and one that dies goes on later.
"""

import logging
import subprocess
import sys
import time
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from training import runs
from training.evaluation.folder import LOG
from training.models import Run
from training.run_lock import Busy, alone

log = logging.getLogger(__name__)

QUEUE = "training"
LOOK_EVERY_S = 0.5
PATIENCE_S = 10.0
"""A cancelled run has so long to stop by itself, and as long again after a polite signal."""

MOST_WAITING = 20

HARD_END = "It was cancelled and had to be ended; resume it any time."


class TooMany(ValueError):
    """So many runs wait that another one would be forgotten."""


def check_room() -> None:
    """Refuse another run while too many wait.

    Raises:
        TooMany: with how many.
    """
    waiting = Run.objects.filter(status=Run.Status.QUEUED).count()
    if waiting >= MOST_WAITING:
        raise TooMany(f"{waiting} runs wait already; cancel some or wait.")


def work() -> int:
    """Play the runs that wait, oldest first, unless another process of this machine does.

    Returns:
        How many were played.
    """
    folder = Path(settings.RUNS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    played = 0
    try:
        with alone(folder):
            runs.mark_lost()
            while (run := _next()) is not None:
                if runs.claim(run):
                    _play(run)
                    played += 1
    except Busy:
        log.info("another process plays; it will take the next run")
    return played


def _next() -> Run | None:
    waiting = Run.objects.filter(kind="evaluate", status=Run.Status.QUEUED)
    return waiting.order_by("created_at").first()


def _play(run: Run) -> None:
    folder = runs.folder_of(run)
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "manage.py", "evaluate", "--resume", run.pk, "--background"]
    with (folder / LOG).open("ab") as output:
        child = subprocess.Popen(  # noqa: S603  our own command
            command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL, stderr=output
        )
        try:
            status = _watch(run, child)
        finally:
            # Whatever ends the worker's task ends the run with it.
            _end(child)
    _settle(run, status)


def _watch(run: Run, child: subprocess.Popen[bytes]) -> int:
    """Wait for the end of a run; one that was cancelled and does not stop is ended."""
    asked: float | None = None
    row = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING)
    while True:
        try:
            return child.wait(LOOK_EVERY_S)
        except subprocess.TimeoutExpired:
            pass
        # Starting up it gives no sign of its own yet.
        row.update(alive_at=timezone.now())
        if row.filter(cancel_asked=True).exists():
            asked = asked or time.monotonic()
            if time.monotonic() - asked > PATIENCE_S:
                _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is not None:
        return
    child.terminate()
    try:
        child.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _settle(run: Run, status: int) -> None:
    """Say of a run whose process ended without a word that it did."""
    left = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING)
    ended = {"ended_at": timezone.now(), "cancel_asked": False}
    cancelled = left.filter(cancel_asked=True)
    if not cancelled.update(status=Run.Status.CANCELLED, note=HARD_END, **ended):
        note = f"Its process ended with {status}; resume it any time."
        left.update(status=Run.Status.INTERRUPTED, note=note, **ended)
