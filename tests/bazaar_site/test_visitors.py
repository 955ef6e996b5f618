"""Who comes is remembered only when there is something to remember."""

import datetime as dt
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from negotiation import limits
from negotiation.games import visitors
from negotiation.games.visitors import UNSTORED_DAYS, is_unstored_key, unstored_key
from negotiation.models import Game, Invitation, Listing
from rooms import accounts
from rooms.tasks import forget_old_sessions

COOKIE = settings.SESSION_COOKIE_NAME
ADDRESS = "127.0.0.1"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/sell/",
        "/replays/",
        "/leaderboard/",
        "/nothing/here/",
        "/favicon.ico",
        "/admin/login/",
    ],
)
def test_looking_stores_nothing(address: str) -> None:
    for _ in range(3):
        Client().get(address)
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_any_page_names_the_visitor_and_the_name_stays() -> None:
    asha = Client()
    asha.get("/sell/")
    name = asha.cookies[COOKIE].value
    assert asha.cookies[COOKIE]["httponly"]
    asha.get("/replays/")
    asha.get("/no/such/page/")
    assert asha.cookies[COOKIE].value == name


@pytest.mark.django_db
def test_what_caches_keep_for_everybody_names_nobody() -> None:
    kept = Client().get("/training/receipts/voices.json")
    assert "public" in kept["Cache-Control"]
    assert not kept.cookies


@pytest.mark.django_db
def test_who_plays_is_remembered_under_the_name_of_the_first_page(listing: Listing) -> None:
    asha = Client()
    asha.get("/sell/")
    name = asha.cookies[COOKIE].value
    game = _opened(asha, listing)
    assert Game.objects.get(pk=game).owner == name
    assert [row.session_key for row in Session.objects.all()] == [name]
    assert asha.get(f"/api/sell/{game}/").status_code == 200
    assert Client().get(f"/api/sell/{game}/").status_code == 404


@pytest.mark.django_db
def test_a_program_without_a_page_is_remembered_too(listing: Listing) -> None:
    asha = Client()
    game = _opened(asha, listing)
    assert Game.objects.get(pk=game).owner == asha.cookies[COOKIE].value
    assert asha.get(f"/api/sell/{game}/").status_code == 200


@pytest.mark.django_db
def test_what_is_refused_stores_nobody(listing: Listing) -> None:
    mallory = Client(enforce_csrf_checks=True)
    mallory.post("/api/sell/", {"listing": listing.pk}, content_type="application/json")
    mallory.post("/sell/nobody/nothing/")
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_a_login_is_remembered(django_user_model: Any) -> None:
    django_user_model.objects.create_user("meena", password="a-long-secret")
    host = Client()
    host.get("/account/login/")
    host.post("/account/login/", {"username": "meena", "password": "a-long-secret"})
    assert "_auth_user_id" in host.session
    assert Session.objects.count() == 1
    assert not is_unstored_key(host.cookies[COOKIE].value)


@pytest.mark.django_db
def test_language_needs_no_row() -> None:
    asha = Client()
    asha.get("/")
    asha.post("/language/", {"language": "hi", "next": "/"})
    assert asha.cookies[settings.LANGUAGE_COOKIE_NAME].value == "hi"
    assert not Session.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_first_requests_at_once_have_one_owner(listing: Listing) -> None:
    page = Client()
    page.get("/sell/")
    name = page.cookies[COOKIE].value
    gate = threading.Barrier(4)
    got: list[int] = []

    def open_one() -> None:
        asha = Client()
        asha.cookies[COOKIE] = name
        gate.wait()
        try:
            body = {"listing": listing.pk}
            answer = asha.post("/api/sell/", body, content_type="application/json")
            got.append(answer.status_code)
        finally:
            connection.close()

    tries = [threading.Thread(target=open_one) for _ in range(4)]
    for one in tries:
        one.start()
    for one in tries:
        one.join()
    assert got == [201] * 4
    assert {game.owner for game in Game.objects.all()} == {name}
    assert Session.objects.count() == 1


