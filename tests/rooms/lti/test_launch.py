"""Coming from a course: who gets which seat, and what is kept of it."""

import pytest
from django.test import Client

from rooms import hosting, joining
from rooms.desk import remove
from rooms.models import LtiLaunch, LtiPlatform, LtiSeat, Member
from rooms.study.forgetting import withdraw
from tests.support.course_platform import CLAIM, ROLE, CoursePlatform
from tests.support.rooms import a_host, a_room, at_desk, comes_in
from tests.support.studies import a_study

pytestmark = pytest.mark.django_db


def test_a_student_comes_from_a_course_with_a_nickname_alone(platform: CoursePlatform) -> None:
    room, asha = a_room(), platform.person("s-1")
    page = asha.opens(room.code)
    assert b"Our school" in page.content
    assert b"Private" not in page.content
    answer = asha.client.post(page.request["PATH_INFO"], {"nickname": "Asha"})
    assert (answer.status_code, answer["Location"]) == (302, f"/rooms/{room.code}/")
    lobby = asha.client.get(answer["Location"])
    assert b"Asha" in lobby.content
    seat = LtiSeat.objects.get()
    assert (seat.sub, seat.member.nickname, seat.room) == ("s-1", "Asha", room)
    kept = f"{LtiSeat.objects.values()} {LtiLaunch.objects.values()} {Member.objects.values()}"
    assert "rivate" not in kept


def test_a_late_student_hears_that_the_room_is_finished_before_naming_anything(
    platform: CoursePlatform,
) -> None:
    room, asha = a_room(playing=True), platform.person("s-1")
    asha.comes_in(room.code, "Asha")
    hosting.finish(room)
    page = platform.person("s-2").opens(room.code).content.decode()
    assert "This room is finished" in page
    assert "<form" not in page.partition("<main")[2].partition("</main>")[0]
    assert "Sit here as Asha?" in asha.elsewhere().opens(room.code).content.decode()


def test_the_same_person_finds_the_seat_again_on_another_device(platform: CoursePlatform) -> None:
    room, asha = a_room(), platform.person("s-1")
    asha.comes_in(room.code, "Asha")
    again = asha.opens(room.code)
    assert (again.status_code, again["Location"]) == (302, f"/rooms/{room.code}/")
    phone = asha.elsewhere()
    page = phone.opens(room.code)
    assert b"Sit here as Asha?" in page.content
    assert room.members.get().session == asha.client.session.session_key, "a look moves nothing"
    phone.client.post(page.request["PATH_INFO"])
    assert room.members.get().session == phone.client.session.session_key
    assert b"moved to another device" in asha.client.get(f"/rooms/{room.code}/").content


def test_another_person_at_the_same_browser_does_not_get_the_first_ones_seat(
    platform: CoursePlatform,
) -> None:
    room, asha = a_room(), platform.person("s-1")
    asha.comes_in(room.code, "Asha")
    ravi = platform.person("s-2", client=asha.client)
    page = ravi.opens(room.code)
    assert b"private window" in page.content
    ravi.client.post(page.request["PATH_INFO"], {"nickname": "Ravi"})
    assert room.members.count() == 1


def test_a_seat_taken_by_code_is_joined_to_the_course_after_a_press(
    platform: CoursePlatform,
) -> None:
    room = a_room()
    asha = platform.person("s-1", client=comes_in(room, "Asha"))
    page = asha.opens(room.code)
    assert b"Are you Asha?" in page.content
    assert not LtiSeat.objects.exists()
    asha.client.post(page.request["PATH_INFO"])
    assert LtiSeat.objects.get().member == room.members.get()


def test_a_taken_nickname_is_told_and_a_free_one_offered(platform: CoursePlatform) -> None:
    room = a_room()
    comes_in(room, "Asha")
    answer = platform.person("s-2").comes_in(room.code, "Asha")
    assert answer.status_code == 409
    assert b'value="Asha 2"' in answer.content


def test_the_host_lands_on_the_desk_and_another_teacher_is_told(platform: CoursePlatform) -> None:
    room = a_room()
    host = platform.person("t-1", "Instructor", client=at_desk(room.host))
    answer = host.opens(room.code)
    assert (answer.status_code, answer["Location"]) == (302, f"/rooms/{room.code}/desk/")
    other = platform.person("t-2", "Instructor", client=at_desk(a_host("omar")))
    assert b"belongs to somebody else" in other.opens(room.code).content
    stranger = platform.person("t-3", "Instructor").opens(room.code)
    assert b"Log in as its host" in stranger.content
    assert not room.members.exists()


