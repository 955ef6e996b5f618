"""The page on which a host makes a room homework, and moves its days."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from rooms.debrief.survey import written_meanwhile
from rooms.desk import hash_of
from rooms.errors import RoomError
from rooms.homework import Window, set_window, zone_named
from rooms.hosting import held, own_room, plan_of
from rooms.models import Room
from rooms.pages import form_page
from rooms.seating import pairing
from rooms.study_hooks import is_study

USUAL = {"opens_at": 0, "alone_from": 5, "due_at": 7}
"""Days from now, before a host chooses."""


class WindowForm(forms.Form):
    """The days of a room, as the clock of a zone shows them."""

    opens_at = forms.DateTimeField()
    alone_from = forms.DateTimeField()
    due_at = forms.DateTimeField()
    zone = forms.CharField(max_length=40)
    open_at_once = forms.IntegerField(required=False, min_value=0, max_value=20)

    def clean_zone(self) -> str:
        """Read a zone that everybody's pages can show."""
        try:
            return zone_named(self.cleaned_data["zone"]).key
        except RoomError as wrong:
            raise forms.ValidationError(wrong.detail) from None

    def clean(self) -> dict[str, Any]:
        """Check that each time comes after the one before."""
        data = super().clean() or {}
        data["open_at_once"] = data.get("open_at_once") or 0
        if not self.errors:
            field, why = Window(**data).problem()
            if field:
                self.add_error(field, why)
        return data


@form_page
@login_required
def homework(request: HttpRequest, code: str) -> HttpResponse:
    """Show the days of a room; a post sets them, or makes it a lesson again (``off``)."""
    with held(request, own_room(request, code)) as room:
        answer = _days_of(request, room)
    if answer.status_code == 302:
        pairing.advance(room)
    return answer


def _days_of(request: HttpRequest, room: Room) -> HttpResponse:
    is_post = request.method == "POST"
    zone = request.POST.get("zone", "") if is_post else room.zone
    with timezone.override(_zone_or_utc(zone)):
        is_off = "off" in request.POST
        stands = _days(room)
        form = WindowForm(request.POST if is_post and not is_off else None, initial=stands)
        days = (room.opens_at, room.alone_from, room.due_at, room.zone, stands["open_at_once"])
        seen = hash_of(str(days))
        same = (request.POST.get(name) == value for name, value in stands.items())
        is_same = room.due_at is None if is_off else all(same)
        told = list(stands.values()) if room.due_at else []
        problem = "" if is_same else written_meanwhile(request, seen, told)
        if is_post and not problem and (is_off or form.is_valid()):
            try:
                set_window(room, None if is_off else Window(**form.cleaned_data))
                return redirect("room-desk", room.code)
            except RoomError as wrong:
                problem = wrong.detail
        context = {"room": room, "form": form, "problem": problem, "is_study": is_study(room)}
        context |= {"is_post": is_post, "has_games": room.games.exists(), "seen": seen}
        status = 422 if is_post else 200
        return render(request, "rooms/homework.html", context, status=status)


def _zone_or_utc(name: str) -> Any:
    try:
        return zone_named(name)
    except RoomError:
        return zone_named("UTC")


def _days(room: Room) -> dict[str, str]:
    now = timezone.localtime().replace(minute=0, second=0)
    days = {name: getattr(room, name) or now + timedelta(days=n) for name, n in USUAL.items()}
    shown = {name: f"{timezone.localtime(at):%Y-%m-%dT%H:%M}" for name, at in days.items()}
    return {**shown, "zone": room.zone, "open_at_once": str(plan_of(room).open_at_once)}
