"""Background work on a play: its result when its games are over, its check after the repeats."""

import logging
import secrets
from typing import Literal

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone

from negotiation import ttl_cache
from negotiation.enqueue import enqueue as put_into_queue
from negotiation.enqueue import enqueue_soon
from negotiation.games.lease import Lease
from negotiation.sentences import sentences
from training.bots import plays, results, verification
from training.bots.models import Play
from training.models import Run

say = sentences(__file__)

log = logging.getLogger(__name__)

SOFT_S = 115
HARD_S = SOFT_S + 25

HELD = Lease(seconds=60.0, holder="holder")
"""A play that nobody has released for so long has lost its process."""

AGAIN_AFTER_S = 60.0
OUR_FAULT = say.text("our_fault")
Next = Literal["later", "over"]


@shared_task(soft_time_limit=SOFT_S, time_limit=HARD_S)
def play_on(run_id: str) -> None:
    """Bring a play on; tasks queued when bots were still called have this name, and end."""
    if advance(run_id) == "later":
        # Somebody else is at it, or it took too long; if that process is dead, this task takes
        # its place.
        put_into_queue(play_on, run_id, later_s=HELD.seconds)


def advance(run_id: str) -> Next:
    """Sum up what is complete, check what was repeated; safe from any process, any number of times.

    "later" when somebody else holds the play, or when this time was not enough.
    """
    play = Play.objects.select_related("run", "bot").filter(pk=run_id).first()
    if play is None or not _has_work(play):
        return "over"
    if not claim(run_id, secrets.token_hex(8)):
        return "later"
    try:
        # What another process did until a moment ago is read with the play held.
        play.refresh_from_db()
        play.run.refresh_from_db()
        if _has_work(play):
            _advance(play)
    except SoftTimeLimitExceeded:
        log.warning("a play of a bot took longer than its task may", extra={"run": run_id})
        return "later"  # behind all others, with what was kept so far
    # Whatever a stranger's bot brings about, its play must not ask for ever.
    except Exception:
        log.exception("a play of a bot failed", extra={"run": run_id})
        plays.stop(play, Run.Status.FAILED, OUR_FAULT)
        return "over"
    finally:
        # Whoever holds it by now: a bot that has sat down in between has a name of its own.
        Play.objects.filter(pk=run_id).update(held_until=None)
    return "over"


def claim(run_id: str, holder: str) -> bool:
    """Take a play that nobody holds; False when somebody does."""
    # Conditions of this one row only: PostgreSQL looks at them again when it has waited for it.
    return HELD.take(Play.objects.filter(pk=run_id), holder)


def settle(play: Play) -> None:
    """Sum a play up when its games are over, and check it when its repeats are."""
    if plays.waiting_tables(play).exists():
        return
    if plays.is_offline(play):
        if results.close(play):
            verification.give_up(play, plays.OFFLINE)
    elif play.run.status != Run.Status.DONE:
        verification.choose_repeats(play)
        results.close(play)
    else:
        verification.check(play)


def _has_work(play: Play) -> bool:
    if play.bot.withdrawn_at is not None or not plays.is_under_way(play):
        return False
    return not plays.waiting_tables(play).exists()


def _advance(play: Play) -> None:
    if not _begin(play):
        return
    if plays.has_same_suites(play):
        settle(play)
    else:
        verification.end_changed(play)


def _begin(play: Play) -> bool:
    if play.run.status != Run.Status.QUEUED:
        return True
    began = play.run.started_at or timezone.now()
    waiting = Run.objects.filter(pk=play.pk, status=Run.Status.QUEUED)
    if not waiting.update(status=Run.Status.RUNNING, started_at=began):
        return False
    play.run.status = Run.Status.RUNNING
    return True


def enqueue(run_id: str) -> None:
    """Have a play brought on soon, without holding up whoever asks."""
    ttl_cache.put(_queued(run_id))
    enqueue_soon(play_on, run_id)


def remind(play: Play) -> None:
    """Enqueue again a play that waits for the worker; however many look, once in AGAIN_AFTER_S."""
    if not plays.is_under_way(play) or plays.waiting_tables(play).exists():
        return
    if not HELD.is_held(play) and not ttl_cache.is_fresh(_queued(play.pk), AGAIN_AFTER_S):
        enqueue(play.pk)


def _queued(run_id: str) -> str:
    return f"queued:{run_id}"
