"""The board's pages: one evaluation with its bots and people, a name to play under, downloads."""

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bazaarbatna.intervals import Interval
from negotiation.charts.frontier import Axes, Spot, frontier, frontier_chart
from negotiation.errors import SessionError
from negotiation.games.visitors import visitor
from negotiation.games.wire_errors import refusal, status_of
from negotiation.limits import request_key
from negotiation.sentences import sentences
from training.evaluation.measures import Beside, beside
from training.evaluation.plan import SuiteFact
from training.evaluation.published import Published, newest
from training.evaluation.summary import RATES, Card, PolicyResult
from training.leaderboard import people, policy_table, tasks
from training.leaderboard.lines import (
    Place,
    SeatTable,
    Table,
    lines_of,
    people_lines,
    policy_lines,
    stored,
)
from training.leaderboard.models import BoardName
from training.leaderboard.people import REASONS
from training.leaderboard.policy_table import source_of
from training.leaderboard.rating import MOST_HALF_WIDTH

say = sentences(__file__)

MEAN = "mean"  # Stands for all suites together in an address


class Board(msgspec.Struct, frozen=True):
    """What is published, and the ratings of it where they are ready (``is_late``: not yet)."""

    published: Published
    bots: tuple[policy_table.BotResult, ...]
    table: Table | None
    is_late: bool

    @property
    def results(self) -> tuple[PolicyResult, ...]:
        """All results that stand side by side."""
        return (*self.published.rows, *(bot.result for bot in self.bots))


class Tab(msgspec.Struct, frozen=True):
    """One suite, or all of them, to choose."""

    id: str
    title: str
    fact: SuiteFact | None = None


class SuiteLine(msgspec.Struct, frozen=True):
    """A policy in the chosen suite; ``of_best`` is its share over the best response's.

    ``is_bound``: it stands beside the others to be measured against, and is not rated.
    """

    title: str
    card: Card
    bot: policy_table.BotResult | None = None
    of_best: float | None = None
    is_bound: bool = False


def board() -> Board | None:
    """Read what can be shown; None while nothing is published."""
    published = newest()
    if published is None:
        return None
    found = tuple(policy_table.results(published))
    known = stored("policies")
    if known is None or not known[1].made_from.startswith(f"{published.run} "):
        return Board(published, found, None, is_late=True)
    return Board(published, found, known[0], known[1].made_from != source_of(published, found))


def page(shown: Board | None, visitor: str) -> dict[str, Any]:
    """Gather everything the page is drawn from."""
    return {
        "board": shown,
        "lines": policy_lines(shown.table, shown.results) if shown else (),
        "people": _seats(visitor),
        "most_half_width": MOST_HALF_WIDTH,
    }


def _seats(visitor: str) -> dict[str, SeatTable]:
    known = stored("people")
    return people_lines(known[0] if known else None, visitor)


def _suite_part(shown: Board, suite: str) -> dict[str, Any]:
    tabs = _tabs_of(shown.published)
    here = next((tab for tab in tabs if tab.id == suite), tabs[0])
    found = {bot.result.policy: bot for bot in shown.bots}
    suite_id, bounds = None if here.id == MEAN else here.id, beside(shown.published)
    rows = [
        SuiteLine(
            gettext(one.title),
            card,
            found.get(one.policy),
            bounds.of_best(card, suite_id) if bounds else None,
        )
        for one in shown.results
        if (card := one.mean if suite_id is None else one.suites.get(suite_id)) is not None
    ]
    spots = _spots(rows)
    rows += _bounds(bounds, suite_id, {one.policy for one in shown.results})
    rows.sort(key=lambda row: -row.card.share_of_winnable.mean if row.card.share_of_winnable else 1)
    title = say("title_of_the_chart", suite=here.title)
    axes = Axes(say("deals_of_all_games_where_one"), say("point_in_words"), has_worth=True)
    chart = frontier_chart(spots, title, axes) if spots else SafeString()
    return {
        "tabs": tabs,
        "here": here,
        "rows": rows,
        "chart": chart,
        "best": frontier(spots),
        "has_bounds": bounds is not None,
        "is_patience": bool(bounds and suite_id and bounds.is_patience(suite_id)),
    }


def _tabs_of(published: Published) -> tuple[Tab, ...]:
    suites = (Tab(one.id, gettext(one.title), one) for one in published.made.suites)
    return (Tab(MEAN, say("all_suites")), *suites)


