"""Grading a stored game: claimed once, never lost, never in the way."""

import datetime as dt
from collections.abc import Collection, Iterator

import pytest
from django.utils import timezone
from kombu.simple import SimpleQueue

from bazaar_site import celery_app
from bazaarbatna.bargain.moves import Walk
from negotiation import enqueue
from negotiation.bargain import sessions
from negotiation.bargain.recorded import Record
from negotiation.games.lease import Lease
from negotiation.models import EventRow, Game
from replays.grade import jobs
from replays.grade.jobs import method
from replays.grade.moves import GradedMove
from replays.models import Grading
from tests.support.builders import ASHA, a_started_sale
from tests.support.finished import Playing, a_haggle, a_scenario, store

pytestmark = pytest.mark.django_db


@pytest.fixture
def broker() -> Iterator[str]:
    """A broker in this process's memory; the test may name another one instead."""
    before = celery_app.conf.broker_url
    celery_app.conf.broker_url = "memory://grades"
    celery_app._after_fork()  # forgets its open connections
    yield "memory://grades"
    celery_app.conf.broker_url = before
    celery_app._after_fork()


def row_of(game: Game) -> Grading:
    return Grading.objects.get(game=game)


def test_a_finished_sale_is_graded_once() -> None:
    game = store(a_haggle())
    assert jobs.run(game.pk)
    row = row_of(game)
    assert (row.status, row.method, row.attempts) == ("done", method(), 1)
    result = jobs.result_of_row(row)
    assert result is not None
    assert [(move.seq, move.actor) for move in result.moves] == [
        (2, "buyer"), (3, "seller"), (5, "buyer"), (9, "seller"), (10, "buyer"), (11, "seller"),
    ]  # fmt: skip
    assert [(one.actor, one.width) for one in result.standings] == [
        ("seller", 50000), ("buyer", 50000),
    ]  # fmt: skip
    assert not jobs.run(game.pk)


def test_what_has_not_ended_gets_no_grades() -> None:
    live = store(Playing(a_scenario()))
    assert not jobs.run(live.pk)
    assert not jobs.run("nosuchgame")
    assert not Grading.objects.exists()


@pytest.mark.parametrize("source", [Game.Source.WHAT_IF, Game.Source.IMPORT])
def test_forks_and_imports_are_graded_only_when_somebody_looks(source: str) -> None:
    game = store(a_haggle())
    Game.objects.filter(pk=game.pk).update(source=source)
    assert not jobs.run(game.pk)
    jobs.ask(game)
    assert jobs.run(game.pk)


def test_a_game_that_a_living_grader_has_claimed_is_left_to_it() -> None:
    game = store(a_haggle())
    until = timezone.now() + dt.timedelta(seconds=10)
    row = Grading.objects.create(game=game, status="running", claimed_until=until, attempts=1)
    assert not jobs.run(game.pk)
    assert not jobs.is_overdue(row)
    assert jobs.state_of(row) == "waiting"


def test_the_claim_of_a_dead_grader_runs_out() -> None:
    game = store(a_haggle())
    until = timezone.now() - dt.timedelta(seconds=1)
    row = Grading.objects.create(game=game, status="running", claimed_until=until, attempts=1)
    assert jobs.is_overdue(row)
    assert jobs.run(game.pk)
    assert row_of(game).attempts == 2


def test_a_grader_renews_its_claim_while_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    game, claims = store(a_haggle()), []
    graded = jobs.grade

    def watched(record: Record, closed: Collection[int]) -> Iterator[GradedMove]:
        for move in graded(record, closed):
            claims.append(row_of(game).claimed_until)
            yield move

    monkeypatch.setattr(jobs, "grade", watched)
    monkeypatch.setattr(jobs, "GRADER", Lease(seconds=0.0, until="claimed_until"))
    assert jobs.run(game.pk)
    assert claims == sorted(set(claims))
    assert len(claims) == 6
    assert row_of(game).claimed_until is None


def test_a_game_that_ends_its_graders_is_given_up() -> None:
    game = store(a_haggle())
    until = timezone.now() - dt.timedelta(seconds=1)
    row = Grading.objects.create(game=game, status="running", claimed_until=until, attempts=3)
    assert not jobs.run(game.pk)
    assert jobs.state_of(row) == "failed"


def test_a_log_that_cannot_be_played_is_failed_not_asked_for_for_ever() -> None:
    game = store(a_haggle())
    EventRow.objects.filter(game=game, seq=3).delete()
    assert not jobs.run(game.pk)
    assert jobs.state_of(row_of(game)) == "failed"
    assert not jobs.run(game.pk)
    assert row_of(game).attempts == 1


def test_grades_of_an_older_method_are_made_again() -> None:
    game = store(a_haggle())
    Grading.objects.create(game=game, status="done", method="grades@0#old", result={}, attempts=1)
    assert jobs.state_of(row_of(game)) == "waiting"
    assert jobs.wanted(game) is None
    row = jobs.ask(game)
    assert jobs.result_of_row(row) is None
    assert jobs.run(game.pk)
    assert row_of(game).method == method()


@pytest.mark.django_db(transaction=True)
def test_the_end_of_a_game_asks_the_worker_for_its_grades(broker: str) -> None:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Walk("no"))
    with celery_app.connection_for_read() as connection:
        letters: SimpleQueue = connection.SimpleQueue(celery_app.conf.task_default_queue)
        asked = ""
        # Letters of other tests, and to others who hear of the end, may lie there too.
        while asked != game.pk:
            letter = letters.get(timeout=5)
            letter.ack()
            if letter.headers["task"] == "replays.tasks.grade_game":
                (asked,), *_ = letter.decode()
        letters.close()


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_costs_nobody_the_move(
    broker: str, caplog: pytest.LogCaptureFixture
) -> None:
    celery_app.conf.broker_url = "redis://127.0.0.1:1/0"
    celery_app._after_fork()
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Walk("no"))
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    enqueue._waiting.join()
    assert "could not be asked" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_the_web_process_can_grade_a_game_itself() -> None:
    game = store(a_haggle())
    work = jobs.grade_soon(game.pk)
    assert work is not None
    again = jobs.grade_soon(game.pk)
    assert again is work or again is None or not again.result(20)
    assert work.result(20)
    assert row_of(game).status == "done"
