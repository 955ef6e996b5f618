"""Who may do what: the tables of ``docs/permissions.md``, asked of the site line by line."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.contrib.messages import INFO, SUCCESS, get_messages
from django.db import transaction
from django.db.models import Model
from django.http import QueryDict
from django.test import Client
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from agents.gates.switches import switches
from agents.models import ModelCall
from negotiation.models import EventRow, Game, Listing
from rooms.hosting import add_cohost
from rooms.models import LtiPlatform, Member, Room, SeatEvent, Study
from rooms.study.desk import SWITCHES, TAKEN
from rooms.web.desk import TO_MEMBERS, TO_ROOMS
from tests.support.oracle.asking import patterns
from tests.support.oracle.readers import address, belongings, is_let_in
from tests.support.rooms import a_host, at_desk
from training.bots.models import Bot
from training.leaderboard.models import BoardName
from training.models import Run

PAGE = Path(__file__).parents[3] / "docs" / "permissions.md"

ROLES = {
    "nobody": "anonymous", "new": "anonymous", "gone": "anonymous",
    "chetan": "guest", "kiran": "guest", "lata": "guest",
    "asha": "member", "bilal": "member", "meera": "host", "nina": "co-host",
    "omar": "other host",
    "clerk": "staff", "staff": "superuser",
}  # fmt: skip
"""Who of ``readers`` stands in which column of the page."""

SITS_ELSEWHERE = ("bilal", "rooms/seat/<slug:key>/")
"""Who has a seat of a room takes no other one there: refused for that, not for who it is."""

VERBS = {
    "rooms/<room_code:code>/desk/<slug:verb>/": (
        "rooms/<room_code:code>/desk/{}/", TO_ROOMS,
    ),
    "rooms/<room_code:code>/desk/<slug:verb>/<slug:member_id>/": (
        "rooms/<room_code:code>/desk/{}/<slug:member_id>/", TO_MEMBERS,
    ),
    "rooms/<slug:code>/study/": ("rooms/<slug:code>/study/ do={}", (*SWITCHES, *TAKEN)),
}  # fmt: skip
"""Addresses that do many things: each is a line of its own."""

THINGS = {
    "rooms/seat/<slug:key>/": "seat",
    "rooms/lti/come/<slug:key>/": "launch",
    "rooms/lti/choose/<slug:key>/": "launch",
    "rooms/lti/register/<str:token>/": "invitation of a platform",
    "account/join/<str:token>/": "invitation of a host",
}
"""What stands in an address that has no room's code."""


def tables() -> dict[str, list[list[str]]]:
    """Return the cells of the page's tables, by their heading."""
    found: dict[str, list[list[str]]] = {}
    for part in re.split(r"^## ", PAGE.read_text(), flags=re.M)[1:]:
        heading, _, text = part.partition("\n")
        rows = [
            [cell.strip().strip("`") for cell in line.strip("|").split("|")]
            for line in text.splitlines()
            if line.startswith("|") and not line.startswith("|--")
        ]
        found[heading] = [row for row in rows if not {"how", "model"} & {row[0], row[1]}]
    return found


def deeds() -> dict[str, set[str]]:
    """Return who may do each thing in rooms, by how it is done."""
    rows = tables()["Rooms"]
    columns = (
        "anonymous",
        "guest",
        "member",
        "host",
        "co-host",
        "other host",
        "staff",
        "superuser",
    )
    return {
        how: {role for role, cell in zip(columns, cells, strict=True) if cell == "✓"}
        for _, how, *cells in rows
    }


def deeds_there_are() -> set[str]:
    """Return what can be posted to in rooms and accounts, as the site's own tables say."""
    people, things = _people()
    found = set()
    for pattern in patterns():
        if not pattern.startswith(("rooms/", "account/")):
            continue
        if pattern in VERBS:
            named, verbs = VERBS[pattern]
            found |= {named.format(verb) for verb in verbs}
            continue
        with _undone():
            if _posted(people["clerk"], pattern, things).status_code != 405:
                found.add(pattern)
    return found


def deed_faults() -> tuple[int, list[str]]:
    """Let everybody do everything in a room; gives how often, and who was let in, or out, wrongly.

    Nothing of the room may change where somebody was refused.
    """
    people, things = _people()
    asked, faults = 0, []
    for how, allowed in deeds().items():
        for name, role in ROLES.items():
            before = _rooms()
            with _undone():
                answer = _posted(people[name], how, things)
                is_changed = _rooms() != before
            asked += 1
            # A form was read; that of a study says so too where it sends no version.
            is_read = answer.status_code == 422 or (answer.status_code == 409 and "/study/" in how)
            is_in = is_let_in(answer, how) or is_read
            may = role in allowed and (name, how) != SITS_ELSEWHERE
            if is_in != may or (is_changed and not may):
                faults.append(f"{name} {how}: {answer.status_code}, changed: {is_changed}")
    return asked, faults


