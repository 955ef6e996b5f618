"""Whoever tries to come in with what no platform has signed for this browser, now, once."""

import math
import time
from typing import Any

import jwt
import pytest
from django.test import Client

from rooms.lti import launching
from rooms.models import LtiLaunch, LtiPlatform, LtiSeat
from tests.support.course_platform import (
    CLAIM,
    WINDOW,
    CoursePlatform,
    Fault,
    an_rsa_key,
)
from tests.support.rooms import a_room


def refused(answer: Any, words: str, status: int = 403) -> None:
    """Refused in words, without a traceback, and nothing is kept."""
    page = answer.content.decode()
    assert answer.status_code == status, page
    assert words in page
    assert "Traceback" not in page
    assert not LtiLaunch.objects.exists()
    assert not LtiSeat.objects.exists()
    assert "Location" not in answer


def test_a_wrong_signature(platform: CoursePlatform) -> None:
    room = a_room()
    other = an_rsa_key()
    assert other is not platform.key
    answer = platform.person("s-1").opens(
        room.code, signs=lambda claims: platform.signed(claims, key=other)
    )
    refused(answer, "not signed by the platform")


def test_no_algorithm_and_the_public_key_as_a_password(platform: CoursePlatform) -> None:
    room, asha = a_room(), platform.person("s-1")
    public = platform.certs()["keys"][0]["n"]

    def unsigned(claims: dict[str, Any]) -> str:
        return jwt.encode(claims, None, algorithm="none", headers={"kid": platform.kid})

    def shared(claims: dict[str, Any]) -> str:
        return platform.signed(claims, key=public, algorithm="HS256")

    def pretends(claims: dict[str, Any]) -> str:
        return f"{platform.signed(claims).split('.')[0]}.{shared(claims).partition('.')[2]}"

    for signs in (unsigned, shared, pretends):
        refused(asha.opens(room.code, signs=signs), "not signed by the platform")


def test_no_key_of_that_name(platform: CoursePlatform) -> None:
    def signs(claims: dict[str, Any]) -> str:
        return platform.signed(claims, kid="unheard-of")

    refused(platform.person("s-1").opens(a_room().code, signs=signs), "not signed")
    assert platform.asked.count("certs") == 2, "once more, for the platform may have new keys"
    refused(platform.person("s-1").opens(a_room().code, signs=signs), "not signed")
    assert platform.asked.count("certs") == 2, "not for everybody who names another key"


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ({"exp": 1}, "Too much time"),
        ({"exp": None}, "cannot be read"),
        ({"iat": 4_000_000_000}, "not signed"),
        ({"aud": "somebody-else"}, "does not know that platform"),
        ({"aud": ["bazaar-at-school", "other"]}, "does not know that platform"),
        ({"iss": "https://elsewhere.example"}, "does not know that platform"),
        ({f"{CLAIM}deployment_id": "2"}, "can add its deployment id: 2"),
        ({f"{CLAIM}deployment_id": "<b>"}, "can add its deployment id: &lt;b&gt;"),
        ({f"{CLAIM}deployment_id": None}, "deployment id"),
        ({"nonce": "another"}, "used already"),
        ({"nonce": None}, "cannot be read"),
        ({"sub": None}, "cannot be read"),
        ({"sub": ["s-1"]}, "cannot be read"),
        ({"sub": "s" * 256}, "cannot be read"),
        ({"sub": "s\0"}, "cannot be read"),
        ({"sub": "\ud800"}, "cannot be read"),
        ({"exp": math.inf}, "cannot be read"),
        ({"nbf": math.inf}, "cannot be read"),
        ({"iat": math.nan}, "cannot be read"),
        ({f"{CLAIM}custom": {"room": "A\0"}}, "cannot be read"),
        ({f"{CLAIM}roles": "Learner"}, "cannot be read"),
        ({f"{CLAIM}resource_link": "link"}, "cannot be read"),
        ({f"{CLAIM}custom": [1]}, "cannot be read"),
        ({f"{CLAIM}version": "1.1"}, "cannot be read"),
        ({f"{CLAIM}message_type": "Something"}, "cannot be read"),
    ],
)
def test_what_is_said_is_not_as_it_must_be(
    platform: CoursePlatform, claims: dict[str, Any], words: str
) -> None:
    answer = platform.person("s-1").opens(a_room().code, claims=claims)
    refused(answer, words, 400 if words == "cannot be read" else 403)


def test_a_message_counts_once(platform: CoursePlatform, monkeypatch: pytest.MonkeyPatch) -> None:
    room, asha = a_room(), platform.person("s-1")
    form = asha.asks(room.code)
    assert asha.sends(form).status_code == 303
    again = asha.sends(form)
    assert again.status_code == 403
    assert b"used already" in again.content
    assert LtiLaunch.objects.count() == 1
    # Two processes that look at the same moment both find it unused.
    monkeypatch.setattr(launching._Nonces, "check_nonce", lambda *_: True)
    assert b"used already" in asha.sends(form).content
    assert LtiLaunch.objects.count() == 1


