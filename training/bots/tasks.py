"""Background jobs of the bots."""

from celery import shared_task

from training.bots import playing

QUEUE = "training"


@shared_task(soft_time_limit=140, time_limit=170)
def play_on(run_id: str) -> None:
    """Play with a bot for a while, then queue up again behind the others."""
    match playing.advance(run_id):
        case "again":
            play_on.apply_async((run_id,), queue=QUEUE, retry=False)
        case "later":
            # Somebody else is at it; if that process is dead, this letter takes its place.
            later_s = round(playing.HELD_S)
            play_on.apply_async((run_id,), queue=QUEUE, countdown=later_s, retry=False)
        case "over":
            pass
