"""A platform registers itself by a link of staff: once, where staff said, and after a yes."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from rooms.models import LtiPlatform
from tests.support.course_platform import TOOL, CoursePlatform, Fault
from tests.support.rooms import a_room


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("lti_platform", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def stranger(db: None) -> Iterator[CoursePlatform]:
    """A platform that nobody has connected."""
    with CoursePlatform() as made:
        yield made


def invited(platform: CoursePlatform, *more: str) -> str:
    """The path of a link that staff has made for it."""
    printed = told("invite", "School", "http://testserver", "--issuer", platform.url, *more)
    return printed.split()[0].removeprefix("http://testserver")


def registers(platform: CoursePlatform, path: str, **changes: str) -> Any:
    """Press the button, as the platform's administrator in its frame, without any cookie."""
    asked = {
        "openid_configuration": f"{platform.url}/openid-configuration",
        "registration_token": "of-the-platform",
        **changes,
    }
    return Client(enforce_csrf_checks=True).post(path, asked)


def test_a_platform_registers_itself_and_waits_for_a_yes(stranger: CoursePlatform) -> None:
    path = invited(stranger)
    assert "School" in told("list")
    assert "(invited)" in told("list")
    asked = {"openid_configuration": f"{stranger.url}/openid-configuration"}
    page = Client().get(path, {**asked, "registration_token": "of-the-platform"})
    assert f"Connect this site with {stranger.url}?" in page.content.decode()
    assert f"frame-ancestors {stranger.url}" in page["Content-Security-Policy"]
    assert stranger.asked == [], "a look registers nothing"
    done = registers(stranger, path)
    assert "confirms it first" in done.content.decode()
    ((permit, said),) = stranger.registered
    assert permit == "Bearer of-the-platform"
    assert said["jwks_uri"] == "http://testserver/rooms/lti/keys.json"
    assert said[TOOL]["claims"] == ["iss", "sub"], "no name is asked for"
    row = LtiPlatform.objects.get()
    assert (row.client_id, row.deployments, row.is_active) == ("given-1", "1", False)
    assert "(waits for you)" in told("list")
    asha = stranger.person("s-1")
    early = asha.client.post("/rooms/lti/login/", stranger.login(asha, ""))
    assert early.status_code == 403
    assert "has not confirmed it yet" in early.content.decode()
    told("confirm", "School")
    assert LtiPlatform.objects.get().is_active
    stranger.client_id = "given-1"
    assert asha.opens(a_room().code).status_code == 200


def test_the_link_works_once(stranger: CoursePlatform) -> None:
    path = invited(stranger)
    registers(stranger, path)
    again = registers(stranger, path)
    assert again.status_code == 403
    assert b"works once, within a day" in again.content
    assert f"frame-ancestors {stranger.url}" in again["Content-Security-Policy"]
    assert len(stranger.registered) == 1


def test_nobody_without_a_link_registers(stranger: CoursePlatform) -> None:
    for token in ("x", "a" * 32, "%00"):
        assert registers(stranger, f"/rooms/lti/register/{token}/").status_code == 403
    path = invited(stranger)
    assert path != (newer := invited(stranger)), "a newer link voids the one of before"
    assert registers(stranger, path).status_code == 403
    LtiPlatform.objects.update(invited_at=timezone.now() - timedelta(days=1, seconds=1))
    assert registers(stranger, newer).status_code == 403
    assert stranger.asked == []
    told("remove", "School")
    assert not LtiPlatform.objects.exists(), "what never registered leaves nothing"


@pytest.mark.parametrize(
    ("where", "fault", "says"),
    [
        ("openid-configuration", Fault(503), "does not answer us"),
        ("openid-configuration", Fault(302, b"http://127.0.0.1:1/"), "does not answer us"),
        ("openid-configuration", Fault(200, b"[]"), "cannot be read"),
        ("openid-configuration", Fault(200, b"<html>"), "cannot be read"),
        ("register", Fault(401), "did not want to register"),
        ("register", Fault(400), "did not want to register"),
        ("register", Fault(409), "cannot be read"),
        ("register", Fault(200, b"{}"), "cannot be read"),
        ("register", Fault(200, b'{"client_id": ""}'), "cannot be read"),
        ("register", Fault(200, b'{"client_id": 7}'), "cannot be read"),
    ],
)
def test_where_it_fails_the_link_stays_good(
    stranger: CoursePlatform, where: str, fault: Fault, says: str
) -> None:
    path = invited(stranger)
    stranger.fails(where, fault)
    answer = registers(stranger, path)
    assert answer.status_code in (400, 403, 503)
    assert says in answer.content.decode()
    assert not LtiPlatform.objects.exclude(client_id="").exists()
    assert registers(stranger, path).status_code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"registration_endpoint": "http://127.0.0.1:9/register"},
        {"token_endpoint": "https://evil.example/token"},
        {"jwks_uri": "https://evil.example/keys"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"issuer": "https://evil.example"},
        {"issuer": "https://" + "x" * 300},
        {"jwks_uri": ""},
        {"jwks_uri": None},
    ],
)
def test_a_platform_that_names_what_staff_has_not(
    stranger: CoursePlatform, changes: dict[str, Any]
) -> None:
    path = invited(stranger)
    stranger.told = changes
    assert registers(stranger, path).status_code in (400, 403)
    row = LtiPlatform.objects.get()
    assert (row.client_id, row.issuer, row.is_active) == ("", stranger.url, False)
    stranger.told = {}
    assert registers(stranger, path).status_code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"openid_configuration": "http://169.254.169.254/latest"},
        {"openid_configuration": "file:///etc/passwd"},
        {"openid_configuration": ""},
        {"registration_token": "a\r\nX-Forged: 1"},
        {"registration_token": "für"},
    ],
)
def test_no_other_address_is_asked(stranger: CoursePlatform, changes: dict[str, str]) -> None:
    answer = registers(stranger, invited(stranger), **changes)
    assert answer.status_code in (400, 403)
    assert stranger.asked == []


def test_a_link_that_is_opened_by_hand_says_where_it_belongs(stranger: CoursePlatform) -> None:
    assert b"belongs into the form of the platform" in Client().get(invited(stranger)).content


def test_a_deployment_is_named_at_the_yes_where_none_was_told(stranger: CoursePlatform) -> None:
    path = invited(stranger)
    stranger.tool_part = {}
    assert registers(stranger, path).status_code == 200
    with pytest.raises(CommandError, match="--deployment: "):
        told("confirm", "School")
    told("confirm", "School", "--deployment", "7")
    assert LtiPlatform.objects.get().has_deployment("7")
    with pytest.raises(CommandError, match="waits for that"):
        told("confirm", "School")
    with pytest.raises(CommandError, match="choose another name"):
        invited(stranger)


@pytest.mark.django_db
def test_a_link_needs_an_address_with_https() -> None:
    for wrong in ("http://school.example", "school", ""):
        with pytest.raises(CommandError, match=r"Write a whole address|cannot be blank"):
            told("invite", "School", "https://bazaar.example", "--issuer", wrong)
    made = told("invite", "School", "https://bazaar.example/", "--moodle", "moodle.example")
    assert made.startswith("https://bazaar.example/rooms/lti/register/")
    assert LtiPlatform.objects.get().origins() == ("https://moodle.example",)
