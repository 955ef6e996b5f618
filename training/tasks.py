"""Background jobs of the training room; they wait in the queue ``training``."""

from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_shutting_down

from training import jobs, stopping

A_WEEK_S = 7 * 24 * 3600


# Acknowledged when it begins: a run whose worker is killed is resumed by people, not by chance.
@shared_task(acks_late=False, soft_time_limit=A_WEEK_S, time_limit=A_WEEK_S + 60)
def evaluate_next() -> None:
    """Play the evaluations that wait; says nothing back, their rows tell."""
    jobs.work()


@worker_init.connect
def begin(**_: Any) -> None:
    """A worker that starts is not stopping, whoever had its number before."""
    stopping.forget()


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """Let what plays in this worker's children know, so that it stops in time to say so."""
    stopping.announce()
