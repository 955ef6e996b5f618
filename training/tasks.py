"""Background jobs of the training room; they wait in the queue of long work."""

from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_process_init, worker_ready, worker_shutting_down
from django.conf import settings

from negotiation.enqueue import enqueue
from training.evaluation import spreading
from training.jobs import worker

A_WEEK_S = 7 * 24 * 3600
LOOK_AGAIN_S = 3 * worker.PATIENCE_S  # So long after its start a worker looks a second time


# Acknowledged when it begins: a run whose worker is killed is resumed by people, not by chance.
@shared_task(acks_late=False, soft_time_limit=A_WEEK_S, time_limit=A_WEEK_S + 60)
def play_waiting() -> None:
    """Play the runs that wait; says nothing back, their rows tell."""
    worker.work()


# Unlike a run an order is played again by whoever finds it: nothing is to be redelivered.
@shared_task(acks_late=False, soft_time_limit=600, time_limit=660)
def play_orders(run_id: str) -> None:
    """Play games of a run that somebody spreads over the workers."""
    spreading.help_out(run_id)


@worker_init.connect
def begin(**_: Any) -> None:
    """A worker that starts is not stopping, whoever had its number before."""
    worker.forget()


@worker_ready.connect
def look(sender: Any, **_: Any) -> None:
    """A worker that starts looks at the rows: messages may be lost, runs that wait are not.

    Twice: what a worker left behind that was killed may play for some seconds more.
    """
    if settings.LONG_WORK_QUEUE in sender.app.amqp.queues.consume_from:
        for later_s in (0.0, LOOK_AGAIN_S):
            enqueue(play_waiting, later_s=later_s)


@worker_process_init.connect
def know_the_worker(**_: Any) -> None:
    """A child remembers whose it is, so that it notices when that worker is killed."""
    worker.remember_worker()


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """Let what plays in this worker's children know, so that it stops in time to say so."""
    worker.announce()
