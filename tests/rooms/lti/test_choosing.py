"""A teacher chooses one of the own rooms in the page of the course."""

from typing import Any

import jwt
import pytest

from rooms.models import LtiLaunch, Study
from tests.support.course_platform import CHOICE, CLAIM, CLIENT_ID, CoursePlatform, Person, _form
from tests.support.rooms import a_host, a_room, at_desk


def chooses(platform: CoursePlatform, person: Person, **claims: Any) -> Any:
    target = f"{platform.tool}/rooms/lti/choose/"
    return person.opens(claims={**platform.choice(), **claims}, target=target)


def test_a_teacher_who_is_logged_in_chooses(platform: CoursePlatform) -> None:
    room = a_room()
    foreign = a_room(a_host("omar"))
    study = Study.objects.create(room=a_room(), design={}, seed=1).room
    teacher = platform.person("t-1", "Instructor", at_desk(room.host))
    page = chooses(platform, teacher)
    assert room.code.encode() in page.content
    assert foreign.code.encode() not in page.content
    assert study.code.encode() not in page.content
    where = page.request["PATH_INFO"]
    teacher.client.post(where, {"room": foreign.pk})
    assert LtiLaunch.objects.get().room is None
    answer = teacher.client.post(where, {"room": room.pk})
    assert f'action="{platform.url}/chosen"' in answer.content.decode()
    assert f"form-action 'self' {platform.url}" in answer["Content-Security-Policy"]
    (key,) = teacher.client.get("/rooms/lti/keys.json").json()["keys"]
    said = jwt.decode(
        _form(answer.content.decode())["JWT"],
        jwt.PyJWK(key).key,
        algorithms=["RS256"],
        audience=platform.url,
    )
    assert said["iss"] == CLIENT_ID
    assert said[f"{CLAIM}message_type"] == "LtiDeepLinkingResponse"
    assert said["https://purl.imsglobal.org/spec/lti-dl/claim/data"] == "of-the-platform"
    (item,) = said["https://purl.imsglobal.org/spec/lti-dl/claim/content_items"]
    assert (item["custom"], item["title"]) == ({"room": room.code}, "Tuesday group")
    assert item["lineItem"]["scoreMaximum"] == 100
    assert item["window"]
    assert "target" not in said


def test_in_a_frame_the_room_is_chosen_in_a_window(platform: CoursePlatform) -> None:
    """There nobody is logged in; the frame waits, and gets what was chosen beside it."""
    room = a_room()
    frame = platform.person("t-1", "Instructor")
    page = chooses(platform, frame)
    assert "X-Frame-Options" not in page
    assert f"frame-ancestors {platform.url}" in page["Content-Security-Policy"]
    where = page.request["PATH_INFO"]
    assert f"{where}?window=1" in page.content.decode()
    window = at_desk(room.host)
    assert room.code.encode() in window.get(f"{where}?window=1").content
    told = window.post(f"{where}?window=1", {"room": room.pk})
    assert b"press Go on" in told.content
    assert b'name="JWT"' not in told.content
    assert b'name="JWT"' in frame.client.get(where).content


def test_the_window_asks_for_a_login(platform: CoursePlatform) -> None:
    teacher = platform.person("t-1", "Instructor")
    where = chooses(platform, teacher).request["PATH_INFO"]
    answer = teacher.client.get(f"{where}?window=1")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/account/login/?next=/rooms/lti/choose/")


def test_a_student_chooses_nothing(platform: CoursePlatform) -> None:
    assert chooses(platform, platform.person("s-1")).status_code == 400


@pytest.mark.parametrize(
    "address", ["https://evil.example/", "javascript:alert(1)", "", 7, "https://a b;script-src *"]
)
def test_the_answer_goes_to_the_platform_alone(platform: CoursePlatform, address: object) -> None:
    settings = {**platform.choice()[CHOICE], "deep_link_return_url": address}
    teacher = platform.person("t-1", "Instructor", at_desk(a_host()))
    answer = chooses(platform, teacher, **{CHOICE: settings})
    assert answer.status_code == 400
    assert "evil" not in answer["Content-Security-Policy"]


@pytest.mark.parametrize("settings", [{"accept_types": "x"}, {"accept_types": []}, [], None])
def test_a_question_of_another_shape(platform: CoursePlatform, settings: object) -> None:
    teacher = platform.person("t-1", "Instructor", at_desk(a_host()))
    assert chooses(platform, teacher, **{CHOICE: settings}).status_code == 400
