"""The worker for long work: a sign of life of its own, and a look at what waits when it starts."""

import threading
from pathlib import Path
from queue import Empty
from types import SimpleNamespace

import pytest
from celery import Celery

from bazaar_site import celery_app, worker_beat
from training import tasks


def a_worker_of(queue: str) -> SimpleNamespace:
    """What Celery hands to those who ask for a worker's beginning."""
    app = Celery("a site", broker="memory://", set_as_current=False)
    app.amqp.queues.select([queue])
    return SimpleNamespace(app=app)


def beats() -> bool:
    return any(one.name == "worker beat" for one in threading.enumerate())


@pytest.mark.parametrize(
    ("queue", "alive"),
    [("bazaar", {"worker"}), ("training", {"training"}), ("another", set())],
)
def test_a_worker_gives_the_sign_of_the_queue_it_works_at(
    settings: object, tmp_path: Path, queue: str, alive: set[str]
) -> None:
    settings.QUEUE_DIR = tmp_path  # type: ignore[attr-defined]
    settings.REDIS_URL = None  # type: ignore[attr-defined]
    worker_beat.start(sender=a_worker_of(queue))
    try:
        assert beats() == bool(alive)
    finally:
        worker_beat.stop()
        for thread in threading.enumerate():
            if thread.name == "worker beat":
                thread.join(10)
    assert {part for part in ("worker", "training") if worker_beat.is_working(part)} == alive


def letters_taken_from(queue: str) -> int:
    """Read every letter that lies in a queue."""
    taken = 0
    with celery_app.connection_for_read() as line, line.SimpleQueue(queue) as box:
        while True:
            try:
                box.get(block=False).ack()
            except Empty:
                return taken
            taken += 1


@pytest.mark.parametrize(("queue", "letters"), [("training", 2), ("bazaar", 0)])
def test_a_worker_that_starts_looks_at_the_runs_that_wait(queue: str, letters: int) -> None:
    letters_taken_from("training")
    tasks.look(sender=a_worker_of(queue))
    assert letters_taken_from("training") == letters
