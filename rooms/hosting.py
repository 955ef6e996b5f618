"""A room from its host's side: opening it, its life, and who may do that."""

import functools
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.dispatch import Signal
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext

from bazaarbatna.marking import gettext_noop
from negotiation.bargain.terms import terms_of
from negotiation.errors import Busy
from negotiation.games import notify
from negotiation.games.visitors import visitor
from negotiation.models import Game
from negotiation.words import clean_text
from rooms.models import CoHost, Member, Room, Study
from rooms.plan import Plan
from rooms.study_hooks import plan_in_arm

KEPT = timedelta(days=365)
"""How long a room and its games are kept unless its host says otherwise."""

LONGEST_NAME = 80
UNFILLED = "CHANGE-ME"
"""Stands for a code that a study has to fill in before it goes live."""

NO_ROOM = gettext_noop("There is no such room.")
_TRIES = 5

debrief_shown = Signal()
"""A debrief was opened or closed: ``room_id``. What a course is told follows from it."""


def open_room(host: User, name: str, plan: Plan, *, ready: str = "", desk: str = "") -> Room:
    """Open a room; ``desk`` is the host's session."""
    for _ in range(_TRIES):
        try:
            with transaction.atomic():
                return Room.objects.create(
                    host=host,
                    name=clean_text(name, LONGEST_NAME),
                    plan=msgspec.to_builtins(plan),
                    ready=ready,
                    desk_session=desk,
                    keep_until=timezone.localdate() + KEPT,
                )
        except IntegrityError:
            continue  # two rooms drew the same code
    raise Busy


def own_room(request: HttpRequest, code: str) -> Room:
    """Return a host's own room, or raise Http404: another's looks like none."""
    room = own_room_or_none(request, code)
    if room is None:
        raise Http404(gettext(NO_ROOM))
    return room


def own_room_or_none(request: HttpRequest, code: str) -> Room | None:
    """Return a room to its host, who sits at this browser from now on; None: not the host's."""
    room = rooms_of(request.user).filter(code=code.upper()).first()
    session = visitor(request)
    if room is not None and room.host_id != request.user.pk:
        # Two desks, each in its own browser: neither takes the replays from the other.
        room.cohosts.filter(account=request.user.pk).update(session=session)
    elif room is not None and room.desk_session != session:
        Room.objects.filter(pk=room.pk).update(desk_session=session)
        room.desk_session = session
    return room


@contextmanager
def held(request: HttpRequest, room: Room) -> Iterator[Room]:
    """Hold a room while a post is checked and written: who posts at that moment reads it after."""
    if request.method != "POST":
        yield room
        return
    with transaction.atomic():
        yield Room.objects.select_for_update(no_key=True).get(pk=room.pk)


def rooms_of(user: User | AnonymousUser) -> QuerySet[Room]:
    """Return the rooms that somebody leads, alone or with others, the newest first."""
    if not isinstance(user, User) or not user.is_active:
        return Room.objects.none()
    return Room.objects.filter(Q(host=user) | Q(cohosts__account=user)).distinct()


def plan_of(room: Room) -> Plan:
    """Return what a room plays."""
    plan = msgspec.convert(room.plan, Plan)
    return plan if room.due_at is None else plan.as_homework()


def plan_for(member: Member, game: int = 0) -> Plan:
    """Return what a member plays in a game (0: the next): the room's plan, as an arm changes it."""
    return plan_in_arm(member, plan_of(member.room), game)


def plans_for(members: Iterable[Member]) -> dict[str, Plan]:
    """Return what each of many members plays, by key; the plan of an arm is read once."""
    arms: dict[tuple[object, ...], Plan] = {}
    found = {}
    for member in members:
        arm = (member.room_id, member.arm, member.condition_in(), len(member.conditions))
        if arm not in arms:
            arms[arm] = plan_for(member)
        found[member.pk] = arms[arm]
    return found


def touch(room: Room | str) -> None:
    """Note that something of a room has changed that its pages show."""
    pk = room if isinstance(room, str) else room.pk
    Room.objects.filter(pk=pk).update(version=F("version") + 1)


