"""Asking the background worker to play with a bot, without holding up whoever asks."""

import logging
import threading
import time

from django.utils import timezone
from kombu.exceptions import KombuError, OperationalError

from training.bots.models import Play
from training.bots.plays import is_under_way, waiting_tables
from training.bots.tasks import QUEUE, play_on

log = logging.getLogger(__name__)

AGAIN_AFTER_S = 60.0
"""A play that nobody holds for so long may have lost its letter."""

_posted_at: dict[str, float] = {}


def post(run_id: str) -> None:
    """Have a play gone on with soon."""
    now = time.monotonic()
    for other, posted_at in list(_posted_at.items()):
        if now - posted_at >= AGAIN_AFTER_S:
            _posted_at.pop(other, None)  # holds nothing back any more
    _posted_at[run_id] = now
    threading.Thread(target=_carry, args=(run_id,), name="bot letter", daemon=True).start()


def remind(play: Play) -> None:
    """Write again for a play that waits though nobody holds it; called by whoever looks.

    A client's play waits for the worker only when its games are over. However often somebody
    looks, there is one letter in ``AGAIN_AFTER_S``.
    """
    if not is_under_way(play) or (play.bot.calls_us and waiting_tables(play).exists()):
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
