"""Background jobs of the bots."""

from celery import shared_task
from django.conf import settings

from training.bots import playing

QUEUE = "training"


ANSWER_S = settings.BOTS["answer_s"]

SOFT_S = round(playing.WHILE_S + ANSWER_S + playing.SUMMED_UP_S)
"""A conversation ends at most one answer after its time; the result may be summed up after it."""

HARD_S = round(SOFT_S + ANSWER_S + playing.GOODBYE_S)
"""After ``SOFT_S`` the bot is hung up on, which takes one answer again."""


@shared_task(soft_time_limit=SOFT_S, time_limit=HARD_S)
def play_on(run_id: str) -> None:
    """Play with a bot for a while, then queue up again behind the others."""
    match playing.advance(run_id):
        case "again":
            play_on.apply_async((run_id,), queue=QUEUE, retry=False)
        case "later":
            # Somebody else is at it, or it took too long; if that process is dead, this letter
            # takes its place.
            later_s = round(playing.HELD_S)
            play_on.apply_async((run_id,), queue=QUEUE, countdown=later_s, retry=False)
        case "over":
            pass
