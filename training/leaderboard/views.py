"""The board's pages: the tables, a name to play under, the downloads."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from negotiation.bargain.web.game_page import visitor
from negotiation.errors import SessionError
from negotiation.games.wire_errors import refusal, status_of
from negotiation.limits import request_key
from training.leaderboard import downloads, news, people
from training.leaderboard.forms import NameForm
from training.leaderboard.page import board, own_part, page, suite_part


@require_safe
@never_cache
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Show the board; only the part of the chosen suite for htmx."""
    suite = request.GET.get("suite", "")
    htmx = getattr(request, "htmx", None)
    is_part = htmx and not htmx.history_restore_request
    shown = board() if is_part else None
    if shown is not None:
        response = render(request, "leaderboard/board.html#suites", suite_part(shown, suite))
    else:
        response = _show(request, suite)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def take_name(request: HttpRequest) -> HttpResponse:
    """Put the visitor on the board under a name."""
    form = NameForm(request.POST)
    if not form.is_valid():
        problem = form.errors["name"][0]
        return _show(request, status=422, problem=problem, draft=request.POST.get("name", ""))
    try:
        entry = people.join(visitor(request), form.cleaned_data["name"], request_key(request))
    except SessionError as wrong:
        problem = refusal(wrong)["detail"]
        draft = form.cleaned_data["name"][:60]
        return _show(request, status=status_of(wrong), problem=problem, draft=draft)
    messages.success(request, f"You are on the board as {entry.name}. Games you open now count.")
    return redirect("leaderboard")


@require_POST
def withdraw_name(request: HttpRequest) -> HttpResponse:
    """Take the visitor's name off the board."""
    if people.withdraw(visitor(request)):
        news.ask()
        messages.success(request, "Your name is off the board.")
    return redirect("leaderboard")


@require_safe
def board_json(request: HttpRequest) -> HttpResponse:
    """Send all tables as JSON."""
    return HttpResponse(downloads.to_json(board()), content_type="application/json")


@require_safe
def board_csv(request: HttpRequest) -> HttpResponse:
    """Send the numbers of all policies and suites as CSV."""
    answer = HttpResponse(downloads.to_csv(board()), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="bazaarbatna-leaderboard.csv"'
    return answer


def _show(request: HttpRequest, suite: str = "", status: int = 200, **more: Any) -> HttpResponse:
    entry = people.on_board(visitor(request))
    if entry is not None and people.collect(entry):
        news.ask()
    shown = board()
    news.look_after(is_late=shown is not None and shown.is_late)
    context = {**page(shown, suite, visitor(request)), **own_part(entry), **more}
    return render(request, "leaderboard/board.html", context, status=status)
