"""The pages of people who come to a room: the code, the nickname, the lobby, another device."""

import re
import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.timesince import timesince
from django.views.decorators.http import require_POST

from negotiation.errors import Busy, RateLimited
from negotiation.games.visitors import visitor
from negotiation.models import Game
from negotiation.sentences import sentences
from rooms import joining, seats
from rooms.debrief.feedback import shown_to
from rooms.debrief.puzzles import solved_by
from rooms.debrief.survey import awaits
from rooms.desk import hash_of, replace
from rooms.doors import DOOR, SEATS, find_room, remember_seat, sit_down
from rooms.errors import NicknameTaken, RoomError, UnknownCode
from rooms.hosting import plan_for, plan_of, rooms_of
from rooms.lobby import come_back, live_game, lobby_of, mark_of, own_games, way_to
from rooms.models import Member, Room, RoomGame
from rooms.pages import form_page, shown_page
from rooms.presence import close_page, give_sign
from rooms.study_hooks import is_study, next_step
from rooms.tending import tend
from rooms.web.ready import ready_rooms

say = sentences(__file__)

PAGE = re.compile(r"[0-9a-f]{12}")
"""The name that a lobby in a browser is given: `_lobby_context` draws it."""


@form_page
def rooms(request: HttpRequest) -> HttpResponse:
    """Show the field for a code, a host's rooms, and rooms to open; a post looks for the code."""
    if request.method != "POST":
        return _front(request)
    code = request.POST.get("code", "")
    try:
        return redirect(find_room(request, code))
    except (UnknownCode, RateLimited) as wrong:
        return _refused(request, wrong, code[:12])


@form_page
def room(request: HttpRequest, code: str) -> HttpResponse:
    """Show a room to whoever comes: the form to join, or the lobby; a post joins."""
    try:
        found = find_room(request, code)
    except (UnknownCode, RateLimited) as wrong:
        return _refused(request, wrong, code)
    if request.method == "POST":
        return _join(request, found)
    member = joining.member_of(found, visitor(request))
    if member is None:
        return _door(request, found)
    if not member.is_removed and (step := next_step(member)):
        return redirect(step)
    is_free = member.room.due_at is not None or live_game(member) is None
    if member.left_at is None and is_free and not come_back(member):
        tend(member.room, at_once=give_sign(member))
        member = joining.member_of(found, visitor(request)) or member
    return render(request, "rooms/lobby.html", _lobby_context(request, member))


@shown_page
def lobby(request: HttpRequest, code: str) -> HttpResponse:
    """Answer a page that asks what is new: nothing, the changed part, or where to play."""
    member = _member_or_none(code, request)
    if member is None or member.is_removed:
        return _elsewhere(reverse("room", args=[code]))
    if member.left_at is not None:
        return HttpResponse(status=204)
    known = request.GET.get("game", "")
    live = live_game(member)
    # A page that nobody looks at brings nobody back to the table.
    if live is None and "hidden" not in request.GET and come_back(member):
        live = live_game(member)
    stays = member.room.due_at is not None  # of homework each opens the own games
    if live is None or stays:
        is_news = give_sign(member, _page_of(request), is_hidden="hidden" in request.GET)
        tend(member.room, at_once=is_news)
        member = _member_or_none(code, request) or member
        live = live_game(member)
    if live and live.game_id != known and not stays and not _reads_first(member, live):
        return _elsewhere(way_to(member, live))
    # Whoever has waited for too long is led on, though nothing in the room has changed.
    if live is None and (step := next_step(member)):
        return _elsewhere(step)
    if request.GET.get("mark") == mark_of(member, live):
        return HttpResponse(status=204)
    response = render(request, "rooms/lobby.html#now", _lobby_context(request, member))
    patch_vary_headers(response, ["HX-Request"])
    return response


@shown_page
def notice(request: HttpRequest, code: str) -> HttpResponse:
    """Answer a table that asks what its host says to all."""
    member, named = _member_or_none(code, request), request.GET.get("game", "")
    played = named if named.isascii() and named.isalnum() else ""  # no database takes all letters
    if played and not Game.objects.filter(pk=played).exists():
        # Somebody of this table is forgotten: it will never move again.
        if member is not None:
            messages.warning(request, say("game_is_deleted"))
        return _elsewhere(reverse("room", args=[code]))
    if member is None:
        return HttpResponse(status=204)
    due = member.room.due_at
    if due is not None:
        give_sign(member)
    own = own_games(member) if due is not None and played else ()
    one = next((one for one in own if one.row.game_id == played and one.is_live), None)
    since = timesince(one.since) if one is not None and one.since is not None else ""
    told = f"{member.room.notice}{due}{since}{one and one.row.game.last_seq}"
    mark = f"{int(member.room.is_paused)}{hash_of(told)}"
    if request.GET.get("mark") == mark:
        return HttpResponse(status=204)
    context = {"room": member.room, "mark": mark, "one": one, "plan": plan_for(member)}
    context["played"] = played
    return render(request, "rooms/_notice.html", context)


