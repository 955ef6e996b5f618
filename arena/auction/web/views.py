"""The pages of the arena: the lobby, a match, a seat, and moves without scripts."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.conf import settings
from django.db.models.functions import Length
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from arena.auction.charts.course import Course, course_of, spoken
from arena.auction.web import matches, running, schedule, watching
from arena.auction.web.bidding import LINE_UP, manner_of
from arena.auction.web.commands import place
from arena.auction.web.forms import EnvelopeForm, StartForm, TableForm, seat_choices
from arena.auction.web.game import AUCTION, seat_of
from arena.auction.web.moments import Moment, moments_of
from arena.auction.web.orders import (
    PERSON,
    PERSONAS,
    QUICK_PAUSE_S,
    QUICK_RIVALS,
    Order,
    is_newcomer,
    is_quick,
    persona_word,
    quick_order,
)
from arena.auction.web.outcome import better_words, outcome_html
from arena.auction.web.records import event_from
from arena.auction.web.rendering import (
    effect_of,
    faces_html,
    joined,
    moment_html,
    panels_html,
    said_html,
    signs,
    tells_html,
)
from arena.auction.web.visibility import frames, viewer_of
from arena.models import Match, MatchSeat
from arena.words import say
from bazaarbatna.auction.events import ArenaEvent, Ended, Opened
from bazaarbatna.auction.scenario import MOST_BUYERS
from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.money import SIGNS, rupees_text
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.listing_search import Offered, offered
from negotiation.bargain.web.listings import featured, search
from negotiation.bargain.web.rendering import placed
from negotiation.errors import UnknownGame
from negotiation.games.visitors import visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.models import EventRow, Game, Listing
from negotiation.ttl_cache import cached
from negotiation.words import LONGEST_ID, number_in

SHOWN_LIVE, SHOWN_ENDED, SHOWN_GOODS = 2, 6, 6
LOOK_EVERY_S, GOODS_EVERY_S = 1.0, 60.0

SIGNAL_CHOICES = ("", "cooperate", "compete")
"""What a person is offered to call; a bluff is heard as competing, so it is none of them."""

GOODS_SEED = 7
"""Which goods lie in front when nothing was searched; a page a visitor reloads keeps them."""
FROM_PAISE, TO_PAISE, LONGEST_TITLE = 60_000, 6_000_000, 46
"""Of the goods that a newcomer is offered: asked prices, and letters of the name."""


class Running(msgspec.Struct, frozen=True):
    """A live match as a card; ``ask`` as text, ``moment`` the newest."""

    match: Match
    course: Course
    ask: str
    moment: Moment


class Result(msgspec.Struct, frozen=True):
    """A finished match as a line; ``price`` as text, "" without a deal."""

    game: Game
    winner: str
    price: str


def _lobby_page(request: HttpRequest, form: StartForm, q: str) -> dict[str, Any]:
    good = _good_listing()
    return {
        **_now_part(request),
        **_goods_part(form, q),
        "results": cached("match-results", LOOK_EVERY_S, _results),
        "offer": offered(good) if good else None,
        "rivals": [(name, say.of("at_the_table", manner_of(name).voice)) for name in QUICK_RIVALS],
        "is_first": is_newcomer(visitor(request)),
        "form": form,
        "sets_up": bool(form.is_bound or q or form.initial.get("listing")),
        "q": q,
        "personas": PERSONAS,
        "seats": [(number, form[f"seat_{number}"]) for number in range(1, 5)],
        "choices": seat_choices(),
        **_turn_times(),
    }


def _turn_times() -> dict[str, int]:
    turn_s = settings.ARENA_TURN_S
    return {"turn_s": round(turn_s), "alone_m": max(1, round(turn_s * matches.ALONE_TIMES / 60))}


def _now_part(request: HttpRequest) -> dict[str, Any]:
    slots = schedule.seen_by(request)
    following = Match.objects.select_related("game__listing").filter(pk=slots.following).first()
    chairs = _chairs_of(following, visitor(request)) if following else {}
    return {
        "running": cached(f"matches-on:{get_language()}", LOOK_EVERY_S, _on_now),
        "following": following,
        **chairs,
    }


def _goods_part(form: StartForm, q: str) -> dict[str, Any]:
    chosen = str(form["listing"].value() or "")
    return {"goods": _goods(q, chosen), "chosen": chosen}


def _coming_next(request: HttpRequest) -> dict[str, Any]:
    slots = schedule.seen_by(request)
    both = Match.objects.select_related("game").in_bulk([slots.current, slots.following])
    current, following = both.get(slots.current), both.get(slots.following)
    is_on = current is not None and current.phase == Match.Phase.LIVE
    return {"running": current if is_on else None, "following": following}


def _chosen_of(asked: Mapping[str, str]) -> dict[str, str]:
    seats = {f"seat_{number}": name for number, name in enumerate(LINE_UP, start=1)}
    if "seat_1" in asked:
        seats = {name: asked.get(name, "") for name in seats}
    others = {name: asked.get(name, "") for name in ("listing", "persona", "seed")}
    return seats | {name: value for name, value in others.items() if value}


def _on_now() -> list[Running]:
    return [_running(match) for match in schedule.live_matches(SHOWN_LIVE)]


def _running(match: Match) -> Running:
    # As a stranger sees it, whoever looks: the lobby tells nobody more than that.
    stranger = viewer_of(match.game, AUCTION.scenario_of(match.pk), None)
    told = frames(match.game, stranger)
    course = course_of(told)
    newest = moments_of(told, course)[-1]
    return Running(match, course, rupees_text(course.ask, course.currency), newest)


def _results() -> list[Result]:
    ended = Game.objects.filter(
        kind="arena", source=Game.Source.ARENA, status=Game.Status.ENDED, share_replay=True
    )
    games = list(ended.order_by("-ended_at")[:SHOWN_ENDED])
    # The first and the last event tell it all; six whole logs would be read at every look.
    rows = EventRow.objects.filter(game__in=games, kind__in=("opened", "ended"))
    told: dict[str, list[ArenaEvent]] = {}
    for row in rows.order_by("game", "seq"):
        told.setdefault(row.game_id, []).append(event_from(row.payload))
    return [_result(game, told.get(game.pk, [])) for game in games]


def _result(game: Game, told: list[ArenaEvent]) -> Result:
    match told:
        case [Opened(seats=seats, item=item), Ended(winner=int(winner), price=int(price))]:
            words = rupees_text(to_rupees(Paise(price)), item.currency)
            return Result(game, seats[winner].name, words)
        case _:
            return Result(game, "", "")


def _good_listing() -> Listing | None:
    fitting = Listing.objects.annotate(letters=Length("title")).filter(
        currency="INR",
        list_price__range=(FROM_PAISE, TO_PAISE),
        letters__lte=LONGEST_TITLE,
    )
    numbers = cached(
        "good-goods", GOODS_EVERY_S, lambda: list(fitting.values_list("pk", flat=True))
    )
    if not numbers:
        return Listing.objects.filter(currency="INR").first()
    return Listing.objects.filter(pk=secrets.choice(numbers)).first()


def _goods(q: str, chosen: str) -> tuple[Offered, ...]:
    if q.strip():
        return tuple(offered(listing) for listing in search(q).listings[:SHOWN_GOODS])
    goods = list(featured(GOODS_SEED))[:SHOWN_GOODS]
    picked = Listing.objects.filter(pk=number_in(chosen, LONGEST_ID) or 0).first()
    if picked is not None and picked not in goods:
        goods = [picked, *goods[:-1]]
    return tuple(offered(listing) for listing in goods)


def _waiting_page(match: Match, visitor: str) -> dict[str, Any]:
    listing = match.game.listing
    return {
        **_chairs_of(match, visitor),
        "match": match,
        "game": match.game,
        "asking": to_rupees(listing.list_price) if listing else None,
        "currency": listing.currency if listing else "INR",
        **_turn_times(),
        "listing": listing,
        "is_table": not match.exhibition,
    }


def _chairs_of(match: Match, visitor: str) -> dict[str, Any]:
    rows = watching.chairs_of(match)
    chairs = [{**row.shown(visitor), "index": row.index, "name": spoken(row.name)} for row in rows]
    return {"chairs": chairs, "own_seat": any("you" in chair for chair in chairs)}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """Show what is on and what comes next; a post starts a match."""
    if request.method == "POST":
        return _start(request)
    if request.GET.get("part") == "coming":
        return render(request, "arena/_coming.html", _coming_next(request))
    return _lobby(request, _fresh(request))


@require_POST
def now(request: HttpRequest) -> HttpResponse:
    """Seat a newcomer at once, against the house: with the goods that were shown, if any."""
    number = number_in(request.POST.get("listing", ""), LONGEST_ID)
    listing = Listing.objects.filter(pk=number).first() if number is not None else _good_listing()
    if listing is None:
        return _lobby(request, _fresh(request), status=404)
    return _open(request, quick_order(listing, is_first=is_newcomer(visitor(request))))


@require_POST
def table(request: HttpRequest) -> HttpResponse:
    """Lay a table for several people, who come by its link."""
    form = TableForm(request.POST)
    listing = _good_listing()
    if not form.is_valid() or listing is None:
        return _lobby(request, _fresh(request), status=422)
    people = form.cleaned_data["people"]
    rivals = QUICK_RIVALS[: MOST_BUYERS - people]
    order = Order(
        listing=listing,
        line_up=(*[PERSON] * people, *rivals),
        wait_s=matches.WAIT_FOR_FRIENDS_S,
        pause_s=min(settings.ARENA_PAUSE_S, QUICK_PAUSE_S),
    )
    return _open(request, order)


@require_POST
def begin(request: HttpRequest, match_id: str) -> HttpResponse:
    """Begin a table without those who have not come; the house plays for them."""
    try:
        spend("messages", visitor(request))
        matches.begin_now(match_id, visitor(request))
    except UnknownGame:
        raise Http404(say("there_is_no_such_match")) from None
    except REFUSALS as wrong:
        return _show(request, match_id, problem=refusal(wrong), status=status_of(wrong))
    running.start_from_thread(match_id)
    return redirect("match", match_id)


@require_safe
@never_cache
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match: waiting, live or over; or in one sentence what would have been better."""
    if request.GET.get("part") == "better":
        return _better(request, match_id)
    return _show(request, match_id)


