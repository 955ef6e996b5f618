"""Background jobs of the replays."""

from celery import shared_task

from replays.grade import jobs


@shared_task(name="replays.tasks.grade_game", soft_time_limit=30, time_limit=40)
def grade_game(game_id: str) -> None:
    """Grade a finished game; the row holds what comes of it."""
    jobs.run(game_id)
