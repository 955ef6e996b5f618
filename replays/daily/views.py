"""The pages of the daily game: today's, a day that is over, and a result's card to pass on."""

import datetime as dt
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain import opponent_turns, sessions
from negotiation.errors import UnknownGame
from negotiation.games.visitors import is_back, visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key
from negotiation.models import DAILY, Game
from replays.daily.card import DRAWN_FROM, Card, draw, histogram
from replays.daily.days import DAY, begin, made_today, scenario_of, today, try_of
from replays.daily.house import HouseResult, house_results, par_of
from replays.daily.line import exchange_of, lines_of
from replays.daily.opened import days_file, opened, promised
from replays.daily.results import (
    is_counted,
    result_of,
    standing_of,
    streak_of,
)
from replays.daily.twists import TWISTS, twist_of
from replays.models import DailyGame, DailyTry
from replays.preview.canvas import HEIGHT, WIDTH
from replays.preview.lines import draw_lines
from replays.preview.views import LONGEST_SEQ, send_card
from replays.sealed_days import INDIA, day_of, ends_at, is_next_door, is_open, opens_at


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def daily(request: HttpRequest) -> HttpResponse:
    """Show today's game to its visitor; a post begins it, or leads back to the one begun."""
    if request.method != "POST":
        return _show(request)
    try:
        game = begin(visitor(request), request_key(request))
    except REFUSALS as wrong:
        return _show(request, problem=refusal(wrong)["detail"], status=status_of(wrong))
    opponent_turns.start_turn_from_thread(game.pk)
    return redirect("sale", game.pk)


@never_cache
@require_safe
def past(request: HttpRequest, day: dt.date) -> HttpResponse:
    """Show a day that is over; today has its page, and nothing is told of another sealed one."""
    if day == day_of(timezone.now()):
        return redirect("daily")
    row = DailyGame.objects.filter(pk=day).first()
    if row is None or not is_open(day):
        raise Http404
    owner = visitor(request)
    own = try_of(day, owner)
    counted = own if own is not None and is_counted(own) else None
    shown = _card(counted) if counted is not None else None
    context = {"day": day, "opened": opened(row), **_table(row, owner, shown, "past")}
    context["crowd"] = context["standing"]
    if counted is not None and shown is not None:
        context |= _shared(request, counted, shown) | {"lines": lines_of(counted)}
    return render(request, "daily/past.html", context)


@require_safe
def card(request: HttpRequest, token: str) -> HttpResponse:
    """Show a result to whoever has its link: the day, stars, squares, and the way to play."""
    own = _counted(token)
    context = _shared(request, own, _card(own))
    context |= {"is_today": own.day_id == day_of(timezone.now()), "is_open": is_open(own.day_id)}
    return render(request, "daily/card.html", context)


@require_safe
def card_image(request: HttpRequest, token: str) -> HttpResponse:
    """Send the picture of a result."""
    return send_card(request, _card(_counted(token)), draw)


@require_POST
def line(request: HttpRequest, token: str) -> HttpResponse:
    """Put a line of Sauda's and what it answers on an own card; an empty ``seq`` takes it off."""
    own = _counted(token)
    if own.visitor != visitor(request):
        raise Http404
    seq = request.POST.get("seq", "")
    own.line = int(seq) if seq.isascii() and seq.isdigit() and len(seq) < LONGEST_SEQ else None
    if exchange_of(own) is None:
        own.line = None
    own.save(update_fields=["line"])
    page = reverse("daily-day", args=[own.day_id]) if is_open(own.day_id) else reverse("daily")
    return redirect(f"{page}#card-title")


@require_safe
def line_image(request: HttpRequest, token: str) -> HttpResponse:
    """Send the picture of the exchange that a player put on the card."""
    found = exchange_of(_counted(token))
    if found is None:
        raise Http404
    return send_card(request, found, draw_lines)