def test_a_message_for_another_browser(platform: CoursePlatform) -> None:
    """Mallory's own message in Asha's browser would seat her in his chair."""
    room, mallory, asha = a_room(), platform.person("m"), platform.person("s-1")
    form = mallory.asks(room.code)
    refused(asha.sends(form), "cookie")
    asha.asks(room.code)
    refused(asha.sends(form), "cookie")
    forged = {**form, "state": "state-1-forged"}
    asha.client.cookies["lti1p3-state-1-forged"] = "state-1-forged"
    refused(asha.sends(forged), "used already")
    answer = mallory.sends(form)
    page = asha.client.get(answer["Location"])
    assert page.status_code == 403
    assert b"Come in</button>" not in page.content


def test_a_message_that_took_too_long(
    platform: CoursePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha = platform.person("s-1")
    form = asha.asks(a_room().code)
    monkeypatch.setattr(launching, "STATE_S", -1)
    refused(asha.sends(form), "Too much time")


def test_a_platform_that_staff_has_disconnected(platform: CoursePlatform) -> None:
    asha = platform.person("s-1")
    form = asha.asks(a_room().code)
    LtiPlatform.objects.update(is_active=False)
    refused(asha.sends(form), "does not know that platform")
    asked = platform.login(asha, "ABCDEF")
    refused(Client().get("/rooms/lti/login/", asked, **WINDOW), "does not know that platform")


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/rooms/lti/launch/",
        "http://testserver@evil.example/",
        "http://testserver.evil.example/",
        "//evil.example",
        "javascript:alert(1)",
        "http://[",
    ],
)
def test_a_link_to_another_site(platform: CoursePlatform, target: str) -> None:
    asked = platform.login(platform.person("s-1"), "ABCDEF", target=target)
    refused(Client().get("/rooms/lti/login/", asked, **WINDOW), "another site", 400)


@pytest.mark.parametrize(
    "changes",
    [{"iss": ""}, {"login_hint": ""}, {"login_hint": "x" * 5_000}, {"iss": "a\0b"}],
)
def test_a_login_that_cannot_be_read(platform: CoursePlatform, changes: dict[str, str]) -> None:
    asked = platform.login(platform.person("s-1"), "ABCDEF") | changes
    refused(Client().get("/rooms/lti/login/", asked, **WINDOW), "cannot be read", 400)


@pytest.mark.parametrize(
    "token",
    ["", "a", "a.b.c", "e30.e30.e30", "W10.W10.W10", "x" * 40_000, "é.é.é", "bnVsbA.MQ.IiI"],
)
def test_a_message_that_cannot_be_read(platform: CoursePlatform, token: str) -> None:
    asha = platform.person("s-1")
    form = {**asha.asks(a_room().code), "id_token": token}
    refused(asha.sends(form), "cannot be read", 400)


def test_a_message_with_nothing_in_it(platform: CoursePlatform) -> None:
    refused(Client().post("/rooms/lti/launch/"), "cannot be read", 400)
    refused(Client().post("/rooms/lti/launch/", {"state": "x"}), "cannot be read", 400)
    refused(Client().post("/rooms/lti/launch/", {"id_token": "a.b.c"}), "cookie")


@pytest.mark.parametrize(
    "fault",
    [
        Fault(500),
        Fault(200, b"<html>"),
        Fault(200, b'{"keys": 1}'),
        Fault(200, b'{"keys": [1]}'),
        Fault(200, b'{"keys": "' + b"x" * 400_000 + b'"}'),
        Fault(302, b"http://127.0.0.1:1/certs"),
    ],
)
def test_keys_that_do_not_come(platform: CoursePlatform, fault: Fault) -> None:
    platform.always["certs"] = fault
    room = a_room()
    for sub in ("s-1", "s-2"):
        refused(platform.person(sub).opens(room.code), "does not answer", 503)
    assert platform.asked.count("certs") == 1, "a class does not wait one by one"


def test_keys_that_take_too_long(platform: CoursePlatform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooms.lti.outside.READ_S", 0.1)
    platform.always["certs"] = Fault(200, wait_s=0.5)
    refused(platform.person("s-1").opens(a_room().code), "does not answer", 503)


@pytest.mark.parametrize(
    "key",
    [
        {"kty": "oct", "k": "c2VjcmV0"},
        {"kty": "RSA", "n": "AQAB", "e": "x"},
        {"kty": "RSA"},
        {"kty": "EC", "crv": "P-256", "x": "a", "y": "b"},
    ],
)
def test_keys_that_are_none(platform: CoursePlatform, key: dict[str, str]) -> None:
    keys = {"keys": [{**key, "kid": platform.kid, "alg": "RS256"}]}
    platform.certs = lambda: keys  # type: ignore[method-assign]
    refused(platform.person("s-1").opens(a_room().code), "not signed")


def test_new_keys_of_a_platform_are_found(platform: CoursePlatform) -> None:
    room = a_room()
    assert platform.person("s-1").opens(room.code).status_code == 200
    assert platform.person("s-2").opens(room.code).status_code == 200
    assert platform.asked.count("certs") == 1, "a class does not ask sixty times"
    platform.takes_new_keys()
    assert platform.person("s-3").opens(room.code).status_code == 200
    assert platform.asked.count("certs") == 2


def test_what_came_an_hour_ago_is_forgotten(platform: CoursePlatform) -> None:
    import time_machine

    room = a_room()
    page = platform.person("s-1").opens(room.code).request["PATH_INFO"]
    with time_machine.travel(time.time() + 3_700, tick=False):
        ravi = platform.person("s-2")
        assert ravi.opens(room.code).status_code == 200
        assert LtiLaunch.objects.count() == 1
        assert ravi.client.get(page).status_code == 403
