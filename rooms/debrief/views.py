"""The pages of a debrief: progress while it runs, the debrief after it, the gradebook."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from negotiation.games.visitors import visitor
from rooms.debrief.access import looker_of
from rooms.debrief.case_page import case_debrief
from rooms.debrief.cases import Part, parts_of, played_of, settled_in
from rooms.debrief.counted import people_in
from rooms.debrief.feedback import beside_of
from rooms.debrief.gradebook import gradebook, packages
from rooms.debrief.page import debrief_of
from rooms.debrief.progress import progress_of
from rooms.debrief.survey import PREPARES, prepared_in, questions_of
from rooms.hosting import own_room, show_debrief
from rooms.models import Room
from rooms.pages import attached, form_page, shown_page


@shown_page
def progress(request: HttpRequest, code: str) -> HttpResponse:
    """Show how far a room is; the part that counts asks again by itself."""
    room = own_room(request, code)
    is_part = bool(getattr(request, "htmx", False))
    page = "rooms/debrief/_progress.html" if is_part else "rooms/debrief/progress.html"
    return render(request, page, {"room": room, "progress": progress_of(room)})


@form_page
def debrief(request: HttpRequest, code: str) -> HttpResponse:
    """Show what the room played; its host posts who may look (``open``) and ``named``."""
    if request.method == "POST":
        return _switched(request, own_room(request, code))
    looker = looker_of(request, code)
    room = looker.room
    parts = parts_of(room)
    part = _part(request, parts)
    case = part.case
    context: dict[str, Any] = {
        "room": room,
        "is_host": looker.is_host,
        "progress": progress_of(room),
        "part": part,
        "parts": parts if len(parts) > 1 else (),
    }
    context |= debrief_of(room) if case is None else case_debrief(room, case)
    reader = None if looker.is_host else room.members.get(session=visitor(request))
    context["prepared"] = prepared_in(room, context["lines"], reader)
    context["asked"] = questions_of(room, PREPARES)
    page = "rooms/debrief/debrief.html" if case is None else "rooms/debrief/case.html"
    return render(request, page, context)


def _switched(request: HttpRequest, room: Room) -> HttpResponse:
    wanted = {"is_open": room.is_open, "is_named": room.is_named}
    for name, field in (("open", "is_open"), ("named", "is_named")):
        value = request.POST.get(name)
        if value in ("0", "1"):
            wanted[field] = value == "1"
    show_debrief(room, **wanted)
    if request.POST.get("back") == "desk":
        return redirect("room-desk", room.code)
    part = f"?{urlencode({'of': request.GET['of']})}" if "of" in request.GET else ""
    return redirect(reverse("room-debrief", args=[room.code]) + part)


def _part(request: HttpRequest, parts: list[Part]) -> Part:
    """Return which of the things that a room plays is looked at."""
    return next((one for one in parts if one.key == request.GET.get("of")), parts[0])


@shown_page
def gradebook_file(request: HttpRequest, code: str) -> HttpResponse:
    """Send the gradebook to the host: everybody by the name they typed."""
    room = own_room(request, code)
    played = [(part, played_of(room, part)) for part in parts_of(room)]
    body = gradebook(people_in(room), played, beside_of(room))
    return attached(body, f"gradebook-{room.code}.csv")


@shown_page
def packages_file(request: HttpRequest, code: str) -> HttpResponse:
    """Send every move of a case to the host, with its package and the points of both."""
    room = own_room(request, code)
    case = _part(request, [one for one in parts_of(room) if one.case] or [Part("")]).case
    if case is None:
        raise Http404
    return attached(packages(case, settled_in(room, case)), f"packages-{room.code}.csv")
