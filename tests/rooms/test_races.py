"""Many at once on one database: threads join, ask for games, end them, all at the same moment."""

from collections import Counter
from collections.abc import Callable

import pytest
from django.db.models import Q

from negotiation.models import Game
from rooms import joining, seats
from rooms.errors import NicknameTaken
from rooms.models import Member, Room, RoomGame
from rooms.seating import pairing
from tests.rooms.test_homework import days
from tests.support.at_once import all_at_once, at_once
from tests.support.rooms import a_browser, a_room, at_desk, comes_in, seen

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 6


def nobody_twice(room: Room) -> None:
    seats = Counter(
        (row.round, key)
        for row in RoomGame.objects.filter(room=room)
        for key in (row.seller_id, row.buyer_id)
        if key
    )
    assert max(seats.values(), default=0) <= 1
    assert RoomGame.objects.count() == Game.objects.count()
    for member in Member.objects.filter(room=room):
        assert member.dealt == sum(key == member.pk for _, key in seats)


def test_one_browser_that_joins_in_many_tabs_is_one_member() -> None:
    room = a_room()
    wrong = all_at_once(*[lambda: joining.join(room, "Asha", "one-session")] * THREADS)
    assert wrong == []
    assert room.members.count() == 1


def test_one_nickname_goes_to_one_and_the_others_are_told() -> None:
    room = a_room()
    wrong = all_at_once(
        *(lambda n=n: joining.join(room, "Asha", f"s{n}") for n in range(THREADS))  # type: ignore[misc]
    )
    assert {type(error) for error in wrong} == {NicknameTaken}
    assert len(wrong) == THREADS - 1
    assert room.members.get().nickname == "Asha"


def test_numbers_are_never_given_twice() -> None:
    room = a_room()
    wrong = all_at_once(
        *(lambda n=n: joining.join(room, f"Person {n}", f"s{n}") for n in range(THREADS))  # type: ignore[misc]
    )
    assert wrong == []
    assert sorted(room.members.values_list("number", flat=True)) == list(range(1, THREADS + 1))


@pytest.mark.parametrize("meeting", ["people", "policy"])
def test_nobody_plays_twice_in_a_round_however_many_ask(meeting: str) -> None:
    room = a_room(playing=True, meeting=meeting, games=2, most=50)
    for number in range(11):
        joining.join(room, f"Person {number}", f"session-{number}")
    for wanted in (1, 2):
        wrong = all_at_once(*[lambda: pairing.advance(room, now=True)] * THREADS)
        assert wrong == []
        pairing.advance(room, now=True)
        nobody_twice(room)
        assert set(Member.objects.values_list("dealt", flat=True)) == {wanted}
        Game.objects.update(status=Game.Status.ENDED)
        seen(room)
    assert pairing.advance(room, now=True) == 0


def test_joining_while_others_are_paired_loses_nobody() -> None:
    room = a_room(playing=True, meeting="people", most=50)
    for number in range(4):
        joining.join(room, f"Person {number}", f"session-{number}")

    def comes(number: int) -> None:
        joining.join(room, f"Late {number}", f"late-{number}")
        pairing.advance(room)

    wrong = all_at_once(
        *(lambda n=n: comes(n) for n in range(4)),  # type: ignore[misc]
        lambda: pairing.advance(room, now=True),
        lambda: pairing.advance(room, now=True),
    )
    assert wrong == []
    pairing.advance(room, now=True)
    nobody_twice(room)
    assert set(Member.objects.values_list("dealt", flat=True)) == {1}


def test_a_seat_that_moves_while_games_open_keeps_its_game() -> None:
    room = a_room(playing=True, meeting="policy")
    for number in range(4):
        joining.join(room, f"Person {number}", f"session-{number}")
    first = Member.objects.get(number=1)
    wrong = all_at_once(
        lambda: pairing.advance(room),
        lambda: seats.move(first, "another-device", seats.Kind.BY_LINK),
        lambda: pairing.advance(room),
    )
    assert wrong == []
    pairing.advance(room)
    row = RoomGame.objects.select_related("game").get(Q(seller=first) | Q(buyer=first))
    assert row.game.owner == "another-device"


ASKED: dict[str, Callable[[int], dict[str, str]]] = {
    "gradebook": lambda n: {"name": f"Mark {n}"},
    "survey": lambda n: {"ask": f"What of {n}?", "kind": "text"},
    "sheet": lambda n: {"ask": f"Your target of {n}?", "kind": "number"},
    "homework": lambda n: {**days(due=9 + n), "open_at_once": "0"},
    "study": lambda n: {"do": "upload", "text": f'title = "Study {n}"'},
}
"""What each of many hosts writes on a page, each something else."""


@pytest.mark.parametrize("page", ASKED)
def test_of_hosts_who_write_at_one_moment_one_is_heard_and_all_others_are_told(page: str) -> None:
    room = a_room()
    address = f"/rooms/{room.code}/{page}/"
    desks = [at_desk(room.host) for _ in range(THREADS)]
    form = desks[0].get(address).content.decode()
    seen_by_all = form.partition('name="seen" value="')[2].partition('"')[0]

    def writes(place: int) -> int:
        told = {**ASKED[page](place), "seen": seen_by_all}
        return desks[place].post(address, told).status_code

    answers = at_once(*(lambda n=n: writes(n) for n in range(THREADS)))  # type: ignore[misc]
    assert answers.count(302) == 1, answers
    assert set(answers) <= {302, 409, 422}


def test_a_room_becomes_homework_or_a_study_and_never_both() -> None:
    room = a_room()
    address = f"/rooms/{room.code}"
    one, two = at_desk(room.host), at_desk(room.host)
    at_once(
        lambda: one.post(f"{address}/homework/", days()),
        lambda: two.post(f"{address}/study/", {"do": "ready", "ready": "chat", "seen": ""}),
    )
    room = Room.objects.get(pk=room.pk)
    assert (room.due_at is None) is hasattr(room, "study")


@pytest.mark.parametrize("_", range(4))
def test_nobody_answers_a_question_that_was_changed_at_that_moment(_: int) -> None:
    room = a_room(playing=True)
    desk, asha = at_desk(room.host), a_browser()
    survey = f"/rooms/{room.code}/survey/"
    desk.post(survey, {"ask": "First?", "kind": "text"})
    comes_in(room, "Asha", asha)
    Member.objects.update(dealt=1)
    pages = [one.get(survey).content.decode() for one in (desk, asha)]
    marks = [page.partition('name="seen" value="')[2].partition('"')[0] for page in pages]
    at_once(
        lambda: desk.post(survey, {"ask": "Second?", "kind": "text", "seen": marks[0]}),
        lambda: asha.post(survey, {"q1": "Yes", "seen": marks[1]}),
    )
    room.refresh_from_db()
    is_answered = room.members.get().answers.exists()
    assert room.survey[0][0] == ("First?" if is_answered else "Second?")
