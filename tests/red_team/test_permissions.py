"""Everybody does what docs/permissions.md says, and nothing else."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from negotiation.models import EventRow, Game
from rooms.accounts import invitation_for, invited
from rooms.models import Member, Room
from tests.support.oracle.permissions import (
    admin_actions,
    admin_addresses,
    clerk,
    deed_faults,
    deeds,
    deeds_there_are,
    door_faults,
    doors,
    rows_of,
    steer,
)
from tests.support.oracle.readers import belongings
from tests.support.oracle.worlds import a_world
from tests.support.rooms import a_host, at_desk
from training.bots.models import Bot

pytestmark = pytest.mark.django_db

WHERE = "Say in docs/permissions.md who may do it."


def test_everything_that_can_be_done_in_rooms_stands_on_the_page() -> None:
    with a_world():
        there = deeds_there_are()
    assert there - deeds().keys() == set(), WHERE
    assert deeds().keys() - there == set(), "It cannot be done any more."


def test_every_page_and_action_of_the_admin_stands_on_the_page() -> None:
    told = {door.how for door in doors()}
    pages = {how.partition(" ")[2] for how in told if not how.startswith("ACTION")}
    actions = {how.partition(" ")[2] for how in told if how.startswith("ACTION")}
    assert set(admin_addresses()) - pages == set(), WHERE
    assert pages - set(admin_addresses()) == set(), "No such page any more."
    assert admin_actions() ^ actions == set(), WHERE


def test_everybody_does_in_rooms_what_the_page_says() -> None:
    with a_world():
        asked, faults = deed_faults()
    assert faults == [], "\n".join(faults)
    assert asked > 250


def test_the_admin_opens_to_whom_the_page_says() -> None:
    with a_world():
        asked, faults = door_faults()
    assert faults == [], "\n".join(faults)
    assert asked > 700


# Accounts


def rights(*names: str) -> list[Permission]:
    return list(Permission.objects.filter(codename__in=names))


def in_a_group(name: str, **fields: Any) -> User:
    """A host who may change listings, by a group."""
    group, _ = Group.objects.get_or_create(name="shelvers")
    group.permissions.set(rights("change_listing"))
    host = User.objects.create_user(name, **fields)
    host.groups.add(group)
    return host


TARGETS = {
    "boss": lambda: User.objects.create_superuser("boss"),
    "closed": lambda: User.objects.create_superuser("closed", is_active=False),
    "rita": lambda: User.objects.create_user("rita", is_staff=True),
    "clerk": lambda: User.objects.get(username="clerk"),
    "shelver": lambda: in_a_group("shelver"),
    "sleeper": lambda: in_a_group("sleeper", is_active=False),
}
OF_ACCOUNTS = ("view_user", "add_user", "change_user", "delete_user", "change_group")


def tried(client: Client, account: User) -> None:
    """Whatever would take an account over, or end it."""
    at = f"/admin/auth/user/{account.pk}/"
    form = {"username": "mallory", "is_active": "on", "is_superuser": "on", "is_staff": "on"}
    client.post(f"{at}change/", form)
    client.post(f"{at}password/", {"password1": "so-long-a-word", "password2": "so-long-a-word"})
    client.post(f"{at}password/", {"usable_password": "false", "unset-password": "1"})
    client.post(f"{at}delete/", {"post": "yes"})
    chosen = {"_selected_action": [account.pk], "post": "yes"}
    client.post("/admin/auth/user/", {"action": "delete_selected", **chosen})


@pytest.mark.parametrize("name", TARGETS)
def test_staff_who_may_change_accounts_take_over_none_that_may_do_more(name: str) -> None:
    client = clerk()
    steer(*rights(*OF_ACCOUNTS))
    account = TARGETS[name]()
    before = User.objects.filter(pk=account.pk).values().get()
    tried(client, account)
    after = User.objects.filter(pk=account.pk).values().get()
    assert after == before
    form = {"action": "invite", "_selected_action": [account.pk]}
    page = client.post("/admin/auth/user/", form, follow=True).content.decode()
    assert "/account/join/" not in page
    assert "only a superuser can make this link" in page
    shown = client.get(f"/admin/auth/user/{account.pk}/change/").content.decode()
    assert "algorithm" not in shown


def test_whoever_has_a_hosts_rights_may_change_that_host() -> None:
    client = clerk()
    account = in_a_group("shelver")
    steer(*rights(*OF_ACCOUNTS, "change_listing"))
    form = {"action": "invite", "_selected_action": [account.pk]}
    page = client.post("/admin/auth/user/", form, follow=True).content.decode()
    assert "/account/join/" in page


def test_nobody_but_a_superuser_gives_rights() -> None:
    client = clerk()
    steer(*Permission.objects.all())
    host, group = a_host(), Group.objects.create(name="all of it")
    given = {
        "username": "meera", "is_active": "on", "is_staff": "on", "is_superuser": "on",
        "groups": [group.pk], "user_permissions": [Permission.objects.first().pk],  # type: ignore[union-attr]
        "last_login_0": "", "last_login_1": "", "date_joined_0": "2026-11-25",
        "date_joined_1": "06:30:00", "email": "meera@example.org",
    }  # fmt: skip
    at = f"/admin/auth/user/{host.pk}/change/"
    assert client.post(at, given).status_code == 302
    host.refresh_from_db()
    assert (host.email, host.is_staff, host.is_superuser) == ("meera@example.org", False, False)
    assert not host.groups.exists()
    assert not host.user_permissions.exists()
    new = {"username": "new", "password1": "so-long-a-word", "password2": "so-long-a-word"}
    new |= {"usable_password": "true", "is_staff": "on", "is_superuser": "on"}
    assert client.post("/admin/auth/user/add/", new).status_code == 302
    assert not User.objects.get(username="new").is_staff
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"))
    assert boss.post(at, given).status_code == 302
    host.refresh_from_db()
    assert (host.is_staff, host.is_superuser) == (True, True)


def test_a_link_for_a_host_is_void_when_the_host_is_of_the_staff() -> None:
    host = a_host()
    token = invitation_for(host)
    assert invited(token) == host
    for field in ("is_staff", "is_superuser"):
        User.objects.filter(pk=host.pk).update(**{field: True})
        assert invited(token) is None
        User.objects.filter(pk=host.pk).update(**{field: False})


def test_a_superuser_makes_links_for_everybody_and_the_history_has_them() -> None:
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"))
    rita = User.objects.create_user("rita", is_staff=True)
    form = {"action": "invite", "_selected_action": [rita.pk]}
    page = boss.post("/admin/auth/user/", form, follow=True).content.decode()
    link = re.search(r"/account/join/[^\s<]+", page)
    assert link is not None
    assert "rita" in Client().get(link[0]).content.decode()
    history = boss.get(f"/admin/auth/user/{rita.pk}/history/").content.decode()
    assert "Made a link to choose a password." in history


# Secrets


def test_no_page_of_the_admin_shows_a_key() -> None:
    with a_world():
        people, things = belongings()
        rows = rows_of(things)
        Game.objects.update(watch_key=None)
        game = Game.objects.get(pk=things["pair"])
        Game.objects.filter(pk=game.pk).update(watch_key="w" * 24)
        Room.objects.filter(code=things["room"]).update(desk_session=_key(people["meera"]))
        Bot.objects.update(token_hash="t" * 64)
        EventRow.objects.filter(game=game).update(plan={"aim": 987654})
        Member.objects.filter(pk=things["member_id"]).update(first_session="f" * 32)
        secret = {key for one in people.values() if (key := _key(one))}
        secret |= {one.key for one in Member.objects.all()} | {
            "w" * 24,
            "t" * 64,
            "f" * 32,
            "987654",
        }
        secret |= {one.password for one in User.objects.exclude(password="")}
        pages = ["/admin/"]
        more = [game, *EventRow.objects.filter(game=game)[:2], *Member.objects.all()]
        for row in [*rows.values(), *more]:
            at = f"/admin/{row._meta.label_lower.replace('.', '/')}/"
            pages += [at, *(f"{at}{row.pk}/{name}/" for name in ("change", "history", "delete"))]
        told = {page: people["staff"].get(page).content.decode() for page in pages}
    found = [(page, one) for page, text in told.items() for one in secret if one in text]
    assert found == []
    assert len(secret) > 8


def _key(client: Client) -> str:
    cookie = client.cookies.get("sessionid")
    return cookie.value if cookie else ""


HIDDEN = {
    "negotiation/game": ("owner", "rival", "watch_key", "sealed__scenario", "events__payload"),
    "negotiation/eventrow": ("payload", "plan", "game__owner"),
    "leaderboard/boardname": ("owner", "key"),
    "bots/bot": ("owner", "token_hash"),
    "auth/user": ("password", "rooms__desk_session"),
    "rooms/room": ("desk_session", "members__key", "host__password"),
    "rooms/member": (
        "key",
        "session",
        "first_session",
        "name_key",
        "room__desk_session",
        "room__host__password",
    ),
}


@pytest.mark.parametrize("model", HIDDEN)
def test_no_list_is_filtered_by_what_it_does_not_show(model: str, admin_client: Client) -> None:
    for field in HIDDEN[model]:
        for how in ("", "__startswith", "__gt", "__regex"):
            answer = admin_client.get(f"/admin/{model}/?{field}{how}=a")
            assert answer.status_code == 400, (field, how)


def test_every_list_is_filtered_by_what_it_shows(admin_client: Client) -> None:
    for model, one in admin.site._registry.items():
        if model._meta.model_name == "switches":
            continue
        at = f"/admin/{model._meta.label_lower.replace('.', '/')}/"
        for name in one.list_filter:
            assert admin_client.get(f"{at}?{name}__isnull=False").status_code == 200, (at, name)


def test_the_way_to_the_site_is_for_who_may_see_the_thing() -> None:
    from django.contrib.contenttypes.models import ContentType

    client = clerk()
    steer(*rights("view_bot"))
    room = Room.objects.create(host=a_host(), name="Monday", plan={})
    kinds = {model: ContentType.objects.get_for_model(model).pk for model in (Room, Member)}
    assert client.get(f"/admin/r/{kinds[Room]}/{room.pk}/").status_code == 403
    assert client.get(f"/admin/r/999999/{room.pk}/").status_code == 404
    steer(*rights("view_room"))
    assert client.get(f"/admin/r/{kinds[Room]}/{room.pk}/")["Location"].endswith(f"/{room.code}/")


def test_a_superuser_reaches_into_nobodys_room() -> None:
    boss = User.objects.create_superuser("boss", password="mango-lassi-at-noon")
    room = Room.objects.create(host=a_host(), name="Monday", plan={})
    client = at_desk(boss)
    for page in ("desk/", "study/", "data/", "gradebook.csv"):
        assert client.get(f"/rooms/{room.code}/{page}").status_code == 404
    at = f"/admin/rooms/room/{room.pk}/change/"
    assert client.post(at, {"host": boss.pk}).status_code == 403