def _better(request: HttpRequest, match_id: str) -> HttpResponse:
    game = Game.objects.filter(pk=match_id, kind="arena", status=Game.Status.ENDED).first()
    seat = seat_of(match_id, visitor(request)) if game else None
    if game is None or seat is None:
        raise Http404(say("nobody_who_looks_here_sat_at_that"))
    chair = MatchSeat.objects.filter(match=match_id, index=seat, missed__gte=running.MAX_MISSED)
    better = {"known": "late"} if chair.exists() else better_words(game, seat)
    return render(request, "arena/_better.html", {"better": better})


@require_POST
def seat(request: HttpRequest, match_id: str) -> HttpResponse:
    """Sit down in a match that has not begun."""
    try:
        spend("matches", request_key(request))
        index = number_in(request.POST.get("index", ""), 2)
        matches.take_seat(match_id, -1 if index is None else index, visitor(request))
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
    return _open(request, form.order(), form)


def _open(request: HttpRequest, order: Order, form: StartForm | None = None) -> HttpResponse:
    order = msgspec.structs.replace(order, is_listed="unlisted" not in request.POST)
    try:
        client = request_key(request)
        spend("matches", client)
        opened = matches.open_match(visitor(request), order, client=client)
    except REFUSALS as wrong:
        told = refusal(wrong)["detail"]
        return _lobby(request, form or _fresh(request), problem=told, status=status_of(wrong))
    if opened.phase == Match.Phase.LIVE:
        running.start_from_thread(opened.pk)
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(reverse("match", args=[opened.pk]))
    return redirect("match", opened.pk)


