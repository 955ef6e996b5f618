"""Background jobs of the board."""

from celery import shared_task

from training.leaderboard import refreshing


@shared_task(ignore_result=True)
def rate_people() -> None:
    """Count the games that ended and rate the people on the board."""
    refreshing.refresh_people()