def test_who_works_at_the_school_and_learns_in_the_course_is_a_student(
    platform: CoursePlatform,
) -> None:
    room = a_room()
    staff = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Staff"
    roles = f"{CLAIM}roles"
    learns = platform.person("s-1").opens(room.code, claims={roles: [staff, f"{ROLE}Learner"]})
    assert b"What shall we call you here?" in learns.content
    runs = platform.person("s-2").opens(room.code, claims={roles: [staff]})
    assert b"Log in as its host" in runs.content


def test_a_study_has_its_own_way_in(platform: CoursePlatform) -> None:
    room = a_study().room
    asha = platform.person("s-1")
    page = asha.opens(room.code)
    assert f'href="/rooms/{room.code}/enter/"' in page.content.decode()
    asha.client.post(page.request["PATH_INFO"], {"nickname": "Asha"})
    assert not room.members.exists()
    assert not LtiSeat.objects.exists()


def test_who_leaves_a_study_is_known_by_no_course_any_more(platform: CoursePlatform) -> None:
    """A room may become a study after somebody came to it from a course."""
    study = a_study()
    member = joining.join(study.room, "Asha", "session-1")
    LtiSeat.objects.create(
        platform=LtiPlatform.objects.get(), room=study.room, member=member, sub="s-1"
    )
    withdraw(member)
    assert not LtiSeat.objects.exists()
    assert (
        b"seat in this room is closed" not in platform.person("s-1").opens(study.room.code).content
    )


def test_somebody_who_was_taken_out_does_not_come_back(platform: CoursePlatform) -> None:
    room, asha = a_room(), platform.person("s-1")
    asha.comes_in(room.code, "Asha")
    remove(room, room.members.get())
    assert b"Your seat in this room is closed" in asha.elsewhere().opens(room.code).content
    assert b"Your seat in this room is closed" in asha.opens(room.code).content


def test_the_launch_leaves_the_cookies_of_the_browser_alone(platform: CoursePlatform) -> None:
    """The form of another site comes without them: new ones would log a host out."""
    room, asha = a_room(), platform.person("s-1")
    form = asha.asks(room.code)
    answer = asha.sends(form)
    assert set(answer.cookies) == {f"lti1p3-{form['state']}"}
    assert answer.cookies[f"lti1p3-{form['state']}"]["httponly"]
    refused = Client().post("/rooms/lti/launch/", form)
    assert refused.status_code == 403
    assert not refused.cookies


def test_cookies_come_along_over_https(platform: CoursePlatform) -> None:
    platform.tool = "https://testserver"
    asked = platform.login(platform.person("s-1"), "ABCDEF")
    begun = Client().get("/rooms/lti/login/", asked, secure=True, HTTP_SEC_FETCH_DEST="document")
    (cookie,) = begun.cookies.values()
    assert (cookie["samesite"], bool(cookie["secure"])) == ("None", True)


def test_in_a_frame_a_page_offers_a_window(platform: CoursePlatform) -> None:
    asked = platform.login(platform.person("s-1"), "ABCDEF")
    for dest in ({"HTTP_SEC_FETCH_DEST": "iframe"}, {}):
        page = Client().get("/rooms/lti/login/", asked, **dest)
        assert page.status_code == 200
        assert b'target="_blank"' in page.content
        assert "X-Frame-Options" not in page
        assert f"frame-ancestors {platform.url}" in page["Content-Security-Policy"]
    other = Client().get("/rooms/")
    assert other["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]


def test_a_code_that_no_room_has_is_told_and_counted(
    platform: CoursePlatform, settings: object
) -> None:
    settings.LIMITS = {**settings.LIMITS, "codes": "2/hour"}  # type: ignore[attr-defined]
    room, asha = a_room(), platform.person("s-1")
    for code in ("ZZZZZZ", "YYYYYY"):
        assert asha.opens(code).status_code == 404
    assert asha.opens(room.code).status_code == 404, "a guesser learns nothing any more"
    assert platform.person("s-2").opens(room.code).status_code == 200
    assert LtiLaunch.objects.count() == 1, "of who found no room nothing is kept"
