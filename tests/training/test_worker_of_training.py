"""The worker for long work does not speak for the one that visitors wait for."""

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery import Celery

from bazaar_site import worker_beat


def a_worker_of(queue: str) -> SimpleNamespace:
    """What Celery hands to those who ask for a worker's beginning."""
    app = Celery("a site", broker="memory://", set_as_current=False)
    app.amqp.queues.select([queue])
    return SimpleNamespace(app=app)


def beats() -> bool:
    return any(one.name == "worker beat" for one in threading.enumerate())


@pytest.mark.parametrize(("queue", "speaks"), [("bazaar", True), ("training", False)])
def test_only_the_worker_of_the_sites_own_queue_gives_the_sign(
    settings: object, tmp_path: Path, queue: str, speaks: bool
) -> None:
    settings.QUEUE_DIR = tmp_path  # type: ignore[attr-defined]
    settings.REDIS_URL = None  # type: ignore[attr-defined]
    worker_beat.start(sender=a_worker_of(queue))
    try:
        assert beats() == speaks
    finally:
        worker_beat.stop()
        for thread in threading.enumerate():
            if thread.name == "worker beat":
                thread.join(10)
    assert (tmp_path / "beat").exists() == speaks
