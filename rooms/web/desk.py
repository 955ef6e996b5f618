"""The host's pages: a new room, the desk, and the code to project."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from negotiation.games.visitors import visitor
from negotiation.qr import square
from rooms import desk as room_desk
from rooms import hosting, seats
from rooms.debrief.survey import results_of
from rooms.doors import link_to
from rooms.errors import NotTogether
from rooms.hosting import own_room, own_room_or_none, plan_of
from rooms.lti import marks
from rooms.models import Member, Room
from rooms.pages import form_page, shown_page
from rooms.seating import pairing
from rooms.study_hooks import is_study
from rooms.tasks import look_at_marks, send_marks_soon
from rooms.tending import tend
from rooms.web.forms import PlanForm
from rooms.web.ready import ready_rooms


@form_page
def new(request: HttpRequest) -> HttpResponse:
    """Show the form for a room; a post opens it, ready-made or as filled in."""
    host = request.user
    if not isinstance(host, User):
        # Who pressed a ready-made room comes back to the page with all of them.
        wanted = reverse("rooms" if request.method == "POST" else "room-new")
        return redirect_to_login(wanted)
    if request.method != "POST":
        form = PlanForm(host=host, initial={"case": request.GET.get("case", "")})
        return render(request, "rooms/new.html", {"form": form})
    if (key := request.POST.get("ready", "")) in ready_rooms():
        made = ready_rooms()[key]
        opened = hosting.open_room(
            host, gettext(made.name), made.plan, ready=key, desk=visitor(request)
        )
        return redirect("room-desk", opened.code)
    form = PlanForm(request.POST, host=host)
    if not form.is_valid():
        return render(request, "rooms/new.html", {"form": form}, status=422)
    opened = hosting.open_room(host, form.cleaned_data["name"], form.plan, desk=visitor(request))
    return redirect("room-desk", opened.code)


@shown_page
@login_required
def desk(request: HttpRequest, code: str) -> HttpResponse:
    """Show a host's desk."""
    room = own_room(request, code)
    tend(room)
    return render(request, "rooms/desk.html", _desk_context(request, room))


@shown_page
@login_required
def now(request: HttpRequest, code: str) -> HttpResponse:
    """Answer a desk or a wall that asks what is new; where it is nobody's any more it goes."""
    room = own_room_or_none(request, code)
    if room is None:
        return HttpResponse(status=404, headers={"HX-Redirect": reverse("rooms")})
    tend(room)
    state = room_desk.desk_of(room)
    if request.GET.get("mark") == state.mark:
        return HttpResponse(status=204)
    part = "rooms/wall.html#now" if "wall" in request.GET else "rooms/desk.html#now"
    return render(request, part, _desk_context(request, room, state))


@shown_page
@login_required
def wall(request: HttpRequest, code: str) -> HttpResponse:
    """Show the code and the square as large as a wall."""
    room = own_room(request, code)
    return render(request, "rooms/wall.html", _desk_context(request, room))


@login_required
@require_POST
def do(request: HttpRequest, code: str, verb: str, member_id: str = "") -> HttpResponse:
    """Do one thing at the desk, to the room or to a member."""
    room = own_room(request, code)
    if member_id:
        hand = TO_MEMBERS.get(verb)
        if hand is None:
            raise Http404
        hand(room, get_object_or_404(Member, pk=member_id, room=room))
        return redirect(f"{reverse('room-desk', args=[room.code])}#people")
    act = TO_ROOMS.get(verb)
    if act is None:
        raise Http404
    act(request, room)
    return redirect("room-desk", room.code)


@login_required
@require_POST
def copied(request: HttpRequest, code: str) -> HttpResponse:
    """Open the same room once more, and lead its host there."""
    host = request.user
    assert isinstance(host, User)
    again = hosting.copy(own_room(request, code), host, desk=visitor(request))
    return redirect("room-desk", again.code)


def _start(request: HttpRequest, room: Room) -> None:
    if hosting.start(room):
        # Whoever is left over when the host starts plays the house at once; of homework nobody is.
        pairing.advance(room, now=room.due_at is None)


def _reopen(request: HttpRequest, room: Room) -> None:
    hosting.reopen(room)
    pairing.advance(room)


def _end_games(request: HttpRequest, room: Room) -> None:
    hosting.finish(room)
    room_desk.end_games(room)


def _send_marks(request: HttpRequest, room: Room) -> None:
    marks.try_again(room)
    send_marks_soon()


def _choose_mark(request: HttpRequest, room: Room) -> None:
    if marks.choose(room, request.POST.get("mark", "")):
        look_at_marks(room.pk)


def _resume(request: HttpRequest, room: Room) -> None:
    hosting.pause(room, paused=False)
    pairing.advance(room)


def _seat(request: HttpRequest, room: Room) -> None:
    try:
        room_desk.seat_together(room, [request.POST.get(name, "") for name in ("one", "two")])
    except NotTogether as wrong:
        messages.error(request, wrong.detail)
    else:
        pairing.advance(room)


def _add_cohost(request: HttpRequest, room: Room) -> None:
    _own_only(request, room)
    name = request.POST.get("name", "")
    if not hosting.add_cohost(room, name):
        words = gettext("Nobody else on this site has an account called “%(name)s”.")
        messages.error(request, words % {"name": name[:40]})


def _drop_cohost(request: HttpRequest, room: Room) -> None:
    _own_only(request, room)
    room.cohosts.filter(account__username=request.POST.get("name", "")).delete()


def _own_only(request: HttpRequest, room: Room) -> None:
    """Raise PermissionDenied for whoever leads the room without having opened it."""
    if room.host_id != request.user.pk:
        raise PermissionDenied


TO_ROOMS: dict[str, Callable[[HttpRequest, Room], object]] = {
    "start": _start,
    "pair": lambda _, room: pairing.advance(room, now=True),
    "close": lambda _, room: hosting.finish(room),
    "reopen": _reopen,
    "end-games": _end_games,
    "marks": _send_marks,
    "course-mark": _choose_mark,
    "tell": lambda request, room: hosting.tell_all(room, request.POST.get("notice", "")),
    "pause": lambda _, room: hosting.pause(room, paused=True),
    "resume": _resume,
    "seat": _seat,
    "add-cohost": _add_cohost,
    "drop-cohost": _drop_cohost,
}
TO_MEMBERS: dict[str, Callable[[Room, Member], Any]] = {
    "remove": room_desk.remove,
    "readmit": room_desk.readmit,
    "replace": room_desk.replace,
    "let-go": room_desk.let_go,
    "allow-move": seats.allow_move,
}


def _desk_context(
    request: HttpRequest, room: Room, state: room_desk.Desk | None = None
) -> dict[str, Any]:
    link = link_to(request, room)
    shown = request.build_absolute_uri(reverse("rooms")).partition("//")[2].rstrip("/")
    return {
        "room": room,
        "plan": plan_of(room),
        "desk": state or room_desk.desk_of(room),
        "ready": ready_rooms().get(room.ready),
        "link": link,
        "shown": shown,
        "square": square(link, gettext("Scan to come in: %(code)s") % {"code": room.code}),
        "seats_at": request.build_absolute_uri("/rooms/seat/"),
        "is_study": is_study(room),
        "cohosts": room.cohosts.select_related("account"),
        "is_own": room.host_id == request.user.pk,
        "survey": results_of(room),
        "marks": marks.sent_of(room),
    }
