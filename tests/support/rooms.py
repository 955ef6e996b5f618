"""Rooms in tests: hosts, people at browsers of their own, goods to bargain about."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from negotiation.models import Listing
from rooms import hosting, presence
from rooms.models import Member, Room
from rooms.plan import Plan

PASSWORD = "mango-lassi-at-noon"


def a_host(name: str = "meera") -> User:
    """Somebody who may open rooms."""
    return User.objects.create_user(name, password=PASSWORD)


def goods(count: int = 3) -> list[Listing]:
    """Things to bargain about."""
    return [
        Listing.objects.create(
            title=f"Brass lamp {number}",
            category="Home",
            list_price=200_000 + 10_000 * number,
            street_price=150_000 + 7_000 * number,
            source_key=f"lamp-{number}",
        )
        for number in range(count)
    ]


def a_room(host: User | None = None, *, playing: bool = False, **plan: Any) -> Room:
    """A room, with goods."""
    if not Listing.objects.exists():
        goods()
    host = host or User.objects.filter(username="meera").first() or a_host()
    room = hosting.open_room(host, "Tuesday group", Plan(**plan))
    if playing:
        hosting.start(room)
    return room


def a_browser(**options: Any) -> Client:
    """A browser with a session."""
    client = Client(**options)
    client.get("/rooms/")
    return client


def comes_in(room: Room, nickname: str, client: Client | None = None) -> Client:
    """Somebody joins through the page."""
    client = client or a_browser()
    answer = client.post(f"/rooms/{room.code}/", {"nickname": nickname})
    assert answer.status_code == 302, answer.content.decode()
    return client


def at_desk(host: User) -> Client:
    """A host's browser."""
    client = a_browser()
    client.post("/account/login/", {"username": host.username, "password": PASSWORD})
    return client


def seen(room: Room) -> None:
    """Everybody of a room gives a sign of life."""
    Member.objects.filter(room=room).update(**presence.arriving())


def waited(seconds: float) -> None:
    """Everybody who is in a lobby came there so long ago."""
    long_ago = timezone.now() - timedelta(seconds=seconds)
    Room.objects.filter(started_at__isnull=False).update(started_at=long_ago)
    Member.objects.filter(ready_at__isnull=False).update(ready_at=long_ago)
    Member.objects.filter(came_at__isnull=False).update(came_at=long_ago)
