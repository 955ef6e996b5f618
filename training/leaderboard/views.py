"""The board's pages: the tables, a name to play under, the downloads."""

import csv
import io
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
from django import forms
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
from negotiation.statistics import Interval
from training.evaluation.summary import RATES, Card
from training.leaderboard import news, people
from training.leaderboard.lines import people_lines
from training.leaderboard.page import Board, board, own_part, page, suite_part
from training.leaderboard.tables import Place, stored

FORMAT = "bazaarbatna-leaderboard@1"

BESIDE = ("policy", "title", "version", "kind", "suite", "n", "games", "winnable", "deals")
"""Columns of the CSV before the rates."""


class NameForm(forms.Form):
    """A name; its rules are in ``training.bots.names``."""

    name = forms.CharField(max_length=200, strip=False, error_messages={
        "required": "Write the name you want to be known by.",
        "max_length": "A name has at most 24 characters.",
    })  # fmt: skip


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
    return HttpResponse(to_json(board()), content_type="application/json")


@require_safe
def board_csv(request: HttpRequest) -> HttpResponse:
    """Send the numbers of all policies and suites as CSV."""
    answer = HttpResponse(to_csv(board()), content_type="text/csv; charset=utf-8")
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


def to_json(shown: Board | None) -> bytes:
    """Write ratings, cards per suite, versions and seeds; people by the names they chose."""
    people = stored("people")
    seats = people_lines(people[0] if people else None, "", most=sys.maxsize)
    content = {
        "format": FORMAT,
        "run": shown.published.run if shown else None,
        "made": shown.published.made if shown else None,
        "method": shown.published.method if shown else None,
        "ratings": [_rating(one) for one in shown.table.places] if shown and shown.table else [],
        "sellers": [_rating(one) for one in shown.table.sellers] if shown and shown.table else [],
        "policies": shown.results if shown else [],
        "people": {
            seat: [
                _rating(line.place, line.title)
                for line in (*table.lines, *table.opposite)
                if line.place
            ]
            for seat, table in seats.items()
        },
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def to_csv(shown: Board | None) -> str:
    """Write one line per policy and suite, and one for the mean over suites."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    ends = [f"{rate}_{end}" for rate in RATES for end in ("mean", "low", "high")]
    lines.writerow([*BESIDE, *ends])
    for one in shown.results if shown else ():
        for suite, card in (("mean", one.mean), *one.suites.items()):
            own = [one.policy, one.title, one.version, one.kind, suite]
            lines.writerow([*own, *_numbers(card)])
    return text.getvalue()


def _numbers(card: Card) -> Iterator[object]:
    yield from (card.n, card.games, card.winnable, card.deals)
    for rate in RATES:
        found: Interval | None = getattr(card, rate)
        yield from (found.mean, found.low, found.high) if found else ("", "", "")


def _rating(place: Place, title: str = "") -> dict[str, object]:
    player = place.player
    return {
        # A person's key is a number of this site's own and means nothing outside.
        "player": title if player.kind == "person" else player.key,
        "title": title or player.title,
        "version": player.version,
        "kind": player.kind,
        "seat": player.seat,
        "verified": player.verified,
        "games": player.games,
        "points": round(place.points, 1),
        "low": round(place.low, 1),
        "high": round(place.high, 1),
        "provisional": place.is_provisional,
        "rank": [place.ranks.best, place.ranks.worst] if place.ranks else None,
    }
