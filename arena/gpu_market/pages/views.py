"""The pages of the GPU market: the front page, a market live or over, twins and what-ifs."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.gpu_market.pages import finding
from arena.gpu_market.pages.forms import (
    FIRST_POLICY,
    FIRST_SEED,
    StartForm,
    action_of,
    draft_of,
)
from arena.gpu_market.pages.front import front_page
from arena.gpu_market.pages.market import market_page, part_of
from arena.gpu_market.pages.other_worlds import choices_page, option_at, twin_page, what_if_page
from negotiation.errors import UnknownGame
from negotiation.game_page import visitor

NO_NUMBER = 10**9
"""Larger than any number in an address can be."""
WANTS_PART = "X-Part"
"""The header with which a page asks for the board alone."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def front(request: HttpRequest) -> HttpResponse:
    """Say what the market is and show one; a post opens a market."""
    if request.method != "POST":
        first = {"task": "coalition_market", "seed": FIRST_SEED, "policy": FIRST_POLICY}
        return _front(request, StartForm(initial=first))
    form = StartForm(request.POST)
    if not form.is_valid():
        return _front(request, form, status=422)
    asked = form.cleaned_data
    opened = finding.open_market(visitor(request), asked["task"], asked["seed"], asked["policy"])
    return redirect("market-match", opened)


@require_safe
@never_cache
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a market: live for its lab and for spectators, or over for everybody."""
    return _show(request, _find(request, match_id))


@require_safe
@never_cache
def board(request: HttpRequest, match_id: str) -> HttpResponse:
    """Draw the board alone, as it stood after some frame."""
    seen = _find(request, match_id)
    return render(request, "market/_board.html", part_of(seen, until_of(request)))


@require_POST
def act(request: HttpRequest, match_id: str) -> HttpResponse:
    """Let the visitor's own lab take its turn."""
    seen = _find(request, match_id)
    result = finding.act(match_id, visitor(request), action_of(request.POST))
    if not result.ok:
        problem = {"code": result.code, "detail": result.message}
        return _show(request, seen, problem=problem, draft=draft_of(request.POST), status=422)
    if WANTS_PART in request.headers:
        return _show(request, _find(request, match_id))
    return redirect("market-match", match_id)


@require_safe
def twin(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a finished market beside its twin without one shock, or without any."""
    seen = _finished(request, match_id)
    asked = request.GET.get("shock")
    try:
        context = twin_page(seen, None if asked is None else _number(asked))
    except IndexError:
        raise Http404("No such shock struck.") from None
    return render(request, "market/twin.html", context)


@require_safe
def what_if(request: HttpRequest, match_id: str) -> HttpResponse:
    """Ask what else a turn could have been, then show what would have come of it."""
    seen = _finished(request, match_id)
    seq = _number(request.GET.get("seq", ""))
    try:
        context = choices_page(seen, seq)
    except ValueError:
        raise Http404("Nobody took a turn there.") from None
    choice = request.GET.get("choice")
    if choice is None:
        return render(request, "market/what_if.html", context)
    option = option_at(context["options"], choice)
    if option is None:
        context["problem"] = "Choose one of these."
        return render(request, "market/what_if.html", context, status=422)
    return render(request, "market/twin.html", what_if_page(seen, seq, option))


def until_of(request: HttpRequest) -> int | None:
    """Read the moment from the address; anything that is no number means the newest one."""
    asked = _number(request.GET.get("until", ""))
    return asked if asked < NO_NUMBER else None


def _number(asked: str) -> int:
    """Read a whole number; what is none becomes one that nothing has."""
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 9 else NO_NUMBER


def _finished(request: HttpRequest, match_id: str) -> finding.Seen:
    """Find a market whose sealed values are open; a live one has no other worlds to show."""
    seen = _find(request, match_id)
    if not seen.over:
        raise Http404("This market is not over yet.")
    return seen


def _find(request: HttpRequest, match_id: str) -> finding.Seen:
    try:
        return finding.find(match_id, visitor(request))
    except UnknownGame:
        raise Http404("There is no such market.") from None


def _show(
    request: HttpRequest,
    seen: finding.Seen,
    *,
    problem: dict[str, Any] | None = None,
    draft: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    more = {"problem": problem, "draft": draft or {}}
    if WANTS_PART in request.headers:
        return render(request, "market/_board.html", part_of(seen, None) | more, status=status)
    context = market_page(seen, until_of(request)) | more
    return render(request, "market/match.html", context, status=status)


def _front(request: HttpRequest, form: StartForm, status: int = 200) -> HttpResponse:
    return render(request, "market/front.html", front_page(form, request), status=status)
