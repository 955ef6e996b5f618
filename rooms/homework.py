"""A room as homework: open from a time until a deadline, and everybody comes when they like.

Every game of a person is open at once, or as many as the plan says, as soon as there is somebody to
play it with; no clock takes a seat of anybody who has begun. At the deadline a game ends as it
stands: for whoever had the turn longer, all their turns together, it is worth nothing, and for the
other side it does not count.
"""

import functools
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from negotiation.bargain.terms import PERSON, terms_of
from negotiation.games import notify
from negotiation.models import Game
from negotiation.sentences import sentences
from rooms import hosting, presence, tables
from rooms.errors import RoomError
from rooms.models import Member, Room
from rooms.plan import NO_CLOCKS
from rooms.study_hooks import is_study

say = sentences(__file__)

A_YEAR = timedelta(days=366)
FIRST_MOVE = timedelta(days=1)
"""Whoever has not made the first own move for so long has not begun."""


class Window(msgspec.Struct, frozen=True):
    """When a room is open; ``zone`` is whose clock its pages show."""

    opens_at: datetime
    alone_from: datetime
    due_at: datetime
    zone: str
    open_at_once: int = 0

    def problem(self) -> tuple[str, str]:
        """Return the field that cannot stand as it is, and why; "" where all can."""
        now = timezone.now()
        if not now - A_YEAR < self.opens_at < now + A_YEAR > self.due_at:
            return "due_at", say("within_a_year")
        if self.due_at <= now:
            return "due_at", say("deadline_is_past")
        if not self.opens_at < self.due_at:
            return "due_at", say("deadline_before_opening")
        if not self.opens_at <= self.alone_from < self.due_at:
            return "alone_from", say("alone_is_between")
        return "", ""


def set_window(room: Room, window: Window | None) -> None:
    """Make a room homework, or move its days, also while people play; None: a lesson again.

    RoomError: it is a study, or games of it run that have to have a deadline.
    """
    if is_study(room):
        raise RoomError(say("no_study"))
    if window is None and room.games.exists():
        raise RoomError(say("stays_homework"))
    told = msgspec.to_builtins(window, builtin_types=(datetime,)) if window else dict(_LESSON)
    told["plan"] = {**room.plan, "open_at_once": told.pop("open_at_once", 0)}
    if window is not None and room.state != Room.State.GATHERING:
        is_early = window.opens_at > timezone.now()
        told |= {"state": Room.State.GATHERING if is_early else Room.State.PLAYING, "over_at": None}
    with transaction.atomic():
        Room.objects.filter(pk=room.pk).update(**told, version=F("version") + 1)
        live = Game.objects.filter(in_room__room=room, status=Game.Status.LIVE)
        for game in live.select_for_update():
            due = window.due_at.timestamp() if window else 0
            terms = msgspec.structs.replace(terms_of(game), due_at=due, **NO_CLOCKS)
            Game.objects.filter(pk=game.pk).update(terms=msgspec.to_builtins(terms))
            transaction.on_commit(functools.partial(notify.ring, game.pk, 0), robust=True)
    room.refresh_from_db()
    keep_time(room)


_LESSON = {"opens_at": None, "alone_from": None, "due_at": None}


def keep_time(room: Room) -> None:
    """Open homework when its time has come, and close it at the deadline."""
    now = timezone.now()
    if room.due_at is None or room.opens_at is None:
        return
    if room.state == Room.State.GATHERING and room.opens_at <= now:
        hosting.start(room)
    if room.state != Room.State.OVER and room.due_at <= now:
        hosting.finish(room)


def finds_partners(room: Room) -> bool:
    """Whether people are put together who need not be here at the same time."""
    return room.alone_from is not None and timezone.now() < room.alone_from


def waits_since(member: Member) -> datetime | None:
    """Return since when somebody could be given a partner; None: the room is not open."""
    room = member.room
    return None if room.started_at is None else max(room.started_at, member.joined_at)


def fill_chairs(room: Room) -> None:
    """Let the house play, once no partners are found any more, for whoever has not begun at all.

    That is who has had a first move to make for ``FIRST_MOVE``; whoever comes has the seat again.
    """
    if room.due_at is None or finds_partners(room) or hosting.plan_of(room).absence != "policy":
        return
    live = room.games.filter(game__status=Game.Status.LIVE, game__policy=PERSON)
    rows = {row.game_id: row for row in live.select_related("game", "seller", "buyer")}
    for pk, one in tables.running_clocks(row.game for row in rows.values()).items():
        game, member = rows[pk].game, getattr(rows[pk], one.running)
        is_idle = not one.used[one.running] and one.began < timezone.now() - FIRST_MOVE
        is_here = member is not None and presence.is_here(member)
        if is_idle and not is_here and tables.seats_of(game).replace(pk, one.running):
            tables.let_house_move(game)


class Turn(msgspec.Struct, frozen=True):
    """Whose turn it is at a table, a person's, and since when."""

    side: str
    since: datetime


def turns_at(games: list[Game]) -> dict[str, Turn]:
    """Return by game whose turn it is; none where it is the house's, which answers at once."""
    return {pk: Turn(one.running, one.began) for pk, one in tables.running_clocks(games).items()}


def zone_named(name: str) -> ZoneInfo:
    """Return a time zone by its name, like Asia/Kolkata, or raise RoomError."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise RoomError(say("no_such_zone", name=name[:40])) from None
