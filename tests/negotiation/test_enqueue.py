"""Asking the workers: never in the way, and it says when nobody could be asked."""

import queue
from collections.abc import Iterator

import pytest

from bazaar_site import celery_app
from negotiation import enqueue
from replays.tasks import grade_game


@pytest.fixture
def no_broker() -> Iterator[None]:
    before = celery_app.conf.broker_url
    celery_app.conf.broker_url = "redis://127.0.0.1:1/0"
    celery_app._after_fork()  # forgets its open connections
    yield
    celery_app.conf.broker_url = before
    celery_app._after_fork()


def test_a_task_that_could_be_put_into_its_queue() -> None:
    assert enqueue.enqueue(grade_game, "nosuchgame12", later_s=1)


@pytest.mark.usefixtures("no_broker")
def test_a_broker_that_is_away_is_told() -> None:
    assert not enqueue.enqueue(grade_game, "nosuchgame12")


def test_too_many_that_wait_are_dropped(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    full: queue.Queue[object] = queue.Queue(1)
    full.put(None)
    monkeypatch.setattr(enqueue, "_waiting", full)
    enqueue.enqueue_soon(grade_game, "nosuchgame12")
    assert "one is dropped" in caplog.text
