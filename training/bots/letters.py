"""Asking the background worker to play with a bot, without holding up whoever asks."""

import logging
import threading
import time

from django.utils import timezone
from kombu.exceptions import KombuError, OperationalError

from training.bots.models import Play
from training.bots.plays import is_under_way
from training.bots.tasks import QUEUE, play_on

log = logging.getLogger(__name__)

AGAIN_AFTER_S = 60.0
"""A play that nobody holds for so long may have lost its letter."""

_posted_at: dict[str, float] = {}


def post(run_id: str) -> None:
    """Have a play gone on with soon."""
    _posted_at[run_id] = time.monotonic()
    threading.Thread(target=_carry, args=(run_id,), name="bot letter", daemon=True).start()


def remind(play: Play) -> None:
    """Write again for a play that waits though nobody holds it; called by whoever looks."""
    if not is_under_way(play) or play.bot.calls_us:
        return
    is_held = play.held_until is not None and play.held_until > timezone.now()
    written = time.monotonic() - _posted_at.get(play.pk, -AGAIN_AFTER_S)
    if not is_held and written >= AGAIN_AFTER_S:
        post(play.pk)


def _carry(run_id: str) -> None:
    try:
        play_on.apply_async((run_id,), queue=QUEUE, retry=False)
    except (KombuError, OperationalError, OSError):
        log.exception("the worker could not be asked to play", extra={"run": run_id})
