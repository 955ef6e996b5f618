"""The pages of the daily game: today's, a day that is over, and a result's card to pass on."""

import datetime as dt
import functools
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from negotiation.bargain import opponent_turns
from negotiation.bargain.verdict import STARS
from negotiation.charts.svg import element, picture
from negotiation.games.visitors import is_back, visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key
from negotiation.models import Game
from negotiation.sentences import sentences
from replays.daily.days import DAY, begin, made_today, scenario_of, today, try_of
from replays.daily.house import HouseResult, house_results
from replays.daily.opened import days_file, opened, promised
from replays.daily.results import (
    BARS,
    Result,
    Standing,
    is_counted,
    result_of,
    standing_of,
    streak_of,
)
from replays.models import DailyGame, DailyTry
from replays.preview.canvas import HEIGHT, WIDTH, Canvas
from replays.preview.card import ACCENT, INK, LINE, MARIGOLD, PAPER, SOFT, TONES, awning
from replays.preview.views import send_card
from replays.sealed_days import INDIA, day_of, ends_at, is_open, opens_at

say = sentences(__file__)

COLOURS = {"held": "#2f7d4b", "small": "#e3a51f", "big": "#b03a2e"}
HERS = {"held": "#d9d2c3", "small": "#5b7bb4", "big": "#2b3f73"}
SIDE, GAP = 62, 10
ROWS = (352, 352 + SIDE + 14)
LEFT = 64


class Card(msgspec.Struct, frozen=True):
    """A result with the streak that it belongs to, in days."""

    day: dt.date
    result: Result
    streak: int

    @property
    def ending(self) -> str:
        """How it ended, in words without a price."""
        words = {
            "deal": say("a_deal"),
            "left": say("walked_away"),
            "gone": say("sauda_walked_away"),
            "expired": say("the_rounds_ran_out"),
        }
        return words[self.result.end]

    @property
    def told(self) -> str:
        """How it ended and after how many rounds, unless all of them were played."""
        if self.result.end == "expired":
            return self.ending
        count = self.result.rounds
        rounds = ngettext("%(count)d round", "%(count)d rounds", count) % {"count": count}
        return f"{self.ending}, {rounds}"

    @property
    def headline(self) -> str:
        """The one number of a deal and how it came about; without a deal, how it ended."""
        percent = self.result.verdict.percent
        return self.told if percent is None else f"{percent} %. {self.told}"

    @property
    def row(self) -> str:
        """The streak in words, "" below two days."""
        if self.streak < 2:
            return ""
        days = ngettext("%(count)d day in a row", "%(count)d days in a row", self.streak)
        return days % {"count": self.streak}


@functools.lru_cache(maxsize=128)
def draw(card: Card, language: str) -> bytes:
    """Return the image, 1200 by 630 pixels, as PNG, in the language that is spoken now."""
    del language  # of the words on it, so that a kept image is not shown in another one
    canvas = Canvas(PAPER)
    awning(canvas)
    canvas.text((LEFT, 92), "Bazaar", "display", 34, INK)
    start = LEFT + canvas.width("Bazaar", "display", 34)
    canvas.text((start, 92), "BATNA", "display-bold", 34, ACCENT)
    day = date_format(card.day, "j F Y")
    canvas.text((WIDTH - LEFT - canvas.width(day, "control", 28), 92), day, "control", 28, SOFT)
    canvas.text((LEFT, 196), say("the_daily_haggle"), "display", 72, INK)
    _coins(canvas, card.result.verdict.stars)
    canvas.text((LEFT + 430, 300), card.headline, "display-bold", 40, _tone(card))
    _squares(canvas, card)
    if card.row:
        canvas.text((LEFT, HEIGHT - 60), card.row, "control-bold", 30, ACCENT)
    call = say("one_game_a_day_the_same")
    end = WIDTH - LEFT - canvas.width(call, "control", 26)
    canvas.text((end, HEIGHT - 60), call, "control", 26, SOFT)
    return canvas.png()


def _tone(card: Card) -> str:
    return TONES["deal"] if card.result.end == "deal" else TONES["walk"]


def _coins(canvas: Canvas, stars: int) -> None:
    for place in range(STARS):
        at = (LEFT + 34 + place * 80, 286.0)
        canvas.dot(at, 33, ACCENT if place < stars else LINE)
        canvas.dot(at, 29, MARIGOLD if place < stars else PAPER)


