"""In a frame whose cookies a browser withholds: the platform keeps what proves the browser."""

import re
from typing import Any

import httpx
import pytest
from django.test import Client

from tests.support.course_platform import CoursePlatform, Person, _form
from tests.support.rooms import a_host, at_desk

OURS = {"HTTP_SEC_FETCH_SITE": "same-origin"}


def begins(platform: CoursePlatform, person: Person, **changes: Any) -> Any:
    """A teacher comes to choose a room, in the frame of a platform that keeps things."""
    target = f"{platform.tool}/rooms/lti/choose/"
    said = {"claims": platform.choice(), "target": target, "stores": "_parent", **changes}
    return person.client.post("/rooms/lti/login/", platform.login(person, "", **said))


def told_to(page: Any) -> dict[str, str]:
    """What a page of ours has its script do."""
    return dict(re.findall(r'data-(\w+)="([^"]*)"', page.content.decode()))


def launched(platform: CoursePlatform, person: Person) -> tuple[dict[str, str], str]:
    """Go on to the message; gives its form, and what the platform was given to keep."""
    page = begins(platform, person)
    (address,) = re.findall(r'href="(http[^"]*/auth\?[^"]*)"', page.content.decode())
    person.client.cookies.clear()
    return _form(httpx.get(address.replace("&amp;", "&")).text), told_to(page)["value"]


def test_a_login_has_the_platform_keep_its_proof(platform: CoursePlatform) -> None:
    page = begins(platform, platform.person("t-1", "Instructor"))
    told = told_to(page)
    assert (told["does"], told["origin"], told["target"]) == ("keep", platform.url, "_parent")
    assert f"frame-ancestors {platform.url}" in page["Content-Security-Policy"]
    (cookie,) = page.cookies.values()
    assert cookie.value == told["key"], "the cookie is tried, too"
    assert told["value"] not in page.cookies.output()


def test_what_the_platform_kept_stands_for_the_cookie(platform: CoursePlatform) -> None:
    teacher = platform.person("t-1", "Instructor", at_desk(a_host()))
    form, kept = launched(platform, teacher)
    asked = teacher.sends(form)
    told = told_to(asked)
    assert (asked.status_code, told["does"], told["key"]) == (200, "give", form["state"])
    assert told["origin"] == platform.url, "nobody else around a frame is asked, or heard"
    assert kept not in asked.content.decode()
    answer = teacher.client.post("/rooms/lti/launch/", {**form, "stored": kept}, **OURS)
    assert (answer.status_code, answer["Location"][:18]) == (303, "/rooms/lti/choose/")
    again = teacher.client.post("/rooms/lti/launch/", {**form, "stored": kept}, **OURS)
    assert again.status_code == 403, "a message counts once"


@pytest.mark.parametrize("whence", [{}, {"HTTP_SEC_FETCH_SITE": "cross-site"}])
def test_another_site_cannot_send_what_its_own_login_was_given(
    platform: CoursePlatform, whence: dict[str, str]
) -> None:
    form, kept = launched(platform, platform.person("mallory", "Instructor"))
    answer = Client().post("/rooms/lti/launch/", {**form, "stored": kept}, **whence)
    assert answer.status_code == 403
    assert b"did not bring back the cookie" in answer.content


def test_what_was_kept_for_another_login_counts_for_nothing(platform: CoursePlatform) -> None:
    form, _ = launched(platform, platform.person("t-1", "Instructor"))
    _, other = launched(platform, platform.person("t-2", "Instructor"))
    for stored in (other, "", form["state"]):
        answer = Client().post("/rooms/lti/launch/", {**form, "stored": stored}, **OURS)
        assert answer.status_code == 403


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "e30.e30.e30"])
def test_a_message_that_names_nobody(platform: CoursePlatform, token: str) -> None:
    sent = {"id_token": token, "state": "s", "lti_storage_target": "_parent"}
    answer = Client().post("/rooms/lti/launch/", sent)
    assert answer.status_code in (400, 403)
    assert b"data-does" not in answer.content


def test_a_strange_target_is_none(platform: CoursePlatform) -> None:
    person = platform.person("t-1", "Instructor")
    assert begins(platform, person, stores='"><script>').status_code == 302


def test_cookies_of_a_frame_are_kept_apart_by_the_site_around_it(
    platform: CoursePlatform,
) -> None:
    platform.tool = "https://testserver"
    asked = platform.login(platform.person("s-1"), "ABCDEF")
    begun = Client().get("/rooms/lti/login/", asked, secure=True, HTTP_SEC_FETCH_DEST="document")
    assert re.search("; Partitioned; .*SameSite=None; Secure", begun.cookies.output())
    plain = Client().get("/rooms/lti/login/", asked, HTTP_SEC_FETCH_DEST="document")
    assert "Partitioned" not in plain.cookies.output(), "browsers take it with TLS alone"
