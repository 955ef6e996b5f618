"""Background jobs of the board."""

from celery import shared_task

from negotiation.enqueue import enqueue
from training.leaderboard import refreshing, sparring


@shared_task(ignore_result=True)
def rate_all() -> None:
    """Count the games that ended, and rate whoever has new results."""
    refreshing.refresh_people()
    if sparring.is_due():
        enqueue(spar)
    refreshing.refresh_policies()


@shared_task(ignore_result=True, soft_time_limit=300, time_limit=330)
def spar() -> None:
    """Let the house's players play in people's chairs, and rate people beside them."""
    if sparring.refresh():
        refreshing.refresh_people()