def _people() -> tuple[dict[str, Client], dict[str, str]]:
    people, things = belongings()
    steer(*Permission.objects.all())
    nina = a_host("nina")
    assert add_cohost(Room.objects.get(code=things["room"]), nina.username)
    return {**people, "nina": at_desk(nina)}, things


def _posted(client: Client, how: str, things: Mapping[str, str]) -> Any:
    """Post as somebody's browser would, which stays as it was."""
    pattern, _, field = how.partition(" ")
    copy = Client()
    copy.cookies.load({name: one.value for name, one in client.cookies.items()})
    thing = THINGS.get(pattern, "room")
    path = address(pattern, thing if "<" in pattern else "-", dict(things))
    sent = {"open": "1", "nickname": "Zoya", "agree": "yes", "code": things["room"]}
    sent |= QueryDict(field).dict()
    return copy.post(path, sent)


def _rooms() -> list[object]:
    return [list(model.objects.order_by("pk").values()) for model in (Room, Member, Study)]


@contextmanager
def _undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


# The admin

Kind = Literal["look", "add", "change", "delete"]
STAFF, EVERYBODY, NOBODY, SUPERUSER = "staff", "everybody", "–", "superuser"


class Door(msgspec.Struct, frozen=True):
    """One thing in the admin: ``how`` it is asked, and ``rights``: any set of them opens it."""

    how: str
    who: str
    rights: tuple[frozenset[str], ...] = ()

    @property
    def others(self) -> set[str]:
        """What opens it nowhere, not even all together."""
        mine = {right for rights in self.rights for right in rights}
        app = self.who.removesuffix(".*") if self.who.endswith(".*") else None
        return {one for one in _every_right() if one not in mine and one.partition(".")[0] != app}


STANDARD: dict[str, Kind] = {
    "": "look", "<path:object_id>/history/": "look", "<path:object_id>/change/": "look",
    "add/": "add", "<path:object_id>/delete/": "delete",
}  # fmt: skip
"""The pages that Django makes for a model."""


def doors() -> list[Door]:
    """Return everything that the page says of the admin."""
    found = []
    for _, how, who in tables()["The admin, other pages and actions"]:
        found.append(Door(how, who, _rights(who)))
    there = set(admin_addresses())
    for label, *cells in tables()["The admin, by model"]:
        app, _, model = label.partition(".")
        words: dict[str, str] = dict(zip(("look", "add", "change", "delete"), cells, strict=True))
        named = {kind: re.sub(r"(view|add|change|delete)", rf"{app}.\1_{model}", who)
                 for kind, who in words.items()}  # fmt: skip
        at = f"admin/{app}/{model}/"
        pages = [("GET", at + tail, kind) for tail, kind in STANDARD.items()]
        pages += [("POST", f"{at}add/", "add"), ("POST", f"{at}<path:object_id>/change/", "change"),
                  ("POST", f"{at}<path:object_id>/delete/", "delete")]  # fmt: skip
        asked = [(f"{method} {at}", named[kind]) for method, at, kind in pages if at in there]
        looks = f" and {app}.view_{model}" if "." in named["delete"] else ""
        asked.append((f"ACTION {label} delete_selected", named["delete"] + looks))
        found += [Door(how, who, _rights(who)) for how, who in asked]
    return found


def _rights(who: str) -> tuple[frozenset[str], ...]:
    if who.endswith(".*"):
        models = (model._meta for model in admin.site._registry)
        there = [f"{one.app_label}.view_{one.model_name}" for one in models]
        return tuple(frozenset({one}) for one in there if one.startswith(who[:-1]))
    if "." not in who:
        return ()
    return tuple(frozenset(one.split(" and ")) for one in who.split(" or "))


def _every_right() -> set[str]:
    rows = Permission.objects.values_list("content_type__app_label", "codename")
    return {f"{app}.{name}" for app, name in rows}


def admin_addresses() -> list[str]:
    """Return every address of the admin, as its resolver has it, but those that only lead on."""

    def walk(rows: list[Any], before: str) -> Iterator[str]:
        for one in rows:
            if isinstance(one, URLResolver):
                yield from walk(one.url_patterns, f"{before}{one.pattern}")
            elif isinstance(one, URLPattern):
                yield f"{before}{one.pattern}".partition("negotiation|")[0]

    found = walk(admin.site.get_urls(), "admin/")
    return [one for one in found if not re.fullmatch(r"admin/\w+/\w+/<path:object_id>/", one)]


