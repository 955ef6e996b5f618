"""Who of a course has not come yet: asked of the platform at a press, shown, and kept nowhere."""

from typing import Any

import pytest
from django.core import serializers
from django.db.models import Model
from django.test import Client

from negotiation import ttl_cache
from rooms import models
from rooms.export.forgetting import forget_member
from rooms.models import LtiCourse, LtiPlatform, LtiSeat, Room
from tests.support.course_platform import PEOPLE, READ_PEOPLE, CoursePlatform, Fault
from tests.support.rooms import a_host, a_room, at_desk
from tests.support.studies import a_study


def asks(room: Room, client: Client | None = None) -> Any:
    """Press the button of the page, as the host."""
    ttl_cache._known.pop(f"lti-roster:{room.pk}", None)
    return (client or at_desk(room.host)).post(f"/rooms/{room.code}/course/")


@pytest.fixture
def course(platform: CoursePlatform) -> Room:
    """A course of five students and a teacher, of whom Asha has come."""
    platform.enrols("t-1", "Teacher Private", "Instructor")
    for sub, name in (("s-1", "Asha Verma"), ("s-2", "Ravi Nair"), ("s-3", "Öznur Demir")):
        platform.enrols(sub, name)
    platform.enrols("s-4", given_name="Meena", family_name="Rao")
    platform.enrols("s-5", "Gone Private", status="Inactive")
    room = a_room()
    platform.person("s-1").comes_in(room.code, "Asha")
    return room


def test_the_host_sees_who_has_not_come(platform: CoursePlatform, course: Room) -> None:
    """Three pages of two people each, whose addresses differ by case."""
    host = at_desk(course.host)
    assert (
        f"/rooms/{course.code}/course/" in host.get(f"/rooms/{course.code}/desk/").content.decode()
    )
    offered = host.get(f"/rooms/{course.code}/course/").content.decode()
    assert "Ask the platform" in offered
    assert platform.asked.count("members") == 0, "a look asks nobody"
    page = asks(course, host).content.decode()
    assert platform.asked.count("members") == 3
    assert platform.tokens.popitem()[1] == [READ_PEOPLE], "no more is asked for"
    assert "1 of 4 students have come" in page
    named = [page.index(name) for name in ("Meena Rao", "Ravi Nair", "Öznur Demir")]
    assert named == sorted(named)
    assert not any(name in page for name in ("Asha Verma", "Private"))


def test_without_names_it_says_how_many(platform: CoursePlatform) -> None:
    room = a_room()
    platform.person("t-1", "Instructor").opens(room.code)
    for number in range(3):
        platform.enrols(f"s-{number}")
    page = asks(room).content.decode()
    assert "0 of 3 students have come" in page
    assert "3 have not come whose names the platform does not share" in page
    assert "s-1" not in page, "a number of the platform is nobody's name"


def test_nothing_of_it_is_kept(platform: CoursePlatform, course: Room) -> None:
    asks(course)
    kept = everything()
    assert "Ravi" not in kept
    assert "s-2" not in kept
    assert '"s-1"' in kept, "that of who sits here"
    forget_member(course.members.get())
    assert not LtiSeat.objects.exists()
    assert "0 of 4 students have come" in asks(course).content.decode()
    course.delete()
    assert not LtiCourse.objects.exists()


def everything() -> str:
    tables = [one for one in vars(models).values() if isinstance(one, type)]
    rows = [row for one in tables if issubclass(one, Model) for row in one._default_manager.all()]
    return serializers.serialize(
        "json", [row for row in rows if not isinstance(row, models.LtiLaunch)]
    )


@pytest.mark.parametrize(
    ("where", "fault", "says"),
    [
        ("members", Fault(401), "refuses it"),
        ("members", Fault(403), "refuses it"),
        ("token", Fault(400), "refuses it"),
        ("members", Fault(503), "does not answer"),
        ("members", Fault(409), "makes no sense"),
        ("members", Fault(302, b"http://127.0.0.1:1/"), "does not answer"),
        ("members", Fault(200, b"[]"), "makes no sense"),
        ("members", Fault(200, b"<html>"), "makes no sense"),
        ("members", Fault(200, b'{"members": [{"user_id": 7, "roles": []}]}'), "makes no sense"),
        ("members", Fault(200, b'{"members": {"a": 1}}'), "makes no sense"),
        ("members", Fault(200, b'{"members": 7}'), "makes no sense"),
        ("members", Fault(200, b""), "makes no sense"),
        ("members", Fault(200, b'"' + b"x" * 300_000 + b'"'), "does not answer"),
    ],
)
def test_a_platform_with_a_fault(
    platform: CoursePlatform, course: Room, where: str, fault: Fault, says: str
) -> None:
    platform.fails(where, fault)
    answer = asks(course)
    assert answer.status_code == 200
    assert "The list did not come: the platform" in answer.content.decode()
    assert says in answer.content.decode()
    assert "1 of 4" in asks(course).content.decode(), "the next press asks anew"


def test_a_page_that_is_missing_makes_no_shorter_list(
    platform: CoursePlatform, course: Room
) -> None:
    platform.people[3]["roles"] = "Learner"
    assert "makes no sense" in asks(course).content.decode()


def test_pages_without_an_end(
    platform: CoursePlatform, course: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rooms.lti.outside.MOST_REQUESTS", 12)
    platform.page_of = 0
    assert "does not answer" in asks(course).content.decode()
    assert platform.asked.count("members") == 11, "and one for the token"


def test_a_slow_platform_is_not_waited_for(
    platform: CoursePlatform, course: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rooms.lti.roster.WITHIN_S", 0.0)
    assert "does not answer" in asks(course).content.decode()


def test_two_presses_ask_once(platform: CoursePlatform, course: Room) -> None:
    host = at_desk(course.host)
    asks(course, host)
    again = host.post(f"/rooms/{course.code}/course/")
    assert again.status_code == 429
    assert b"Wait ten seconds" in again.content
    assert platform.asked.count("members") == 3


def test_only_the_host_asks_and_only_the_platform_itself(
    platform: CoursePlatform, course: Room
) -> None:
    other = at_desk(a_host("omar"))
    assert asks(course, other).status_code == 404
    assert asks(course, Client()).status_code == 302
    LtiCourse.objects.update(people_url="http://127.0.0.1:9/members")
    assert "not one of the platform" in asks(course).content.decode()
    LtiPlatform.objects.update(is_active=False)
    assert "not connected any more" in asks(course).content.decode()
    assert "members" not in platform.asked


def test_where_no_list_is_told(platform: CoursePlatform) -> None:
    room = a_room()
    for url in (None, 7, "", "https://evil.example/members", "javascript:alert(1)"):
        claim = {PEOPLE: {"context_memberships_url": url}}
        assert platform.person("s-1").opens(room.code, claims=claim).status_code == 200
    assert not LtiCourse.objects.exists()
    page = at_desk(room.host).get(f"/rooms/{room.code}/course/")
    assert b"No course has told yet" in page.content
    platform.person("s-1").opens(a_study().room.code)
    assert not LtiCourse.objects.exists(), "nothing is kept of the course of a study"


def test_a_room_has_a_few_courses(platform: CoursePlatform) -> None:
    room = a_room()
    for number in range(7):
        claim = {PEOPLE: {"context_memberships_url": f"{platform.url}/members?c={number}"}}
        platform.person("s-1").opens(room.code, claims=claim)
    assert room.lti_courses.count() == 5
