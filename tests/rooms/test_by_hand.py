"""Two people whom the host puts at one table: they meet next, and nobody is left waiting for it."""

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from rooms import hosting, joining, presence
from rooms.models import Member, Room
from rooms.seating import pairing
from tests.support.rooms import a_host, a_room, at_desk, comes_in, seen, waited

pytestmark = pytest.mark.django_db

NAMES = ("Asha", "Bilal", "Chetan", "Divya", "Esha", "Farid")


def a_class(**plan: object) -> tuple[Room, Client]:
    host = a_host()
    room = a_room(host, **plan)
    for name in NAMES:
        comes_in(room, name)
    return room, at_desk(host)


def seat(desk: Client, room: Room, one: str, two: str) -> str:
    """Post the two names; return what the desk says is wrong."""
    desk.get(f"/rooms/{room.code}/desk/")  # shows what was said before
    answer = desk.post(f"/rooms/{room.code}/desk/seat/", {"one": one, "two": two})
    assert answer.status_code == 302
    return " ".join(str(one) for one in get_messages(answer.wsgi_request))


def pairs_of(room: Room) -> set[frozenset[str]]:
    rows = room.games.values_list("seller__nickname", "buyer__nickname")
    return {frozenset(filter(None, row)) for row in rows}


def test_who_is_put_together_meets_in_the_next_game() -> None:
    room, desk = a_class()
    assert seat(desk, room, "Asha", "farid ") == ""
    assert seat(desk, room, "Divya", "Bilal") == ""
    page = desk.get(f"/rooms/{room.code}/desk/").content.decode()
    assert "next opposite Farid" in page
    seen(room)
    desk.post(f"/rooms/{room.code}/desk/start/")
    wanted = {frozenset(pair) for pair in (("Asha", "Farid"), ("Bilal", "Divya"))}
    assert pairs_of(room) == wanted | {frozenset(("Chetan", "Esha"))}
    assert not room.members.exclude(seated_with=None).exists()


def test_the_desk_says_why_two_cannot_be_put_together() -> None:
    room, desk = a_class(games=2)
    assert "two different people" in seat(desk, room, "Asha", "Asha")
    assert "Nobody here is called “Zoya”" in seat(desk, room, "Asha", "Zoya")
    joining.leave(room.members.get(nickname="Bilal"))
    assert seat(desk, room, "Asha", "Bilal") == "Bilal is gone."
    assert seat(desk, room, "Chetan", "Divya") == ""
    assert "Divya is to sit opposite Chetan already" in seat(desk, room, "Asha", "Divya")
    divya = room.members.get(nickname="Divya")
    desk.post(f"/rooms/{room.code}/desk/let-go/{divya.pk}/")
    assert not room.members.exclude(seated_with=None).exists()
    seen(room)
    hosting.start(room)
    pairing.advance(room, now=True)
    one, two = (member.nickname for member in room.members.filter(dealt=1)[:2])
    assert seat(desk, room, one, two) == f"{one} sits at a table already."
    again = comes_in(room, "Gita")
    assert again.get(f"/rooms/{room.code}/").status_code == 200
    Member.objects.filter(nickname=one).update(dealt=2)
    room.games.all().delete()
    assert seat(desk, room, "Gita", one) == f"{one} has played all games."
    assert "not played equally many" in seat(desk, room, "Gita", two)


def test_nobody_waits_for_somebody_who_is_away_or_gone() -> None:
    room, desk = a_class(unmet_s=60)
    hosting.start(room)
    Member.objects.filter(room=room).update(here_until=None, came_at=None)
    assert seat(desk, room, "Asha", "Bilal") == ""
    for name in ("Asha", "Chetan"):
        seen_one(room, name)
    assert pairing.advance(room) == 0  # Asha waits for Bilal
    waited(61)
    seen_at = Member.objects.get(nickname="Asha").here_until
    assert seen_at is not None
    assert pairing.advance(room) == 1
    assert pairs_of(room) == {frozenset(("Asha", "Chetan"))}
    # Bilal, whom nobody is opposite any more, is free as well.
    seen_one(room, "Bilal")
    seen_one(room, "Divya")
    assert pairing.advance(room) == 1
    assert frozenset(("Bilal", "Divya")) in pairs_of(room)


def seen_one(room: Room, name: str) -> None:
    member = room.members.get(nickname=name)
    Member.objects.filter(pk=member.pk).update(**presence.arriving())
