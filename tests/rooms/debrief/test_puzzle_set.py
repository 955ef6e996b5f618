"""Puzzles as homework: the same for everybody, the first answer counts, the count is a mark."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from replays.models import PuzzleTry
from replays.puzzles.puzzle import puzzles, themes_of
from rooms import hosting, seats
from rooms.models import Room, SeatEvent
from tests.rooms.debrief.test_feedback import table
from tests.support.rooms import a_browser, a_host, a_room, at_desk, comes_in

pytestmark = pytest.mark.django_db


class Set:
    """A room with a set of four puzzles to walk away in, and Asha at her browser."""

    def __init__(self, count: int = 4, theme: str = "walk") -> None:
        self.room = a_room(a_host())
        self.desk = at_desk(self.room.host)
        self.place = f"/rooms/{self.room.code}/puzzles/"
        assert self.sets(count, theme).status_code == 302
        self.asha = comes_in(self.room, "Asha")

    def sets(self, count: object, theme: str = "") -> Any:
        answer = self.desk.post(self.place, {"count": count, "theme": theme})
        self.room.refresh_from_db()
        return answer

    def solves(self, client: Client, *, rightly: bool = True) -> str:
        """Answer the puzzle that comes next; return its id, "" where there is none."""
        place = client.get(self.place)["Location"]
        if not place.startswith("/puzzles/"):
            return ""
        key = place.strip("/").split("/")[-1]
        one = puzzles()[key]
        client.get(place)
        choice = one.best if rightly else (one.best + 1) % len(one.options)
        client.post(f"/puzzles/{key}/answer/", {"choice": choice})
        return key


def test_everybody_solves_the_same_and_the_count_is_a_mark() -> None:
    group = Set()
    assert len(group.room.puzzles) == 4
    assert all("walk" in themes_of()[key] for key in group.room.puzzles)
    page = group.asha.get(f"/rooms/{group.room.code}/").content.decode()
    assert "Puzzles: 0 of 4 solved" in page
    done = [group.solves(group.asha, rightly=number != 1) for number in range(4)]
    assert done == group.room.puzzles, "easy ones first"
    # After each the button of the puzzle's page leads on in the set, at last to the room.
    assert group.asha.get("/puzzles/next/")["Location"] == group.place
    assert group.asha.get(group.place)["Location"] == f"/rooms/{group.room.code}/"
    assert group.asha.get("/puzzles/next/")["Location"] != group.place
    comes_in(group.room, "Bilal")
    rows = table(group.desk, group.room)
    heads = ("Puzzles answered", "Puzzles solved", "Puzzles solved, percent of the set")
    assert [rows["Asha"][head] for head in heads] == ["4", "3", "75"]
    assert [rows["Bilal"][head] for head in heads] == ["0", "0", "0"]
    page = group.desk.get(group.place).content.decode()
    assert "3 of 4 solved, 4 answered" in page
    late = group.sets(2)
    assert late.status_code == 409, "somebody has begun"
    assert len(group.room.puzzles) == 4


def test_an_answer_after_the_deadline_does_not_count() -> None:
    group = Set()
    key = group.solves(group.asha)
    past = timezone.now() - timedelta(hours=1)
    Room.objects.filter(pk=group.room.pk).update(due_at=past, opens_at=past, alone_from=past)
    assert table(group.desk, group.room)["Asha"]["Puzzles solved"] == "0"
    PuzzleTry.objects.filter(puzzle=key).update(answered_at=past - timedelta(minutes=1))
    assert table(group.desk, group.room)["Asha"]["Puzzles solved"] == "1"
    group.asha.get(f"/rooms/{group.room.code}/")
    assert group.solves(group.asha) == "", "the room is finished"


def test_a_seat_that_moves_takes_its_count_along() -> None:
    group = Set()
    group.solves(group.asha)
    other = a_browser()
    seats.move(group.room.members.get(), str(other.session.session_key), SeatEvent.Kind.BY_LINK)
    group.solves(other)
    assert table(group.desk, group.room)["Asha"]["Puzzles solved"] == "1", "the same one again"
    group.solves(other)
    assert table(group.desk, group.room)["Asha"]["Puzzles solved"] == "2"


@pytest.mark.parametrize("count", ["", "-1", "31", "many"])
def test_a_count_that_cannot_be_is_refused(count: str) -> None:
    group = Set()
    before = group.room.puzzles
    assert group.sets(count).status_code == 422
    assert group.sets(3, "no-such-kind").status_code == 422
    assert group.room.puzzles == before


def test_it_is_the_hosts_to_set_and_its_peoples_to_solve() -> None:
    group = Set()
    assert a_browser().get(group.place).status_code == 404
    assert at_desk(a_host("ravi")).get(group.place).status_code == 404
    assert hosting.copy(group.room, group.room.host).pk != group.room.pk
    again = Room.objects.exclude(pk=group.room.pk).get()
    assert again.puzzles == group.room.puzzles
    assert group.sets(0).status_code == 302
    assert group.room.puzzles == []
    assert "Puzzles:" not in group.asha.get(f"/rooms/{group.room.code}/").content.decode()


def test_a_puzzle_of_a_set_leads_back_to_the_room_and_another_one_does_not() -> None:
    group = Set()
    back = f'href="{group.place}..">Back to the room'  # a folder above: the room
    assert back in group.asha.get(group.place, follow=True).content.decode()
    other = a_browser().get(f"/puzzles/{group.room.puzzles[0]}/").content.decode()
    assert "Back to the room" not in other
