"""The pages of the arena: the lobby, a match, a seat, and moves without scripts."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.auction.charts.course import course_of
from arena.auction.web import matches, running, watching
from arena.auction.web.commands import place
from arena.auction.web.forms import EnvelopeForm, StartForm
from arena.auction.web.lobby import chosen_of, coming_next, lobby_page, waiting_page
from arena.auction.web.moments import moments_of
from arena.auction.web.orders import persona_word
from arena.auction.web.outcome import outcome_html
from arena.auction.web.rendering import (
    joined,
    moment_html,
    panels_html,
    said_html,
    shape_of,
    signs,
    tells_html,
)
from arena.models import Match
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.game_page import visitor
from negotiation.errors import UnknownGame
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.money import SIGNS

PARTS = {"now": "arena/lobby.html#now", "goods": "arena/_goods.html"}  # drawn again by themselves

SIGNAL_CHOICES: tuple[tuple[str, str, str], ...] = (
    ("", "No signal", "say nothing to the others"),
    ("cooperate", "Cooperate", "“let us not drive the price up”: the seller looks away a little"),
    ("compete", "Compete", "“I will outbid you”: the seller turns to you"),
    ("bluff", "Bluff", "looks like compete, and you do not mean it"),
)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """Show what is on and what comes next; a post starts a match."""
    if request.method == "POST":
        return _start(request)
    if request.GET.get("part") == "coming":
        return render(request, "arena/_coming.html", coming_next())
    return _lobby(request, StartForm(initial=chosen_of(request.GET)))


@require_safe
@never_cache
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match: waiting, live or over."""
    return _show(request, match_id)


@require_POST
def seat(request: HttpRequest, match_id: str) -> HttpResponse:
    """Sit down in a match that has not begun."""
    try:
        spend("matches", request_key(request))
        index = request.POST.get("index", "")
        number = int(index) if index.isdecimal() and len(index) < 3 else -1
        matches.take_seat(match_id, number, visitor(request))
    except REFUSALS as wrong:
        return _show(request, match_id, problem=refusal(wrong), status=status_of(wrong))
    return redirect("match", match_id)


@require_POST
def move(request: HttpRequest, match_id: str) -> HttpResponse:
    """Close an envelope by a plain form post."""
    form = EnvelopeForm(request.POST)
    if not form.is_valid():
        wrong = {"code": "bad-frame", "detail": next(iter(form.errors.values()))[0]}
        return _show(request, match_id, problem=wrong, draft=request.POST, status=422)
    try:
        spend("messages", visitor(request))
        place(match_id, visitor(request), form.command(), form.cleaned_data["seq"])
    except REFUSALS as wrong:
        said = refusal(wrong)
        return _show(request, match_id, problem=said, draft=request.POST, status=status_of(wrong))
    running.tell(match_id)
    return redirect("match", match_id)


def _start(request: HttpRequest) -> HttpResponse:
    form = StartForm(request.POST)
    if not form.is_valid():
        return _lobby(request, form, status=422)
    try:
        client = request_key(request)
        spend("matches", client)
        opened = matches.open_match(visitor(request), form.order(), client=client)
    except REFUSALS as wrong:
        form.add_error(None, refusal(wrong)["detail"])
        return _lobby(request, form, status=status_of(wrong))
    running.start_from_thread(opened.pk)
    return redirect("match", opened.pk)


def _lobby(request: HttpRequest, form: StartForm, status: int = 200) -> HttpResponse:
    part = request.GET.get("part", "") if getattr(request, "htmx", False) else ""
    context = lobby_page(visitor(request), form, request.GET.get("q", ""))
    template = PARTS.get(part, "arena/lobby.html")
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _show(
    request: HttpRequest,
    match_id: str,
    *,
    problem: dict[str, Any] | None = None,
    draft: Any = None,
    status: int = 200,
) -> HttpResponse:
    more = {"problem": problem, "draft": draft or {}}
    try:
        view = watching.view_of(match_id, visitor(request))
    except UnknownGame:
        raise Http404("There is no such match.") from None
    if view.viewer is None:
        context = waiting_page(view.match, visitor(request)) | more
        return render(request, "arena/waiting.html", context, status=status)
    context = match_page(view.match, view.frames) | more
    return render(request, "arena/match.html", context, status=status)


def match_page(match: Match, frames: Sequence[Frame]) -> dict[str, Any]:
    """Return the context of a match that has begun, from all frames its visitor may see."""
    course = course_of(frames)
    moments = moments_of(frames, course)
    tells = [frame for frame in frames if frame["event"]["kind"] == "tells"]
    panels = panels_html(match, frames)
    panels.setdefault("match-outcome", outcome_html(match, frames, course))
    opened = frames[0]["event"]
    return {
        "match": match,
        "game": match.game,
        "course": course,
        "opened": opened,
        "persona": persona_word(opened["persona"] or ""),
        "last_seq": frames[-1]["seq"],
        "over": bool(course.ended_seq),
        "moments": joined([moment_html(one, course, shown=one is moments[-1]) for one in moments]),
        "talk": joined([said_html(frame, course) for frame in frames]),
        "tells": joined([tells_html(frame, shown=frame is tells[-1]) for frame in tells]),
        "panels": _safe(panels),
        "signals": [(*choice, signs().get(choice[0], "")) for choice in SIGNAL_CHOICES],
        "shapes": [(lane, shape_of(lane)) for lane in course.lanes],
        "sign": SIGNS.get(course.currency, course.currency),
    }


def _safe(panels: dict[str, str]) -> dict[str, SafeString]:
    # Panels come from templates, which have escaped what people wrote.
    return {name.removeprefix("match-"): mark_safe(html) for name, html in panels.items()}  # noqa: S308
