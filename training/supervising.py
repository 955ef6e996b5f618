"""One run as a process of its own, watched from its beginning to its end."""

import subprocess
import sys
import time

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.utils import timezone

from training import runs
from training.evaluation.folder import LOG
from training.models import Run
from training.stopping import is_stopping

LOOK_EVERY_S = 0.5
PATIENCE_S = 10.0
"""A cancelled run has so long to stop by itself, and as long again after a polite signal."""

HARD_END = "It was cancelled and had to be ended; resume it any time."


def play(run: Run) -> None:
    """Play a run that this process has claimed, to whatever end."""
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
        if is_stopping():
            _end(child)
        if _is_cancelled(row):
            asked = asked or time.monotonic()
            if time.monotonic() - asked > PATIENCE_S:
                _end(child)


def _is_cancelled(row: QuerySet[Run]) -> bool:
    try:
        # Starting up it gives no sign of its own yet.
        row.update(alive_at=timezone.now())
        return row.filter(cancel_asked=True).exists()
    except DatabaseError:
        connection.close_if_unusable_or_obsolete()
        return False


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