def _fresh(request: HttpRequest) -> StartForm:
    return StartForm(initial=_chosen_of(request.GET))


def _lobby(
    request: HttpRequest, form: StartForm, *, problem: str = "", status: int = 200
) -> HttpResponse:
    q = request.GET.get("q", "")
    part = request.GET.get("part", "") if getattr(request, "htmx", False) else ""
    match part:
        # These are drawn again by themselves, the first one every few seconds.
        case "now":
            response = render(request, "arena/lobby.html#now", _now_part(request))
        case "goods":
            response = render(request, "arena/_goods.html", _goods_part(form, q))
        case _:
            context = {**_lobby_page(request, form, q), "problem": problem}
            response = render(request, "arena/lobby.html", context, status=status)
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
        raise Http404(say("there_is_no_such_match")) from None
    if view.viewer is None:
        link = request.build_absolute_uri(reverse("match", args=[match_id]))
        context = _waiting_page(view.match, visitor(request)) | more | {"link": link}
        return render(request, "arena/waiting.html", context, status=status)
    context = _match_page(request, view.match, view.frames) | more
    return render(request, "arena/match.html", context, status=status)


def _match_page(request: HttpRequest, match: Match, frames: Sequence[Frame]) -> dict[str, Any]:
    course = course_of(frames)
    moments = moments_of(frames, course)
    tells = [frame for frame in frames if frame["event"]["kind"] == "tells"]
    panels = panels_html(match, frames)
    panels["match-outcome"] = outcome_html(match, frames, course, request)
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
        "panels": placed(panels, "match-"),
        "signals": [(name, signs().get(name, "")) for name in SIGNAL_CHOICES],
        "effect": {name: effect_of(course, name) for name in SIGNAL_CHOICES if name},
        "is_first": bool(course.own)
        and is_quick(match.line_up)
        and is_newcomer(visitor(request), match.pk),
        "faces": faces_html(course),
        "sign": SIGNS.get(course.currency, course.currency),
    }