def admin_actions() -> set[str]:
    """Return every action of every list."""
    return {
        f"{model._meta.label_lower} {name}"
        for model, one in admin.site._registry.items()
        for _, name, _ in one._get_base_actions()  # type: ignore[attr-defined]
    }


def door_faults() -> tuple[int, list[str]]:
    """Ask for everything of the admin as everybody; gives how often, and what was wrong.

    For each thing: who is no staff; staff with each set of rights that opens it; staff with every
    other right there is, which must not; a superuser.
    """
    people, things = _people()
    rows = rows_of(things)
    asked, faults = 0, []

    def ask(door: Door, who: str, client: Client, *, opens: bool) -> None:
        nonlocal asked
        asked += 1
        with _undone():
            if _opens(client, door.how, rows) != opens:
                faults.append(f"{who} {door.how}: {'kept out' if opens else 'let in'}")

    for door in doors():
        for name, role in ROLES.items():
            if role not in ("staff", "superuser"):
                ask(door, name, people[name], opens=door.who == EVERYBODY)
        for rights in door.rights:
            steer(*_named(rights))
            ask(door, f"staff with {set(rights)}", people["clerk"], opens=True)
        steer(*_named(door.others))
        is_open = door.who in (STAFF, EVERYBODY)
        ask(door, "staff with all other rights", people["clerk"], opens=is_open)
        steer()
        ask(door, "staff with no right", people["clerk"], opens=is_open)
        ask(door, "superuser", people["staff"], opens=door.who != NOBODY)
    return asked, faults


def clerk() -> Client:
    """One of the staff, with such rights as ``steer`` gives."""
    user, _ = User.objects.get_or_create(username="clerk", is_staff=True)
    client = Client()
    client.force_login(user)
    return client


def steer(*rights: Permission) -> None:
    """Give the clerk these rights and no others."""
    User.objects.get(username="clerk").user_permissions.set(rights)


def _named(rights: set[str] | frozenset[str]) -> list[Permission]:
    rows = Permission.objects.select_related("content_type")
    return [one for one in rows if f"{one.content_type.app_label}.{one.codename}" in rights]


def rows_of(things: Mapping[str, str]) -> dict[str, Model]:
    """Have one row of each model, which nothing keeps from being deleted."""
    now = timezone.now()
    game = Game.objects.get(pk=things["kept"])
    room = Room.objects.get(code=things["room"])
    call = ModelCall(
        number=1, backend="hf", metered=True, day=now.date(), admitted_at=now, lease_until=now
    )
    call.save()
    rows: list[Any] = [
        a_host("leaves"),
        Group.objects.create(name="helpers"),
        Listing.objects.create(title="Kadhai", list_price=1000, street_price=900, source_key="k"),
        game,
        EventRow.objects.filter(game=game).first(),
        switches(),
        call,
        Run.objects.create(id="small", kind="evaluate", status="done", config={}, seeds={}),
        BoardName.objects.create(owner="nobodys", name="Zoya", key="zoya"),
        Bot.objects.get(pk=things["bot"]),
        room,
        Member.objects.get(pk=things["member_id"]),
        SeatEvent.objects.create(room=room, kind=SeatEvent.Kind.REFUSED),
        LtiPlatform.objects.create(name="Another", issuer="https://other.example"),
    ]
    return {one._meta.label_lower: one for one in rows}


def _opens(client: Client, how: str, rows: Mapping[str, Model]) -> bool:
    method, _, rest = how.partition(" ")
    copy = Client()
    copy.cookies.load({name: one.value for name, one in client.cookies.items()})
    if method == "ACTION":
        label, _, name = rest.partition(" ")
        row = rows[label]
        path = f"/admin/{label.replace('.', '/')}/"
        sent = {"action": name, "_selected_action": [row.pk], "post": "yes"}
        answer = copy.post(path, sent)
        told = get_messages(answer.wsgi_request)  # type: ignore[attr-defined]
        return any(one.level in (INFO, SUCCESS) for one in told)
    label = ".".join(rest.split("/")[1:3])
    row = rows.get(label, rows["rooms.room"])
    kind = ContentType.objects.get_for_model(Room).pk
    path = rest.replace("<int:content_type_id>", str(kind))
    path = re.sub(r"<(path:object_id|slug:run_id|id)>", str(row.pk), path)
    path = path.replace("^(?P<app_label>", "rooms/").replace("(?P<url>.*)$", "nothing/")
    sent = {"post": "yes"} if method == "POST" else {}
    answer = copy.generic(method, f"/{path}") if method == "GET" else copy.post(f"/{path}", sent)
    return is_let_in(answer, path) and answer.status_code < 400
