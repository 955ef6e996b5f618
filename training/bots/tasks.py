"""Background jobs of the bots."""

from celery import shared_task

from training.bots import playing

QUEUE = "training"


@shared_task(soft_time_limit=140, time_limit=170)
def play_on(run_id: str) -> None:
    """Play with a bot for a while, then queue up again behind the others."""
    if playing.advance(run_id):
        play_on.apply_async((run_id,), queue=QUEUE, retry=False)