def start(room: Room) -> bool:
    """Let the games begin; False where they have begun or are over."""
    began = Room.objects.filter(pk=room.pk, state=Room.State.GATHERING).update(
        state=Room.State.PLAYING, started_at=timezone.now(), version=F("version") + 1
    )
    room.refresh_from_db()
    return bool(began)


def finish(room: Room) -> bool:
    """Close a room: no game is opened any more, those that run come to their own end.

    A pause ends with it: no table could come to an end in one.
    """
    done = (
        Room.objects.filter(pk=room.pk)
        .exclude(state=Room.State.OVER)
        .update(state=Room.State.OVER, over_at=timezone.now(), version=F("version") + 1)
    )
    pause(room, paused=False)
    room.refresh_from_db()
    return bool(done)


def reopen(room: Room) -> None:
    """Let a finished room go on."""
    Room.objects.filter(pk=room.pk, state=Room.State.OVER).update(
        state=Room.State.PLAYING, over_at=None, version=F("version") + 1
    )
    room.refresh_from_db()


def copy(room: Room, host: User, *, desk: str = "") -> Room:
    """Open a room that plays the same by the same rules, with the same study as a pilot.

    Homework is a lesson again: its days are over.
    """
    plan = msgspec.convert(room.plan, Plan)
    again = open_room(host, room.name, plan, ready=room.ready, desk=desk)
    kept = {
        name: getattr(room, name)
        for name in ("rubric", "survey", "sheet", "sheet_min", "puzzles", "course_mark")
    }
    Room.objects.filter(pk=again.pk).update(**kept)
    study = Study.objects.filter(room=room).first()
    if study is not None:
        seed, design = secrets.randbelow(2**31), study.design
        # Whoever has a code of the first study has none of this one.
        for way in design.get("exits", {}).values():
            if way.get("code") or "?" in way.get("url", ""):
                way["code"] = UNFILLED
        Study.objects.create(room=again, design=design, seed=seed)
    return again


def add_cohost(room: Room, name: str) -> bool:
    """Let another account lead a room, too; False: nobody has that account, or it leads already."""
    other = User.objects.filter(username=name.strip(), is_active=True).first()
    if other is None or other.pk == room.host_id:
        return False
    return CoHost.objects.get_or_create(room=room, account=other)[1]


def tell_all(room: Room, words: str) -> None:
    """Put a line on everybody's page; "" takes it away."""
    notice = clean_text(words, 200)
    Room.objects.filter(pk=room.pk).update(notice=notice, version=F("version") + 1)


def pause(room: Room, *, paused: bool) -> None:
    """Stop all tables and their clocks, or let them go on; a closed room has no pause."""
    now = timezone.now().timestamp()
    with transaction.atomic():
        changed = Room.objects.filter(pk=room.pk, is_paused=not paused)
        changed = changed.exclude(state=Room.State.OVER) if paused else changed
        if not changed.update(is_paused=paused, version=F("version") + 1):
            return
        for game in Game.objects.filter(in_room__room=room, status=Game.Status.LIVE):
            terms = terms_of(game)
            spans = terms.pauses
            if paused and not terms.is_paused:
                spans = (*spans, (now, 0.0))
            elif not paused and terms.is_paused:
                spans = (*spans[:-1], (spans[-1][0], now))
            told = msgspec.to_builtins(msgspec.structs.replace(terms, pauses=spans))
            Game.objects.filter(pk=game.pk).update(terms=told)
            transaction.on_commit(functools.partial(notify.ring, game.pk, 0), robust=True)
    room.refresh_from_db()


def show_debrief(room: Room, *, is_open: bool, is_named: bool) -> None:
    """Open the debrief to the members or close it, by name or not."""
    Room.objects.filter(pk=room.pk).update(
        is_open=is_open, is_named=is_named, version=F("version") + 1
    )
    games = Game.objects.filter(in_room__room=room, terms__reveal="at_debrief")
    for game in games.only("terms"):
        told = msgspec.structs.replace(terms_of(game), is_debriefed=is_open)
        Game.objects.filter(pk=game.pk).update(terms=msgspec.to_builtins(told))
    room.refresh_from_db()
    debrief_shown.send(None, room_id=room.pk)


def new_password() -> str:
    """Draw a password that people can type: four groups of four letters, 75 bits."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(4)) for _ in range(4))