@require_POST
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Leave a room; the same browser can come back."""
    member = _member_or_none(code, request)
    if member is not None and not member.is_removed:
        joining.leave(member)
        if member.room.due_at is not None:
            replace(member.room, member)  # nobody waits for days for somebody who has left
    return redirect("room", code)


@require_POST
def away(request: HttpRequest, code: str) -> HttpResponse:
    """Hear that a lobby was closed: nobody is paired with an empty chair."""
    member = _member_or_none(code, request)
    if member is not None:
        close_page(member, _page_of(request))
    return HttpResponse(status=204)


@form_page
def seat(request: HttpRequest, key: str) -> HttpResponse:
    """Show a personal link; a post sits down here, and the other device has no seat any more."""
    member = Member.objects.select_related("room").filter(key=key).first()
    if member is None or member.is_removed or member.withdrawn_at is not None:
        raise Http404
    problem = ""
    if member.session == visitor(request):
        return redirect(member.room)
    if request.method == "POST":
        try:
            seats.move(member, visitor(request), seats.Kind.BY_LINK)
        except RoomError as wrong:
            problem = wrong.detail
        else:
            remember_seat(request, member)
            return redirect(member.room)
    context = {"member": member, "room": member.room, "problem": problem}
    return render(request, "rooms/seat.html", context, status=409 if problem else 200)


def _join(request: HttpRequest, found: Room) -> HttpResponse:
    wanted = request.POST.get("nickname", "")
    if is_study(found) and joining.member_of(found, visitor(request)) is None:
        return redirect(reverse("room", args=[found.code]))
    try:
        member = joining.join(found, wanted, visitor(request))
    except NicknameTaken as wrong:
        return _door(request, found, problem=wrong.detail, nickname=wrong.free, status=wrong.status)
    except (RoomError, Busy) as wrong:
        return _door(request, found, problem=wrong.detail, nickname=wanted, status=wrong.status)
    return sit_down(request, member)


def _door(
    request: HttpRequest, found: Room, *, problem: str = "", nickname: str = "", status: int = 200
) -> HttpResponse:
    moved = Member.objects.filter(pk=request.session.get(SEATS, {}).get(found.pk, "")).first()
    context: dict[str, Any] = {
        "room": found,
        "plan": plan_of(found),
        "door": request.POST.get(DOOR) or request.GET.get(DOOR) or "",
        "problem": problem,
        "nickname": nickname[:40],
        "moved": moved,
        "is_host": found.host_id == request.user.pk,
        "is_full": joining.is_full(found),
        "is_bare": is_study(found),
        "study_enter": f"/rooms/{found.code}/enter/" if is_study(found) else "",
    }
    return render(request, "rooms/door.html", context, status=status)


def _refused(request: HttpRequest, wrong: UnknownCode | RateLimited, code: str) -> HttpResponse:
    answer = _front(request, problem=wrong.detail, code=code, status=wrong.status)
    if isinstance(wrong, RateLimited):
        answer["Retry-After"] = str(wrong.retry_after_s)
    return answer


def _front(
    request: HttpRequest, *, problem: str = "", code: str = "", status: int = 200
) -> HttpResponse:
    own = rooms_of(request.user)[:50] if isinstance(request.user, User) else []
    context = {"problem": problem, "code": code, "own": own, "ready": ready_rooms().values()}
    return render(request, "rooms/rooms.html", context, status=status)


def _lobby_context(request: HttpRequest, member: Member) -> dict[str, Any]:
    return {
        "room": member.room,
        "lobby": lobby_of(member),
        "page": _page_of(request) or secrets.token_hex(6),
        "seat_link": request.build_absolute_uri(reverse("room-seat", args=[member.key])),
        "is_study": is_study(member.room),
        "is_bare": is_study(member.room),
        "debrief": f"/rooms/{member.room.code}/debrief/" if member.room.is_open else "",
        "feedback": shown_to(member),
        "asks": awaits(member),
        "solved": solved_by(member.room, [member]).get(member.pk),
    }


def _reads_first(member: Member, live: RoomGame) -> bool:
    """Whether the record of whoever sits opposite comes before the table."""
    is_shown = plan_for(member, live.round).shows_past
    return is_shown and live.seller_id is not None and live.buyer_id is not None


def _page_of(request: HttpRequest) -> str:
    """Return by what a lobby that stands open in a browser is known."""
    page = request.GET.get("page") or request.POST.get("page") or ""
    return page if PAGE.fullmatch(page) else ""


def _member_or_none(code: str, request: HttpRequest) -> Member | None:
    if not (reader := visitor(request)):
        return None  # a seat that nobody has taken has no browser, either
    rows = Member.objects.select_related("room", "room__study")
    return rows.filter(room__code=code, session=reader).first()


def _elsewhere(address: str) -> HttpResponse:
    return HttpResponse(status=204, headers={"HX-Redirect": address})
