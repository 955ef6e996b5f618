"""Runs in the background: asked for by staff, played one at a time by the worker.

The rows are the queue. A worker plays the oldest that waits for nobody, as a process of its own
that runs the same command as people do; so a run that hangs can be ended, and one that dies goes
on later.
"""

import logging
import time
from pathlib import Path

from django.conf import settings

from training.jobs.chains import pin_plan
from training.jobs.supervising import is_stopping, play
from training.models import EVALUATE, KINDS, Run
from training.run_lock import Busy, alone
from training.runs import lifecycle

log = logging.getLogger(__name__)

MOST_WAITING = 40
LOOK_EVERY_S = 0.5


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
    """Pin the plan of the evaluation at a chain's end, which the model before it decides."""
    if run.config.get("stage") != EVALUATE:
        return True
    try:
        pin_plan(run)
    except (ValueError, OSError) as wrong:
        lifecycle.end(run, Run.Status.FAILED, str(wrong))
        return False
    return True
