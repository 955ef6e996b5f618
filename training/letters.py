"""Asking the background worker to play what waits."""

import logging

from kombu.exceptions import KombuError, OperationalError

from training.jobs.queue import QUEUE
from training.tasks import play_waiting

log = logging.getLogger(__name__)


def ask() -> bool:
    """Knock at the worker; which runs wait is in their rows.

    Returns:
        False when it cannot be reached; the runs wait.
    """
    try:
        play_waiting.apply_async(queue=QUEUE, retry=False)
    except (KombuError, OperationalError, OSError):
        log.exception("the worker could not be asked to play")
        return False
    return True
