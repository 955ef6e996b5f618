"""What is over its time goes, with everything that hangs on it, and nothing else."""

import datetime as dt
from types import SimpleNamespace
from typing import Any

import pytest
from celery import Celery
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.models import Model
from django.utils import timezone
from kombu.asynchronous import Hub

from negotiation.models import EventRow, Game, GameAnswer, LineThumb, SealedRecord
from rooms import tasks
from rooms.export.forgetting import forget_due
from rooms.models import Answer, Member, Room, RoomGame, Study
from rooms.tasks import forget_due_rooms, forget_old_sessions
from tests.support.studies import a_deal, a_participant, a_study, an_answer

pytestmark = pytest.mark.django_db

EVERYTHING: tuple[type[Model], ...] = (
    Room, Member, RoomGame, Study, Answer, Game, EventRow, SealedRecord, LineThumb,
    GameAnswer,
)  # fmt: skip


def a_full_room(keep_until: dt.date | None) -> Room:
    """A study with a pair, a what-if of its game, a thumb and an answer."""
    room = a_study().room
    asha, ravi = (a_participant(room, f"{name} {room.code}") for name in ("Asha", "Ravi"))
    played = a_deal(room, asha, ravi)
    Game.objects.create(owner="else", title="what if", policy="sauda", parent=played.game)
    LineThumb.objects.create(game=played.game, seq=2, rater=asha.session, thumb="up")
    GameAnswer.objects.create(game=played.game, side="seller", question="self", value=4)
    an_answer(asha, "fair", 5)
    Room.objects.filter(pk=room.pk).update(keep_until=keep_until)
    room.refresh_from_db()
    return room


def counts() -> dict[str, int]:
    """How many rows of each kind there are."""
    return {kind.__name__: kind._default_manager.count() for kind in EVERYTHING}


def yesterday() -> dt.date:
    return timezone.localdate() - dt.timedelta(days=1)


def test_only_a_room_whose_last_day_is_over_goes_and_all_of_it() -> None:
    a_full_room(timezone.localdate())
    a_full_room(None)
    kept = counts()
    a_full_room(yesterday())
    assert counts() != kept
    assert forget_due() == 1
    assert counts() == kept
    assert forget_due() == 0


def test_the_command_says_first_and_deletes_when_told(capsys: pytest.CaptureFixture[str]) -> None:
    room = a_full_room(yesterday())
    before = counts()
    call_command("forget_rooms")
    said = capsys.readouterr().out
    assert f"would delete {room.code}" in said
    assert "2 people, 1 games, 1 answers" in said
    assert counts() == before
    call_command("forget_rooms", yes=True)
    assert f"deleted {room.code}" in capsys.readouterr().out
    assert set(counts().values()) == {0}
    call_command("forget_rooms")
    assert "No room is over its time" in capsys.readouterr().out


def test_a_person_goes_with_all_her_games_and_answers(capsys: pytest.CaptureFixture[str]) -> None:
    room = a_full_room(None)
    asha, ravi = room.members.order_by("number")
    other = a_deal(room, ravi, "sauda", number=2)
    call_command("forget_member", f"{room.code}-{asha.number}")
    assert "Would delete number 1" in capsys.readouterr().out
    assert Member.objects.count() == 2
    call_command("forget_member", asha.pk, yes=True)
    assert list(Member.objects.all()) == [ravi]
    assert list(RoomGame.objects.all()) == [other]
    assert set(Game.objects.values_list("pk", flat=True)) == {other.game_id}
    assert Answer.objects.count() == LineThumb.objects.count() == 0
    with pytest.raises(CommandError, match="Nobody"):
        call_command("forget_member", asha.pk)


def test_the_worker_does_it_without_a_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    a_full_room(yesterday())
    forget_due_rooms()
    assert Room.objects.count() == 0
    asked: list[Any] = []
    monkeypatch.setattr(tasks, "enqueue_soon", asked.append)
    app = Celery(set_as_current=False)
    app.amqp.queues.select([settings.LONG_WORK_QUEUE])
    worker = SimpleNamespace(app=app, hub=Hub())
    tasks.forget_every_hour(worker)
    assert not worker.hub.timer.queue, "the worker of long tasks has other things to do"
    app.amqp.queues.select([settings.CELERY_TASK_DEFAULT_QUEUE])
    tasks.forget_every_hour(worker)
    first, hourly = sorted(worker.hub.timer.queue)
    assert hourly.eta - first.eta == pytest.approx(tasks.EVERY_S - tasks.FIRST_S, abs=60)
    first.entry()
    assert asked == [forget_due_rooms, forget_old_sessions]
    hourly.entry()
    assert asked == [forget_due_rooms, forget_old_sessions] * 2
    [again] = (one for one in worker.hub.timer.queue if one.eta > hourly.eta)
    assert again.eta - hourly.eta <= tasks.EVERY_S
