"""Accounts of hosts: invitations that work once, logins that take games along, throttling."""

from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import urlparse

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from negotiation.models import Game
from rooms.accounts import OWNED, invitation_for, invite
from rooms.models import LastLogin
from tests.support.rooms import PASSWORD, a_browser, a_host, a_room, at_desk, comes_in, goods

pytestmark = pytest.mark.django_db


def said(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_add_host_says_a_password_that_opens() -> None:
    told = said("add_host", "meera")
    password = told.split("Password: ")[1].split()[0]
    client = a_browser()
    answer = client.post("/account/login/", {"username": "meera", "password": password})
    assert answer["Location"] == "/rooms/"
    assert "You are meera" in client.get("/rooms/").content.decode()
    with pytest.raises(CommandError):
        said("add_host", "meera")
    assert password not in said("add_host", "meera", "--new-password")


def test_an_invitation_works_once() -> None:
    link = said("invite_host", "meera", "--site", "https://bazaar.example").split()[0]
    path = urlparse(link).path
    client = a_browser()
    assert "Welcome, meera" in client.get(path).content.decode()
    assert client.post(path, {"new_password1": "12345678"}).status_code == 422
    assert client.post(path, {"new_password1": PASSWORD})["Location"] == "/rooms/"
    assert client.get("/rooms/new/").status_code == 200
    assert a_browser().get(path).status_code == 404
    assert a_browser().post(path, {"new_password1": "another-password"}).status_code == 404


def test_an_invitation_grows_old_and_cannot_be_made_up() -> None:
    path = f"/account/join/{invitation_for(invite('meera'))}/"
    assert a_browser().get(path.replace(":", ":x", 1)).status_code == 404
    with time_machine.travel(timezone.now() + timedelta(days=8), tick=True):
        assert a_browser().get(path).status_code == 404


def test_a_login_takes_the_visitors_games_along() -> None:
    host = a_host()
    lamp, *_ = goods()
    client = a_browser()
    page = client.post("/sell/new/", {"listing": lamp.pk})["Location"]
    room = a_room(a_host("other"))
    comes_in(room, "Meera", client)
    before = client.session.session_key
    client.post("/account/login/", {"username": host.username, "password": PASSWORD})
    assert client.session.session_key != before
    assert client.get(page).status_code == 200
    assert Game.objects.get().owner == client.session.session_key
    assert "You are in" in client.get(f"/rooms/{room.code}/").content.decode()


def test_every_table_of_visitors_goes_along() -> None:
    from django.apps import apps

    known = {(name.lower(), column) for name, column in OWNED} | {
        ("negotiation.game", "owner"),
        ("negotiation.game", "rival"),
    }
    names = {"owner", "rival", "rater", "session", "first_session", "desk_session"}
    found = {
        (model._meta.label_lower, field.name)
        for model in apps.get_models()
        for field in model._meta.fields
        if field.name in names and getattr(field, "max_length", None) == 40
    }
    assert found - known == set()


def test_wrong_passwords_are_counted_and_right_ones_are_not() -> None:
    host = a_host()
    for _ in range(25):
        assert at_desk(host).get("/rooms/new/").status_code == 200
    client = a_browser()
    for _ in range(20):
        client.post("/account/login/", {"username": "meera", "password": "wrong"})
    told = client.post("/account/login/", {"username": "meera", "password": PASSWORD})
    assert "Many wrong passwords" in told.content.decode()
    elsewhere = a_browser(REMOTE_ADDR="203.0.113.9")
    answer = elsewhere.post("/account/login/", {"username": "meera", "password": PASSWORD})
    assert answer.status_code == 302


def test_the_admin_makes_links() -> None:
    boss = User.objects.create_superuser("boss", password=PASSWORD)
    invite("meera")
    client = at_desk(boss)
    action = {"action": "invite", "_selected_action": [User.objects.get(username="meera").pk]}
    page = client.post("/admin/auth/user/", action, follow=True).content.decode()
    assert "/account/join/" in page


def test_logging_in_leads_nowhere_else() -> None:
    host = a_host()
    client = a_browser()
    form = {"username": host.username, "password": PASSWORD, "next": "https://evil.example/"}
    assert client.post("/account/login/", form)["Location"] == "/rooms/"


def test_the_admins_door_counts_wrong_passwords_too() -> None:
    User.objects.create_superuser("boss", password=PASSWORD)
    mallory = a_browser(REMOTE_ADDR="203.0.113.7")
    wrong = {"username": "boss", "password": "wrong"}
    for _ in range(20):
        assert "fit together" in mallory.post("/admin/login/", wrong).content.decode()
    right = {"username": "boss", "password": PASSWORD, "next": "/admin/"}
    for path in ("/admin/login/", "/account/login/"):
        told = mallory.post(path, right)
        assert (told.status_code, "_auth_user_id" in mallory.session) == (200, False)
        assert "Many wrong passwords" in told.content.decode()
    # Nobody locks the boss out from elsewhere, and a proxy's word counts only where it is trusted.
    liar = a_browser(REMOTE_ADDR="203.0.113.7", HTTP_X_FORWARDED_FOR="198.51.100.1")
    assert "Many wrong" in liar.post("/admin/login/", right).content.decode()
    boss = a_browser(REMOTE_ADDR="203.0.113.9")
    assert boss.post("/admin/login/", right)["Location"] == "/admin/"


def test_behind_a_trusted_proxy_each_client_has_a_count_of_its_own(settings: Any) -> None:
    settings.TRUSTED_PROXIES = "10.0.0.0/8"
    User.objects.create_superuser("boss", password=PASSWORD)
    mallory = a_browser(REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.7")
    for _ in range(21):
        mallory.post("/admin/login/", {"username": "boss", "password": "wrong"})
    boss = a_browser(REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.9")
    right = {"username": "boss", "password": PASSWORD, "next": "/admin/"}
    assert boss.post("/admin/login/", right).status_code == 302


ROUTER, ELSEWHERE = {"REMOTE_ADDR": "203.0.113.7"}, {"REMOTE_ADDR": "203.0.113.9"}
DOORS = ("/account/login/", "/admin/login/")


def tries(door: str, name: str, password: str = PASSWORD, **address: str) -> str:
    """What comes of a login: "in", "wrong" or "refused"."""
    answer = a_browser(**address).post(door, {"username": name, "password": password})
    if answer.status_code == 302:
        return "in"
    return "refused" if "Many wrong passwords" in answer.content.decode() else "wrong"


@pytest.mark.parametrize("door", DOORS)
def test_who_guesses_behind_a_router_shuts_out_nobody_who_is_at_home_there(door: str) -> None:
    for name in ("meera", "omar", "priya"):
        User.objects.create_superuser(name, password=PASSWORD)
    for name in ("meera", "omar"):
        assert tries(door, name, **ROUTER) == "in"
    for number in range(20):
        assert tries(door, f"name {number}", "guess", **ROUTER) == "wrong"
    for _ in range(2):
        assert tries(door, "meera", **ROUTER) == tries(door, "omar", **ROUTER) == "in"
    assert tries(door, "priya", **ROUTER) == "refused", "many names are still stopped"
    assert tries(door, "nobody", "guess", **ROUTER) == "refused"
    assert tries(door, "priya", **ELSEWHERE) == "in"


@pytest.mark.parametrize("door", DOORS)
def test_an_account_at_home_has_a_count_of_its_own(door: str) -> None:
    for name in ("meera", "omar", "priya"):
        User.objects.create_superuser(name, password=PASSWORD)
    for name in ("meera", "omar"):
        assert tries(door, name, **ROUTER) == "in"
    told = [tries(door, "meera", "guess", **ROUTER) for _ in range(21)]
    assert told == ["wrong"] * 20 + ["refused"]
    assert tries(door, "meera", **ROUTER) == "refused"
    assert tries(door, "MEERA", "guess", **ROUTER) == "refused", "one count, however it is spelt"
    assert tries(door, "omar", **ROUTER) == "in"
    assert tries(door, "priya", **ROUTER) == "refused", "they count for the address, too"


def test_home_is_where_the_last_login_was() -> None:
    a_host()
    door = DOORS[0]
    assert tries(door, "meera", **ROUTER) == "in"
    assert tries(door, "meera", **ELSEWHERE) == "in"
    for number in range(20):
        tries(door, f"name {number}", "guess", **ROUTER)
        tries(door, f"name {number}", "guess", **ELSEWHERE)
    assert tries(door, "meera", **ROUTER) == "refused"
    assert tries(door, "meera", **ELSEWHERE) == "in"
    row = LastLogin.objects.values().get()
    assert not [value for value in row.values() if "203.0.113" in str(value)], "a digest"


def test_a_wrong_password_makes_nobody_at_home() -> None:
    a_host()
    tries(DOORS[0], "meera", "guess", **ROUTER)
    assert not LastLogin.objects.exists()


def test_an_invitation_brings_somebody_home() -> None:
    path = f"/account/join/{invitation_for(invite('meera'))}/"
    assert a_browser(**ROUTER).post(path, {"new_password1": PASSWORD}).status_code == 302
    for number in range(20):
        tries(DOORS[0], f"name {number}", "guess", **ROUTER)
    assert tries(DOORS[0], "meera", **ROUTER) == "in"


def test_a_host_is_no_staff() -> None:
    a_host()
    client = a_browser()
    told = client.post("/admin/login/", {"username": "meera", "password": PASSWORD})
    assert told.status_code == 200
    assert "_auth_user_id" not in client.session
