"""Background jobs of the training room; they wait in the queue ``training``."""

from celery import shared_task

from training import jobs

A_WEEK_S = 7 * 24 * 3600


# Acknowledged when it begins: a run whose worker is killed is resumed by people, not by chance.
@shared_task(acks_late=False, soft_time_limit=A_WEEK_S, time_limit=A_WEEK_S + 60)
def evaluate_next() -> None:
    """Play the evaluations that wait; says nothing back, their rows tell."""
    jobs.work()