@never_cache
@require_safe
def strip(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the day above the table of its game: what is special, the streak, when it ends."""
    try:
        game = sessions.owned_game(game_id, visitor(request))
    except UnknownGame:
        raise Http404 from None
    if not game.is_daily:
        raise Http404
    row = get_object_or_404(DailyGame, pk=game.suite.removeprefix(DAILY))
    dealt = scenario_of(row)
    context = {
        "day": row.day,
        "twist": TWISTS.get(row.twist),
        # It is what the neighbour pays: the player's own number, and nobody else reads this.
        "pays": to_rupees(dealt.sealed.reservation) if is_next_door(game) else None,
        "currency": dealt.item.currency,
        "streak": streak_of(visitor(request), row.day),
        "ends": opens_at(row.day),
        "outcome": game.outcome,
        "is_over": game.status == Game.Status.ENDED or game.rematch_of_id is not None,
    }
    return render(request, "daily/_strip.html", context)


@require_safe
def days(request: HttpRequest) -> HttpResponse:
    """Send what was promised, and the secrets of the days that are over."""
    response = HttpResponse(days_file(), content_type="application/json; charset=utf-8")
    response["Cache-Control"] = "private, no-cache"  # it may bring a new visitor's cookie
    return response


def _show(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    row, owner = today() if is_back(request) else made_today(), visitor(request)
    if row is None:
        return render(request, "daily/soon.html", status=202)
    own = try_of(row.day, owner)
    state = "new" if own is None else "playing"
    if own is not None and own.game.status == Game.Status.ENDED:
        state = "done"
    dealt = scenario_of(row)
    context: dict[str, Any] = {
        "day": row.day,
        "state": state,
        "own": own,
        "item": dealt.item,
        "opens_at": to_rupees(dealt.anchor),
        "rounds": dealt.max_rounds,
        "india": INDIA,
        "twist": TWISTS.get(row.twist),
        "tomorrow": TWISTS.get(twist_of(row.day + DAY)),
        "promised": promised(),
        "ends": ends_at(row.day),
        "closes": opens_at(row.day),
        "problem": problem,
        **_yesterday(row.day - DAY, owner),
    }
    if own is not None and state == "done":
        shown = _card(own)
        context |= _table(row, owner, shown, "today")
        context |= _shared(request, own, shown) | {"lines": lines_of(own)}
    else:
        context["streak"] = streak_of(owner, row.day)
        context["finished"] = standing_of(row.day).total
    return render(request, "daily/index.html", context, status=status)


def _yesterday(day: dt.date, owner: str) -> dict[str, Any]:
    row = DailyGame.objects.filter(pk=day).first()
    if row is None:
        return {}
    own = try_of(day, owner)
    late = own is not None and own.game.status == Game.Status.LIVE and not is_open(day)
    return {
        "before": day,
        "opens": opens_at(day),
        "opened": opened(row),
        "crowd": standing_of(day, owner) if is_open(day) else None,
        "late": own.game if own is not None and late else None,
    }


def _table(row: DailyGame, owner: str, own: Card | None, key: str) -> dict[str, Any]:
    standing = standing_of(row.day, owner if own is not None else "")
    par = par_of(house_results(row))
    return {
        "par": par,
        "over_par": own.result.share - par.share if par and own else 0.0,
        "standing": standing,
        "histogram": histogram(standing, f"daily-{key}") if standing.total >= DRAWN_FROM else "",
        "drawn_from": DRAWN_FROM,
        "players": _players(row, own),
    }


def _players(row: DailyGame, own: Card | None) -> list[HouseResult]:
    """List the house's sellers, and the reader without a policy, best first."""
    players = list(house_results(row))
    if own is not None:
        got = own.result
        players.append(HouseResult("", got.share, got.rounds, got.end))
    return sorted(players, key=lambda one: (one.outcome != "deal", -one.share))


def _card(own: DailyTry) -> Card:
    twist = TWISTS.get(own.day.twist)
    streak = streak_of(own.visitor, own.day_id)
    return Card(own.day_id, result_of(own), streak, twist.title if twist else "")


def _shared(request: HttpRequest, own: DailyTry, shown: Card) -> dict[str, Any]:
    url = request.build_absolute_uri(reverse("daily-card", args=[own.token]))
    context: dict[str, Any] = {
        "card": shown,
        "token": own.token,
        "exchange": exchange_of(own),
        "url": url,
        "image": request.build_absolute_uri(reverse("daily-card-image", args=[own.token])),
        "picture": reverse("daily-card-image", args=[own.token]),
        "width": WIDTH,
        "height": HEIGHT,
    }
    # The text goes into a clipboard, not into a page: nothing in it is markup.
    context["text"] = render_to_string("daily/card.txt", context).strip()
    return context


def _counted(token: str) -> DailyTry:
    own = DailyTry.objects.filter(token=token).select_related("game", "day").first()
    if own is None or not is_counted(own):
        raise Http404
    return own
