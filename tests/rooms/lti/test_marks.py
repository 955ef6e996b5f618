"""Marks go back to a course: when, which, once, and what happens where the platform is away."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from bazaar_site.worker_beat import look_after_marks
from rooms import hosting, tasks
from rooms.export.forgetting import forget_member
from rooms.lti import marks, sending
from rooms.models import LtiPlatform, LtiSeat, Member, Room
from rooms.tasks import owe_marks, send_marks
from rooms.tending import hear_end
from tests.support.class_rooms import a_game, a_member, a_room, bid, takes, walks
from tests.support.course_platform import DEPLOYMENT, SCOPES, CoursePlatform, Fault

Pair = tuple[Room, LtiSeat, LtiSeat]

DEAL = [bid(1500), takes("seller")]
"""Of a zone from 1200 to 1700: the seller keeps 0.6, the buyer 0.4."""


def from_course(member: Member, platform: CoursePlatform, **fields: Any) -> LtiSeat:
    """Somebody of a room came from the course."""
    places = {
        "scope": [f"{SCOPES}score", f"{SCOPES}lineitem"],
        "lineitem": f"{platform.url}/lineitems/1?type=7",
        "lineitems": f"{platform.url}/lineitems",
    }
    return LtiSeat.objects.create(
        platform=LtiPlatform.objects.get(),
        room=member.room,
        member=member,
        sub=f"sub-{member.nickname}",
        **{"marks": places, **fields},
    )


@pytest.fixture
def pair(platform: CoursePlatform) -> Pair:
    """A room in which two people of a course have agreed."""
    room = a_room()
    asha, ravi = a_member(room, "Asha"), a_member(room, "Ravi")
    a_game(room, asha, ravi, DEAL)
    return room, from_course(asha, platform), from_course(ravi, platform)


def opened(room: Room, *, is_open: bool = True) -> None:
    hosting.show_debrief(room, is_open=is_open, is_named=False)
    owe_marks(room.pk)


def later() -> None:
    """Time goes by for whatever waits."""
    waiting = LtiSeat.objects.filter(try_at__isnull=False)
    waiting.update(try_at=timezone.now() - timedelta(seconds=1))


def test_marks_go_when_the_debrief_is_opened(platform: CoursePlatform, pair: Pair) -> None:
    room, _, _ = pair
    owe_marks(room.pk)
    assert platform.asked == [], "a share says where the other side's limit lies"
    opened(room)
    assert platform.marks_of("sub-Asha") == [0.6]
    assert platform.marks_of("sub-Ravi") == [0.4]
    (first, _) = platform.scores
    assert first["at"] == "/lineitems/1/scores?type=7"
    assert (first["scoreMaximum"], first["gradingProgress"]) == (1, "FullyGraded")
    assert "comment" not in first
    assert platform.asked.count("token") == 1, "one for the class"
    assert platform.tokens.popitem()[1] == [f"{SCOPES}score"]
    assert marks.sent_of(room) == marks.MarkCounts(of=2, sent=2, waiting=0, reasons=())


def test_a_mark_is_sent_once_for_each_change(platform: CoursePlatform, pair: Pair) -> None:
    room, asha, ravi = pair
    opened(room)
    opened(room, is_open=False)
    opened(room)
    send_marks()
    assert len(platform.scores) == 2
    a_game(room, asha.member, ravi.member, [bid(1600), takes("seller")], number=2)
    owe_marks(room.pk)
    assert platform.marks_of("sub-Asha") == [0.6, 0.7]
    assert platform.marks_of("sub-Ravi") == [0.4, 0.3]


def test_taking_part_is_marked_where_the_host_chose_it(
    platform: CoursePlatform, pair: Pair
) -> None:
    """Of two games Meena sat through one, Asha both, and Ravi went away from his second."""
    room, asha, ravi = pair
    meena = from_course(a_member(room, "Meena"), platform)
    assert marks.choose(room, "part")
    left = a_game(room, meena.member, ravi.member, [walks("buyer")], number=2, closed="absent")
    assert left.closed == "absent"
    a_game(room, asha.member, "sauda", [("buyer", "walk", 0, "")], number=2)
    owe_marks(room.pk)
    assert platform.asked == [], "by the same rule about when"
    opened(room)
    told = {sub: platform.marks_of(f"sub-{sub}") for sub in ("Asha", "Ravi", "Meena")}
    assert told == {"Asha": [1.0], "Ravi": [0.5], "Meena": [0.5]}


def test_whoever_came_was_told_that_no_share_goes(platform: CoursePlatform) -> None:
    room = a_room()
    host = Client()
    host.force_login(room.host)
    desk = f"/rooms/{room.code}/desk/"
    for kind, says in (("part", "taking part: of as"), ("share", "mean share"), ("part", "taking")):
        host.post(f"{desk}course-mark/", {"mark": kind})
        assert says in host.get(desk).content.decode()
    asha = platform.person("s-1")
    page = asha.opens(room.code)
    assert b"not how well" in page.content
    asha.client.post(page.request["PATH_INFO"], {"nickname": "Asha"})
    for kind in ("share", "rank", ""):
        host.post(f"{desk}course-mark/", {"mark": kind})
        room.refresh_from_db()
        assert room.course_mark == "part"
    assert b"was told that no share goes" in host.get(desk).content
    again = hosting.copy(room, room.host)
    again.refresh_from_db()
    assert again.course_mark == "part"


def test_another_kind_of_mark_takes_the_place_of_the_first(
    platform: CoursePlatform, pair: Pair
) -> None:
    room, _, _ = pair
    opened(room)
    host = Client()
    host.force_login(room.host)
    host.post(f"/rooms/{room.code}/desk/course-mark/", {"mark": "part"})
    owe_marks(room.pk)
    assert platform.marks_of("sub-Asha") == [0.6, 1.0]


def test_a_game_that_ends_while_the_debrief_is_open_asks_the_worker(
    platform: CoursePlatform, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, asha, ravi = pair
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(tasks, "enqueue_soon", lambda task, *args: asked.append((task.name, *args)))
    live = a_game(room, asha.member, ravi.member, [bid(1400)], number=2)
    hear_end(live.game_id)
    assert asked == []
    hosting.show_debrief(room, is_open=True, is_named=False)
    hear_end(live.game_id)
    assert asked == [("bazaar_site.rooms.tasks.owe_marks", room.pk)] * 2


def test_the_switch_at_the_desk_and_the_workers_beat_ask_for_it(
    platform: CoursePlatform, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, _, _ = pair
    asked: list[str] = []
    monkeypatch.setattr(tasks, "enqueue_soon", lambda task, *_: asked.append(task.name))
    look_after_marks()
    assert asked == []
    host = Client()
    host.force_login(room.host)
    host.post(f"/rooms/{room.code}/debrief/", {"open": "1"})
    assert asked == ["bazaar_site.rooms.tasks.owe_marks"]
    marks.owe(room)
    look_after_marks()
    assert asked[1:] == ["bazaar_site.rooms.tasks.send_marks"]


@pytest.mark.parametrize(
    ("where", "fault", "problem"),
    [
        ("token", Fault(500), "away"),
        ("scores", Fault(503), "away"),
        ("scores", Fault(429), "away"),
        ("scores", Fault(403), "refused"),
        ("scores", Fault(404), "refused"),
        ("token", Fault(400), "refused"),
        ("token", Fault(200, b"[]"), "unreadable"),
        ("token", Fault(200, b"{}"), "unreadable"),
        ("token", Fault(200, b"<html>"), "unreadable"),
        ("token", Fault(200, b'"' + b"x" * 300_000 + b'"'), "away"),
        ("token", Fault(302, b"http://127.0.0.1:1/"), "away"),
    ],
)
def test_what_did_not_arrive_is_tried_again(
    platform: CoursePlatform, pair: Pair, where: str, fault: Fault, problem: str
) -> None:
    room, _, _ = pair
    platform.always[where] = fault
    opened(room)
    assert set(LtiSeat.objects.values_list("problem", flat=True)) == {problem}
    told = marks.sent_of(room)
    assert told is not None
    assert (told.of, told.sent, told.waiting) == (2, 0, 2)
    send_marks()
    tried = len(platform.asked)
    assert not platform.scores
    platform.always.clear()
    send_marks()
    assert len(platform.asked) == tried, "not before its time"
    later()
    send_marks()
    assert platform.marks_of("sub-Asha") == [0.6]
    assert marks.sent_of(room) == marks.MarkCounts(of=2, sent=2, waiting=0, reasons=())


def test_waits_grow_and_have_an_end(platform: CoursePlatform, pair: Pair) -> None:
    room, _, _ = pair
    platform.always["token"] = Fault(500)
    opened(room)
    waits = []
    for _ in range(sending.MOST_TRIES - 1):
        seat = LtiSeat.objects.order_by("pk")[0]
        assert seat.try_at is not None
        waits.append((seat.try_at - timezone.now()).total_seconds())
        later()
        sending.send_due()
    assert 40 < waits[0] < 80
    assert waits[5] > 10 * waits[0]
    assert max(waits) <= 1.2 * sending.LONGEST_WAIT_S
    assert not marks.due().exists()
    assert set(LtiSeat.objects.values_list("try_at", flat=True)) == {None}
    platform.always.clear()
    marks.try_again(room)
    sending.send_due()
    assert len(platform.scores) == 2


def test_a_platform_that_is_away_is_not_asked_sixty_times(
    platform: CoursePlatform, pair: Pair
) -> None:
    platform.always["token"] = Fault(500)
    opened(pair[0])
    assert platform.asked.count("token") == 1


def test_a_refusal_of_one_does_not_hold_up_the_others(platform: CoursePlatform, pair: Pair) -> None:
    platform.fails("scores", Fault(404))
    opened(pair[0])
    assert len(platform.scores) == 1


def test_a_platform_that_has_the_mark_already_is_not_asked_again(
    platform: CoursePlatform, pair: Pair
) -> None:
    """Where this site was killed between the answer and the note of it."""
    room, asha, _ = pair
    opened(room)
    LtiSeat.objects.filter(pk=asha.pk).update(sent=None, try_at=timezone.now())
    send_marks()
    assert platform.marks_of("sub-Asha") == [0.6]
    asha.refresh_from_db()
    assert (asha.sent, asha.try_at) == (0.6, None)


def test_two_workers_send_a_mark_once(platform: CoursePlatform, pair: Pair) -> None:
    room, _, _ = pair
    hosting.show_debrief(room, is_open=True, is_named=False)
    marks.owe(room)
    one, other = list(marks.due()), list(marks.due())
    assert all(map(sending._take, one))
    assert not any(map(sending._take, other)), "it came later"
    assert sending.send_due() == 0


def test_who_does_not_count_gets_no_mark(platform: CoursePlatform, pair: Pair) -> None:
    room, asha, _ = pair
    pilot = a_member(room, "Try", is_pilot=True)
    gone = a_member(room, "Gone", withdrawn_at=timezone.now())
    for member in (pilot, gone):
        a_game(room, member, asha.member, DEAL, number=2 + (member == gone))
        from_course(member, platform)
    idle = a_member(room, "Idle")
    from_course(idle, platform)
    opened(room)
    assert {one["userId"] for one in platform.scores} == {"sub-Asha", "sub-Ravi"}


def test_who_goes_while_a_mark_waits_gets_none(platform: CoursePlatform, pair: Pair) -> None:
    room, asha, ravi = pair
    platform.always["token"] = Fault(500)
    opened(room)
    platform.always.clear()
    Member.objects.filter(pk=asha.member_id).update(withdrawn_at=timezone.now())
    forget_member(ravi.member)
    later()
    send_marks()
    assert platform.scores == []
    assert LtiSeat.objects.get().try_at is None


def test_a_debrief_that_was_closed_again_holds_marks_back(
    platform: CoursePlatform, pair: Pair
) -> None:
    room, _, _ = pair
    platform.always["token"] = Fault(500)
    opened(room)
    platform.always.clear()
    opened(room, is_open=False)
    later()
    send_marks()
    assert platform.scores == []
    opened(room)
    assert len(platform.scores) == 2


def test_a_link_without_marks(platform: CoursePlatform, pair: Pair) -> None:
    room, asha, _ = pair
    asha.marks = {}
    asha.save()
    opened(room)
    told = marks.sent_of(room)
    assert told == marks.MarkCounts(2, 1, 0, (("the course has no place for marks", 1),))


def test_a_place_is_made_where_there_is_none(platform: CoursePlatform, pair: Pair) -> None:
    room, asha, ravi = pair
    for seat in (asha, ravi):
        del seat.marks["lineitem"]
        seat.link = "link-7"
        seat.save()
    opened(room)
    (place,) = platform.lineitems.values()
    assert (place["tag"], place["label"]) == (f"bazaar-{room.pk}", "Monday class")
    assert place["resourceLinkId"] == "link-7"
    assert len(platform.scores) == 2


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/lineitems/1", "http://169.254.169.254/x", "file:///etc/passwd"]
)
def test_marks_go_nowhere_that_staff_has_not_named(
    platform: CoursePlatform, pair: Pair, address: str
) -> None:
    room, asha, _ = pair
    asha.marks["lineitem"] = address
    asha.save()
    opened(room)
    asha.refresh_from_db()
    assert asha.problem == "elsewhere"
    assert platform.marks_of("sub-Asha") == []
    assert platform.marks_of("sub-Ravi") == [0.4]


def test_the_desk_says_how_many_arrived(platform: CoursePlatform, pair: Pair) -> None:
    room, _, _ = pair
    host = Client()
    host.force_login(room.host)
    desk = f"/rooms/{room.code}/desk/"
    assert b"when you open the debrief" in host.get(desk).content
    platform.fails("scores", Fault(503))
    opened(room)
    page = host.get(desk).content.decode()
    assert "0 of 2 marks sent" in page
    assert "2 wait" in page
    assert "the platform does not answer" in page
    host.post(f"/rooms/{room.code}/desk/marks/")
    send_marks()
    assert "2 of 2 marks sent" in host.get(desk).content.decode()
    other = Client()
    other.force_login(a_room(host="other").host)
    assert other.post(f"/rooms/{room.code}/desk/marks/").status_code == 404


def test_a_platform_that_was_disconnected_gets_nothing(
    platform: CoursePlatform, pair: Pair
) -> None:
    LtiPlatform.objects.update(is_active=False)
    opened(pair[0])
    assert platform.asked == []
    LtiPlatform.objects.update(is_active=True)
    send_marks()
    assert len(platform.scores) == 2


def test_a_second_deployment_counts_when_staff_names_it(platform: CoursePlatform) -> None:
    row = LtiPlatform.objects.get()
    row.deployments = f"{DEPLOYMENT}\n 2 \n"
    assert row.has_deployment("2")
    assert not row.has_deployment("")
    assert not row.has_deployment("12")
