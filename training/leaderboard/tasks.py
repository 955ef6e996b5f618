"""Background jobs of the board."""

from celery import shared_task

from negotiation.enqueue import enqueue
from training.leaderboard import people, policy_table, sparring


@shared_task(ignore_result=True)
def rate_all() -> None:
    """Count the games that ended, and rate whoever has new results."""
    people.refresh_people()
    if sparring.is_due():
        enqueue(spar)
    policy_table.refresh_policies()


@shared_task(ignore_result=True, soft_time_limit=300, time_limit=330)
def spar() -> None:
    """Let the site's players play in people's chairs, and rate people beside them."""
    if sparring.refresh():
        people.refresh_people()