def _squares(canvas: Canvas, card: Card) -> None:
    names = (say("seller"), "Sauda")
    left = LEFT + 26 + max(canvas.width(name, "control-bold", 28) for name in names)
    rows = ((card.result.squares, COLOURS), (card.result.hers, HERS))
    end = float(left)
    for name, y, (squares, colours) in zip(names, ROWS, rows, strict=True):
        canvas.text((LEFT, y + SIDE / 2 + 10), name, "control-bold", 28, SOFT)
        for place, square in enumerate(squares):
            x = left + place * (SIDE + GAP)
            canvas.box((x, y), (x + SIDE, y + SIDE), colours[square], radius=10)
            end = max(end, x + SIDE + GAP)
    _ending(canvas, card, (end + SIDE / 2, (ROWS[0] + ROWS[1] + SIDE) / 2))


def _ending(canvas: Canvas, card: Card, at: tuple[float, float]) -> None:
    x, y = at
    if card.result.end == "deal":
        canvas.dot(at, SIDE / 2, TONES["deal"])
        canvas.line([(x - 14, y + 2), (x - 4, y + 12), (x + 15, y - 10)], PAPER, 7)
    else:
        canvas.dot(at, SIDE / 2, TONES["walk"])
        canvas.line([(x - 11, y - 11), (x + 11, y + 11)], PAPER, 7)
        canvas.line([(x - 11, y + 11), (x + 11, y - 11)], PAPER, 7)


CHART_WIDTH, ROW, CHART_LEFT, RIGHT = 320, 22, 78, 72


def histogram(standing: Standing, key: str) -> SafeString:
    """Draw the results of a day, the reader's row marked; ``key`` begins the ids of the picture."""
    rows = [(say("no_deal"), standing.no_deal, standing.own == -1)]
    for place, count in enumerate(standing.bars):
        low, high = (100 * edge // BARS for edge in (place, place + 1))
        rows.append((f"{low}–{high} %", count, standing.own == place))
    most = max(*(count for _, count, _ in rows), 1)
    told = [f"{label}: {count}" for label, count, _ in rows if count]
    words = "; ".join(told) or say("nobody_has_finished_yet")
    drawn: list[SafeString] = []
    for number, (label, count, is_own) in enumerate(rows):
        drawn += _row(number * ROW, label, count, most, is_own=is_own)
    look: dict[str, object] = {
        "class": "daily-histogram",
        "viewBox": f"0 0 {CHART_WIDTH} {ROW * len(rows)}",
    }
    title = ngettext(
        "What %(count)d person got of the zone",
        "What %(count)d people got of the zone",
        standing.total,
    ) % {"count": standing.total}
    return picture(look, key, title, words, *drawn)


def _row(y: float, label: str, count: int, most: int, *, is_own: bool) -> list[SafeString]:
    room = CHART_WIDTH - CHART_LEFT - RIGHT
    bar: dict[str, object] = {
        "class": "is-own" if is_own else None,
        "x": CHART_LEFT,
        "y": y + 3,
        "width": max(room * count / most, 2),
        "height": ROW - 6,
        "rx": 2,
    }
    name: dict[str, object] = {"x": CHART_LEFT - 8, "y": y + 15.5, "text-anchor": "end"}
    end: dict[str, object] = {"x": CHART_LEFT + max(room * count / most, 2) + 6, "y": y + 15.5}
    parts = [element("text", name, label), element("rect", bar)]
    if count:
        told = f"{count} · {say('you')}" if is_own else str(count)
        end["class"] = "is-own" if is_own else None
        parts.append(element("text", end, told))
    return parts


def day_from(text: str) -> dt.date:
    """Read a day of an address; ValueError where there is no such day."""
    return dt.date.fromisoformat(text)


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
    if counted is not None and shown is not None:
        context |= _shared(request, counted, shown)
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
    item = scenario_of(row).item
    context: dict[str, Any] = {
        "day": row.day,
        "state": state,
        "own": own,
        "item": item,
        "india": INDIA,
        "promised": promised(),
        "ends": ends_at(row.day),
        "problem": problem,
        **_yesterday(row.day - DAY, owner),
    }
    if own is not None and state == "done":
        shown = _card(own)
        context |= _table(row, owner, shown, "today")
        context |= _shared(request, own, shown)
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
        "opened_best": standing_of(day).best if is_open(day) else None,
        "late": own.game if own is not None and late else None,
    }


def _table(row: DailyGame, owner: str, own: Card | None, key: str) -> dict[str, Any]:
    standing = standing_of(row.day, owner if own is not None else "")
    return {
        "standing": standing,
        "histogram": histogram(standing, f"daily-{key}"),
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
    return Card(own.day_id, result_of(own), streak_of(own.visitor, own.day_id))


def _shared(request: HttpRequest, own: DailyTry, shown: Card) -> dict[str, Any]:
    url = request.build_absolute_uri(reverse("daily-card", args=[own.token]))
    context: dict[str, Any] = {
        "card": shown,
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
