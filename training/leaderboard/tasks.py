"""Background jobs of the board."""

from celery import shared_task

from training.leaderboard import refreshing


@shared_task(ignore_result=True)
def rate_all() -> None:
    """Count the games that ended, and rate whoever has new results."""
    refreshing.refresh_people()
    refreshing.refresh_policies()
