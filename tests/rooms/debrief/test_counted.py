"""Who counts: one rule for progress, debrief and gradebook."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.utils import timezone

from negotiation.models import Game
from rooms.debrief.cases import SALES, Part
from rooms.debrief.counted import people_in
from rooms.debrief.gradebook import gradebook
from rooms.debrief.page import debrief_of
from rooms.debrief.progress import progress_of
from rooms.models import Member, Room, RoomGame
from tests.support.class_rooms import a_game, a_member, a_room, bid, takes

DEAL = [bid(1500), takes("seller")]


def named_in(room: Room) -> list[str]:
    """The nicknames of a gradebook."""
    rows = gradebook(people_in(room), [(Part(SALES), [])]).decode("utf-8-sig").splitlines()
    return [row.split(",")[1] for row in rows[1:]]


def counted_in(room: Room) -> tuple[int, int, int]:
    """People in round 1 of the progress, its games, and games of the debrief."""
    progress = progress_of(room)
    return progress.rounds[0].people, progress.finished, debrief_of(room)["totals"].games


def two_play(room: Room, *names: str, **fields: Any) -> list[Member]:
    people = [a_member(room, name, **fields) for name in names]
    a_game(room, people[0], people[1], DEAL)
    return people


@pytest.mark.django_db
def test_pilots_count_nowhere_beside_others() -> None:
    room = a_room()
    two_play(room, "Asha", "Ravi")
    two_play(room, "Try", "Try again", is_pilot=True)
    assert counted_in(room) == (2, 1, 1)
    assert named_in(room) == ["Asha", "Ravi"]


@pytest.mark.django_db
def test_a_room_of_pilots_alone_shows_what_they_did() -> None:
    room = a_room()
    two_play(room, "Try", "Try again", is_pilot=True)
    assert counted_in(room) == (2, 1, 1)
    assert named_in(room) == ["Try", "Try again"]


@pytest.mark.django_db
def test_who_withdrew_is_in_no_row_and_the_game_of_the_other_stays() -> None:
    room = a_room()
    asha, _ = two_play(room, "Asha", "Ravi")
    Member.objects.filter(pk=asha.pk).update(withdrawn_at=timezone.now())
    assert counted_in(room) == (1, 1, 1)
    assert named_in(room) == ["Ravi"]


@pytest.mark.django_db
def test_who_was_taken_out_keeps_what_was_played_and_waits_for_nothing() -> None:
    room = a_room()
    Room.objects.update(plan={**room.plan, "games": 2})
    room.refresh_from_db()
    asha, _ = two_play(room, "Asha", "Ravi")
    Member.objects.filter(pk=asha.pk).update(left_at=timezone.now(), is_removed=True)
    assert counted_in(room) == (2, 1, 1)
    assert named_in(room) == ["Asha", "Ravi"]
    second = progress_of(room).rounds[1]
    assert (second.waiting, second.people) == (1, 1)


@pytest.mark.django_db
def test_whose_seat_the_house_took_plays_no_more() -> None:
    room = a_room()
    asha, ravi = two_play(room, "Asha", "Ravi")
    Game.objects.update(status=Game.Status.LIVE, rival="", owner=asha.session, policy="sauda")
    first = progress_of(room).rounds[0]
    assert (first.playing, first.done) == (1, 1)
    assert RoomGame.objects.get().buyer == ravi


@pytest.mark.django_db
def test_progress_costs_the_same_for_many(
    django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    room = a_room()
    for number in range(30):
        a_member(room, f"Person {number}")
    with django_assert_max_num_queries(6):
        progress_of(room)
