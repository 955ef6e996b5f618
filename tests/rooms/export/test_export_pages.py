"""The zip and the page of a room's data: for its host alone, sent while it is made."""

import datetime as dt
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import AsyncClient, Client
from django.utils import timezone

from negotiation.models import Game
from rooms.export.checking import check
from rooms.models import Answer, Member, Room, Study
from tests.support.class_rooms import a_room
from tests.support.studies import a_deal, a_participant, a_study, an_answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def room() -> Room:
    study = a_study()
    asha, ravi = (a_participant(study.room, name) for name in ("Asha", "Ravi"))
    a_deal(study.room, asha, ravi)
    an_answer(asha, "fair", 5)
    return study.room


@pytest.fixture
def desk(room: Room) -> Client:
    client = Client()
    client.force_login(room.host)
    return client


def test_one_click_gives_a_zip_that_plays_again(room: Room, desk: Client, tmp_path: Path) -> None:
    response = desk.get(f"/rooms/{room.code}/export/")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/zip"
    assert f"study-{room.code.lower()}.zip" in response["Content-Disposition"]
    assert "no-store" in response["Cache-Control"]
    body = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        assert packed.testzip() is None
        assert {Path(name).parts[0] for name in packed.namelist()} == {f"study-{room.code.lower()}"}
    (tmp_path / "study.zip").write_bytes(body)
    found = check(tmp_path / "study.zip")
    assert (found.faults, found.games) == ([], 1)


@pytest.mark.parametrize(
    ("query", "times"),
    [("", "exact"), ("times=minute", "minute"), ("times=x", "exact"), ("public=1", "day")],
)
def test_times_are_cut_as_asked(room: Room, desk: Client, query: str, times: str) -> None:
    response = desk.get(f"/rooms/{room.code}/export/?{query}")
    body = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        told = packed.read(f"study-{room.code.lower()}/study.json")
    assert json.loads(told)["times"] == times


@pytest.mark.django_db(transaction=True)
async def test_it_is_sent_piece_by_piece_by_an_async_server(room: Room) -> None:
    client = AsyncClient()
    await client.aforce_login(room.host)
    response = await client.get(f"/rooms/{room.code}/export/")
    assert response.is_async  # type: ignore[attr-defined]
    pieces = [piece async for piece in response.streaming_content]  # type: ignore[attr-defined]
    assert len(pieces) > 5
    assert zipfile.ZipFile(io.BytesIO(b"".join(pieces))).testzip() is None


@pytest.mark.parametrize("path", ["export/", "data/", "data/delete/"])
def test_nobody_else_learns_that_there_is_a_room(room: Room, path: str) -> None:
    other = get_user_model().objects.create_user("other", password="open sesame")
    stranger, guest, member = Client(), Client(), Client()
    stranger.force_login(other)
    first = room.members.first()
    assert first is not None
    for client in (stranger, guest, member):
        assert client.get(f"/rooms/{room.code}/{path}").status_code == 404
        assert client.post(f"/rooms/{room.code}/{path}").status_code in (404, 405)
    assert Room.objects.filter(pk=room.pk).exists()


def test_the_page_says_what_is_in_it_and_what_is_not(room: Room, desk: Client) -> None:
    silent = a_participant(room, "Zorawar", consented_at=None)
    first = room.members.first()
    assert first is not None
    a_deal(room, first, silent, number=2)
    page = desk.get(f"/rooms/{room.code}/data/").content.decode()
    assert "One person who did not agree" in page
    assert "One game in which somebody did not agree" in page
    assert f"/rooms/{room.code}/export/" in page
    for member in room.members.all():
        assert member.key not in page
        assert member.external_id not in page


def test_trial_runs_and_who_left_are_counted_apart(room: Room, desk: Client) -> None:
    a_participant(room, "Nila", end="screened")
    a_participant(room, "Omar", withdrawn_at=timezone.now())
    tester = a_participant(room, "Tester", is_pilot=True)
    a_deal(room, tester, "sauda", number=2)
    page = desk.get(f"/rooms/{room.code}/data/")
    told = page.context["summary"]
    assert (told.people, told.finished, told.withdrawn, told.games) == (4, 2, 1, 1)
    assert (told.pilots, told.pilot_games) == (1, 1)
    assert "people of a trial run" in page.content.decode()


def test_a_class_without_a_study_has_no_data(desk: Client) -> None:
    room = a_room("Monday class")
    assert "has no study" in desk.get(f"/rooms/{room.code}/data/").content.decode()
    response = desk.get(f"/rooms/{room.code}/export/")
    assert response.status_code == 302
    assert response["Location"] == f"/rooms/{room.code}/data/"


def test_the_host_sets_the_last_day(room: Room, desk: Client) -> None:
    day = timezone.localdate() + dt.timedelta(days=30)
    response = desk.post(f"/rooms/{room.code}/data/", {"keep_until": day.isoformat()})
    assert response.status_code == 302
    room.refresh_from_db()
    assert room.keep_until == day
    for wrong in ("", "soon", "2020-01-01", "2199-01-01"):
        response = desk.post(f"/rooms/{room.code}/data/", {"keep_until": wrong})
        assert response.status_code == 422
        assert "problem" in response.content.decode()
    room.refresh_from_db()
    assert room.keep_until == day


def test_a_room_is_deleted_only_when_it_is_said_twice(room: Room, desk: Client) -> None:
    page = desk.get(f"/rooms/{room.code}/data/delete/").content.decode()
    assert "2 people, 1 games" in page or "2 people, 1 game" in page
    assert Room.objects.filter(pk=room.pk).exists()
    response = desk.post(f"/rooms/{room.code}/data/delete/")
    assert response["Location"] == "/rooms/"
    for kind in (Room, Member, Study, Answer, Game):
        assert kind.objects.count() == 0  # type: ignore[attr-defined]