@pytest.mark.django_db
def test_nobody_makes_a_key_up(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    asha = Client()
    forged = unstored_key()[:-1] + "!"
    asha.cookies[COOKIE] = forged
    game = _opened(asha, listing)
    assert Game.objects.get(pk=game).owner not in {forged, ""}
    late = unstored_key()
    day = timezone.now().date() + dt.timedelta(days=UNSTORED_DAYS + 1)
    monkeypatch.setattr(visitors, "_today", lambda: (day - visitors._FIRST_DAY).days)
    assert not is_unstored_key(late)


@pytest.mark.django_db
def test_one_address_brings_so_many_new_people(
    listing: Listing, set_limit: Callable[[str, str], None]
) -> None:
    set_limit("visitors", "2/hour")
    known = Client()
    _opened(known, listing)
    _opened(Client(), listing)
    body = {"listing": listing.pk}
    third = Client().post("/api/sell/", body, content_type="application/json")
    assert third.status_code == 429
    assert third["Retry-After"]
    assert third.json()["error"]["code"] == "rate-limited"
    # A page says it in words, and who is known plays on.
    offer = {"listing": listing.pk, "name": "Asha", "seat": "seller"}
    page = Client().post("/pair/", offer)
    assert page.status_code == 429
    assert "Your place is kept" in page.content.decode()
    _opened(known, listing)
    assert not Invitation.objects.exists()
    other = Client().post(
        "/api/sell/", body, content_type="application/json", REMOTE_ADDR="10.1.1.1"
    )
    assert other.status_code == 201


def test_a_school_behind_one_address_all_plays(listing: Listing) -> None:
    """1,500 new browsers of one address in an hour, 60 of them in one minute."""
    limits.forget_uses()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(60):
            _opened(Client(), listing)
        for _ in range(24):
            clock.shift(dt.timedelta(seconds=60))
            for _ in range(60):
                limits.spend("visitors", ADDRESS)
                limits.spend("games", ADDRESS)
    assert Game.objects.count() == 60
    limits.forget_uses()


def test_whoever_comes_too_many_keeps_a_place(
    listing: Listing, set_limit: Callable[[str, str], None]
) -> None:
    set_limit("visitors", "2/minute")
    asked = {"listing": listing.pk, "rounds": 8, "name": "Asha & Co"}
    with time_machine.travel(timezone.now(), tick=False) as clock:
        _opened(Client(), listing)
        clock.shift(dt.timedelta(seconds=10))
        _opened(Client(), listing)
        clock.shift(dt.timedelta(seconds=10))
        first, second = Client(), Client()
        waits = [one.post("/sell/new/", asked) for one in (first, second)]
        assert [page["Retry-After"] for page in waits] == ["40", "50"]
        assert 'name="name" value="Asha &amp; Co"' in waits[0].content.decode()
        clock.shift(dt.timedelta(seconds=15))
        # The countdown never goes back; as many places as a window holds are promised, no more.
        assert first.post("/sell/new/", asked)["Retry-After"] == "25"
        refused = Client().post("/sell/new/", asked)
        assert refused.status_code == 429
        assert visitors.PLACE_COOKIE not in refused.cookies
        # Nobody else can use the promise.
        thief = Client()
        thief.cookies[visitors.PLACE_COOKIE] = first.cookies[visitors.PLACE_COOKIE].value
        clock.shift(dt.timedelta(seconds=25))
        assert Client().post("/sell/new/", asked)["Retry-After"] == "60"
        assert thief.post("/sell/new/", asked).status_code == 429
        assert first.post("/sell/new/", asked).status_code == 302
        assert second.post("/sell/new/", asked).status_code == 429
        clock.shift(dt.timedelta(seconds=10))
        assert second.post("/sell/new/", asked).status_code == 302


def test_no_password_waits_in_a_page(
    listing: Listing, set_limit: Callable[[str, str], None]
) -> None:
    set_limit("visitors", "1/minute")
    _opened(Client(), listing)
    asked = {"listing": listing.pk, "rounds": 8, "password": "of-nobody-else"}
    page = Client().post("/sell/new/", asked)
    assert page.status_code == 429
    assert "of-nobody-else" not in page.content.decode()
    assert visitors.PLACE_COOKIE not in page.cookies


@pytest.mark.parametrize("said", ["", "x", "WyJhIiwxXQ:1:2", "\xa5"])
def test_a_broken_promise_is_no_promise(
    listing: Listing, set_limit: Callable[[str, str], None], said: str
) -> None:
    set_limit("visitors", "1/minute")
    _opened(Client(), listing)
    late = Client()
    late.cookies[visitors.PLACE_COOKIE] = said
    assert late.post("/sell/new/", {"listing": listing.pk}).status_code == 429


@pytest.mark.django_db
def test_sessions_whose_time_is_over_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "SESSIONS_AT_ONCE", 2)
    now = timezone.now()
    for number in range(5):
        past = now - dt.timedelta(days=number + 1)
        Session.objects.create(session_key=f"old{number}", session_data="", expire_date=past)
    Session.objects.create(session_key="new", session_data="", expire_date=now + dt.timedelta(1))
    forget_old_sessions()
    assert [row.pk for row in Session.objects.all()] == ["new"]


@pytest.fixture
def listing(db: None) -> Listing:
    return Listing.objects.create(
        title="Pressure cooker",
        category="Kitchen",
        list_price=200_000,
        street_price=160_000,
        source_key="cooker",
    )


@pytest.fixture
def set_limit(settings: Any) -> Iterator[Callable[[str, str], None]]:
    """Sets one limit for a test."""

    def set_one(name: str, text: str) -> None:
        settings.LIMITS = {**settings.LIMITS, name: text}
        limits.forget_settings()

    yield set_one
    limits.forget_settings()


def _opened(client: Client, listing: Listing) -> str:
    answer = client.post("/api/sell/", {"listing": listing.pk}, content_type="application/json")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])
