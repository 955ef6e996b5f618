"""Puzzles as homework: a host picks a set, and what each person has solved of it is a mark."""

import random
from collections.abc import Iterable

import msgspec
from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from negotiation.games.visitors import visitor
from replays.models import PuzzleTry
from replays.puzzles.page import THEME_NAMES
from replays.puzzles.progress import answered
from replays.puzzles.puzzle import THEMES, puzzles, themes_of
from replays.puzzles.views import SET
from rooms.hosting import held, own_room, own_room_or_none, touch
from rooms.models import Member, Room
from rooms.pages import form_page
from rooms.study_hooks import is_study

MOST = 30


class Solved(msgspec.Struct, frozen=True):
    """How many puzzles of a set somebody has answered, and how many of them rightly."""

    of: int
    answered: int = 0
    right: int = 0

    @property
    def percent(self) -> int:
        """The mark."""
        return round(100 * self.right / self.of)


class SetForm(forms.Form):
    """Which puzzles a class solves."""

    count = forms.IntegerField(min_value=0, max_value=MOST, initial=10)
    theme = forms.ChoiceField(required=False, choices=[(one, one) for one in THEMES])

    @property
    def themes(self) -> list[tuple[str, str]]:
        """The kinds of puzzles, as people read them."""
        return [(one, THEME_NAMES[one]) for one in THEMES]


def solved_by(room: Room, people: Iterable[Member]) -> dict[str, Solved]:
    """Return by member what was solved of a room's set, before the deadline where there is one.

    A first answer counts, here or at the browser where the seat began.
    """
    if not room.puzzles or is_study(room):
        return {}
    tries = PuzzleTry.objects.filter(puzzle__in=room.puzzles).exclude(answered_at=None)
    if room.due_at is not None:
        tries = tries.filter(answered_at__lte=room.due_at)
    people = list(people)
    seats = {one.session: one.pk for one in people if one.session}
    seats |= {one.first_session: one.pk for one in people if one.first_session}
    first: dict[tuple[str, str], bool] = {}
    for owner, puzzle, is_right in (
        tries.filter(owner__in=seats)
        .order_by("answered_at")
        .values_list("owner", "puzzle", "is_right")
    ):
        first.setdefault((seats[owner], puzzle), is_right)
    found = {one.pk: Solved(len(room.puzzles)) for one in people}
    for (pk, _), is_right in first.items():
        was = found[pk]
        found[pk] = Solved(was.of, was.answered + 1, was.right + is_right)
    return found


@form_page
def puzzle_set(request: HttpRequest, code: str) -> HttpResponse:
    """Let a host pick the set; lead a member to the next puzzle of it, or back to the room."""
    if (own := own_room_or_none(request, code)) is not None:
        with held(request, own) as room:
            return _for_host(request, room)
    reader = visitor(request)
    rows = Member.objects.filter(room__code=code, session=reader, is_removed=False)
    member = rows.select_related("room").first() if reader else None
    if member is None and request.session.pop(SET, None):
        return redirect("puzzles")  # whose set it was has left the room
    if member is None or request.method == "POST":
        own_room(request, code)  # raises: to everybody else it looks like none
        raise Http404
    room, done = member.room, answered(reader)
    left = next((one for one in room.puzzles if one not in done), "")
    if not left or room.state == Room.State.OVER or is_study(room):
        request.session.pop(SET, None)
        return redirect(room)
    request.session[SET] = request.path
    return redirect("puzzle", left)


def _for_host(request: HttpRequest, room: Room) -> HttpResponse:
    members = list(room.members.filter(is_removed=False))
    marks = solved_by(room, members)
    is_begun = any(one.answered for one in marks.values())
    form = SetForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and not is_begun and not is_study(room) and form.is_valid():
        theme = form.cleaned_data["theme"]
        fit = [one for one in puzzles().values() if not theme or theme in themes_of()[one.id]]
        drawn = random.sample(fit, min(form.cleaned_data["count"], len(fit)))
        # Easy ones first.
        picked = [one.id for one in sorted(drawn, key=lambda one: one.rating)]
        Room.objects.filter(pk=room.pk).update(puzzles=picked)
        touch(room)
        return redirect("room-puzzles", room.code)
    lines = [(member, marks[member.pk]) for member in members if marks]
    context = {"room": room, "form": form, "lines": lines, "is_begun": is_begun}
    status = 200 if request.method != "POST" else 409 if is_begun else 422
    return render(
        request, "rooms/puzzles.html", context | {"is_study": is_study(room)}, status=status
    )