def _own_part(entry: BoardName | None) -> dict[str, Any]:
    if entry is None:
        return {"entry": None}
    reasons = list(entry.games.values_list("why_not", flat=True))
    spared = [(reasons.count(code), code) for code in REASONS if code in reasons]
    return {"entry": entry, "counted": reasons.count(""), "spared": spared}


def _bounds(found: Beside | None, suite: str | None, others: set[str]) -> list[SuiteLine]:
    if found is None:
        return []
    cards = [(one, found.card(one.policy, suite)) for _, one in found.results()]
    return [
        SuiteLine(gettext(one.title), card, None, found.of_best(card, suite), is_bound=True)
        for one, card in cards
        if card is not None and one.policy not in others
    ]


def _spots(rows: Sequence[SuiteLine]) -> list[Spot]:
    return [
        Spot(row.title, row.card.deal_rate, row.card.share_of_deals)
        for row in rows
        if row.card.deal_rate is not None and row.card.share_of_deals is not None
    ]


FORMAT = "bazaarbatna-leaderboard@1"

BESIDE = ("policy", "title", "version", "kind", "suite", "n", "games", "winnable", "deals")
"""Columns of the CSV before the rates."""


class NameForm(forms.Form):
    """A name; its rules are in ``negotiation.names``."""

    name = forms.CharField(max_length=200, strip=False, error_messages={
        "required": say.lazy("no_name"),
        "max_length": say.lazy("name_too_long"),
    })  # fmt: skip


@require_safe
@never_cache
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Show the board; an address that names a suite leads to the page of suites."""
    if "suite" in request.GET:
        query = urlencode({"suite": request.GET["suite"]})
        return redirect(f"{reverse('board-suites')}?{query}#suites")
    return _show(request)


@require_safe
@never_cache
def everybody(request: HttpRequest) -> HttpResponse:
    """Show both seats in full: people, and the house in the same chairs."""
    _look_after(request)
    return render(request, "leaderboard/people.html", {"people": _seats(visitor(request))})


@require_safe
@never_cache
def suites(request: HttpRequest) -> HttpResponse:
    """Show all numbers suite by suite, and the sellers; for htmx only the chosen suite's part."""
    suite, htmx = request.GET.get("suite", ""), getattr(request, "htmx", None)
    is_part = bool(htmx and not htmx.history_restore_request)
    shown = board() if is_part else _look_after(request)[0]
    part = _suite_part(shown, suite) if shown else {}
    if shown is not None and is_part:
        response = render(request, "leaderboard/suites.html#suites", part)
    else:
        sellers = lines_of(shown.table.sellers) if shown and shown.table else ()
        context = {"board": shown, "sellers": sellers, **part}
        response = render(request, "leaderboard/suites.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def take_name(request: HttpRequest) -> HttpResponse:
    """Put the visitor on the board under a name."""
    form = NameForm(request.POST)
    if not form.is_valid():
        problem = str(form.errors["name"][0])
        return _show(request, status=422, problem=problem, draft=request.POST.get("name", ""))
    try:
        entry = people.join(visitor(request), form.cleaned_data["name"], request_key(request))
    except SessionError as wrong:
        problem = refusal(wrong)["detail"]
        draft = form.cleaned_data["name"][:60]
        return _show(request, status=status_of(wrong), problem=problem, draft=draft)
    messages.success(request, say("now_on_the_board", name=entry.name))
    return redirect("leaderboard")


@require_POST
def withdraw_name(request: HttpRequest) -> HttpResponse:
    """Take the visitor's name off the board."""
    if people.withdraw(visitor(request)):
        tasks.ask()
        messages.success(request, say("now_off_the_board"))
    return redirect("leaderboard")


@require_safe
def board_json(request: HttpRequest) -> HttpResponse:
    """Send all tables as JSON."""
    return HttpResponse(to_json(board()), content_type="application/json")


@require_safe
def board_csv(request: HttpRequest) -> HttpResponse:
    """Send the numbers of all policies and suites as CSV."""
    answer = HttpResponse(_to_csv(board()), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="bazaarbatna-leaderboard.csv"'
    return answer


def _show(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    shown, entry = _look_after(request)
    context = {**page(shown, visitor(request)), **_own_part(entry), **more}
    return render(request, "leaderboard/board.html", context, status=status)


def _look_after(request: HttpRequest) -> tuple[Board | None, BoardName | None]:
    """Collect the visitor's games, and ask for a newer board where this one is late."""
    entry = people.on_board(visitor(request))
    if entry is not None and people.collect(entry):
        tasks.ask()
    shown = board()
    tasks.look_after(is_late=shown is not None and shown.is_late)
    return shown, entry


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


def _to_csv(shown: Board | None) -> str:
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
