"""The pages of the GPU market: the front page, a market live or over, twins and what-ifs."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.names import plain
from arena.gpu_market.board.pure_sentences import in_language
from arena.gpu_market.board.wants import brings
from arena.gpu_market.web import actions, matches, running
from arena.gpu_market.web.dealing import dealt
from arena.gpu_market.web.errors import NoPlayer
from arena.gpu_market.web.forms import (
    FIRST_POLICY,
    FIRST_SEED,
    FIRST_TASK,
    PAUSES,
    StartForm,
    action_of,
    draft_of,
)
from arena.gpu_market.web.front import front_page, paper_page, tasks_page
from arena.gpu_market.web.market import market_page, part_of
from arena.gpu_market.web.players import check_here
from arena.gpu_market.web.watching import Seen, view_of
from arena.gpu_market.web.what_if import choices_page, twin_page
from arena.words import say
from bazaarbatna.market import Malformed
from negotiation.errors import UnknownGame
from negotiation.games.visitors import is_back, visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.words import number_in

WANTS_PART = "X-Part"  # asks for the board alone


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def front(request: HttpRequest) -> HttpResponse:
    """Say what the market is; a post opens one."""
    return _open(request, _front)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def tasks(request: HttpRequest) -> HttpResponse:
    """Let a visitor set up a market of any kind; a post opens it."""
    return _open(request, _tasks)


@require_safe
@never_cache
def paper(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the pages for researchers."""
    return render(request, f"market/{name}.html", paper_page(name, request))


def _open(request: HttpRequest, show: Callable[..., HttpResponse]) -> HttpResponse:
    if request.method != "POST":
        first = {"task": FIRST_TASK, "seed": FIRST_SEED, "policy": FIRST_POLICY}
        return show(request, StartForm(initial=first))
    form = StartForm(request.POST)
    if not form.is_valid():
        return show(request, form, status=422)
    try:
        client = request_key(request)
        spend("matches", client)
        order = form.order(settings.MARKET_PACE_S)
        if order.pace_s > 0:
            actions.check_room(client)
        opened = matches.open_match(visitor(request), dealt(order), client=client)
    except REFUSALS as wrong:
        form.add_error(None, refusal(wrong)["detail"])
        return show(request, form, status=status_of(wrong))
    return redirect("market-match", opened.pk)


@require_safe
@never_cache
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a market: live for its lab and for spectators, or over for everybody."""
    return _show(request, _find(request, match_id))


@require_safe
@never_cache
def board(request: HttpRequest, match_id: str) -> HttpResponse:
    """Draw the board alone, as it stood after some frame."""
    context = part_of(_find(request, match_id), number_in(request.GET.get("until", "")))
    return render(request, "market/_board.html", context)


@require_POST
def act(request: HttpRequest, match_id: str) -> HttpResponse:
    """Let the visitor's own lab take its turn; what the rules refuse costs no turn here."""
    seen = _find(request, match_id)
    action, over = action_of(request.POST), None
    try:
        spend("messages", visitor(request))
        if not isinstance(action, Malformed):
            told = actions.consider_for(match_id, visitor(request), action)
            if not told["ok"]:
                problem = {"code": told["code"], "detail": told["message"]}
                return _refuse(request, seen, problem, 422)
            me, asks = visitor(request), "asks" in request.POST
            is_final = "final" in request.POST
            counter = None if is_final else actions.counter_for(match_id, me, action, asks=asks)
            if counter:
                seen = _find(request, match_id)
                board = board_of(seen.frames)
                worth = brings(board, action.block_ids, action.requested_block_ids)
                gain = worth - counter["counter"]
                return _refuse(request, seen, {**counter, "gain": gain}, 200)
            paid = actions.at_named_price(match_id, me, action)
            over = None if paid == action else (action, board_of(seen.frames).round, paid.payment)
            action = paid
        matches.act(match_id, visitor(request), action, number_in(request.POST.get("round", "")))
        if over:
            actions.remember(seen.match, *over, "over")
    except REFUSALS as wrong:
        return _refuse(request, seen, refusal(wrong), status_of(wrong))
    if WANTS_PART in request.headers:
        return _show(request, _find(request, match_id))
    return redirect("market-match", match_id)


@require_POST
def pace(request: HttpRequest, match_id: str) -> HttpResponse:
    """Stop the visitor's demo for everybody, let it go on, or let one lab act."""
    seen = _find(request, match_id)
    pause = PAUSES.get(request.POST.get("pause", ""))
    if pause is None:
        told = say("pause_it_let_it_go_on_or")
        problem = {"code": "bad-market", "detail": told}
        return _refuse(request, seen, problem, 422)
    try:
        spend("frames", visitor(request))
        if actions.pace(match_id, visitor(request), pause):
            running.start_from_thread(match_id)
    except REFUSALS as wrong:
        return _refuse(request, seen, refusal(wrong), status_of(wrong))
    return redirect("market-match", match_id)


@require_safe
def twin(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a finished market beside its twin without one shock, or without any."""
    seen = _finished(request, match_id)
    try:
        check_here(seen.facts.seats)
    except NoPlayer as gone:
        return _show(request, seen, {"gone": str(gone)}, gone.status)
    asked = request.GET.get("shock")
    number = None if asked is None else number_in(asked)
    try:
        if asked is not None and number is None:
            raise IndexError
        context = twin_page(seen, number)
    except IndexError:
        raise Http404(say("no_such_shock_struck")) from None
    return render(request, "market/twin.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def what_if(request: HttpRequest, match_id: str) -> HttpResponse:
    """Ask what else a turn could have been; a post plays one of the answers to its end."""
    seen = _finished(request, match_id)
    asked = request.POST if request.method == "POST" else request.GET
    seq = number_in(asked.get("seq", "")) or 0
    try:
        context = choices_page(seen, seq)
    except ValueError:
        raise Http404(say("nobody_took_a_turn_there")) from None
    if request.method != "POST":
        return render(request, "market/what_if.html", context)
    options, choice = context["options"], number_in(request.POST.get("choice", ""))
    if choice is None or choice >= len(options):
        context["problem"] = say("choose_one_of_these")
        return render(request, "market/what_if.html", context, status=422)
    client = request_key(request)
    try:
        spend("forks", client)
        action = options[choice].action
        child = matches.fork_match(match_id, seq, action, visitor(request), client=client)
    except REFUSALS as wrong:
        context["problem"] = refusal(wrong)["detail"]
        return render(request, "market/what_if.html", context, status=status_of(wrong))
    return redirect("market-match", child.pk)


def _find(request: HttpRequest, match_id: str) -> Seen:
    try:
        return view_of(match_id, visitor(request))
    except UnknownGame:
        raise Http404(say("there_is_no_such_market")) from None


def _finished(request: HttpRequest, match_id: str) -> Seen:
    seen = _find(request, match_id)
    if not seen.over:
        raise Http404(say("this_market_is_not_over_yet"))
    return seen


def _refuse(request: HttpRequest, seen: Seen, problem: dict[str, Any], status: int) -> HttpResponse:
    names = board_of(seen.frames).names  # of what this visitor may see
    problem = {**problem, "detail": in_language(plain(str(problem["detail"]), names))}
    more = {"problem": problem, "draft": draft_of(request.POST)}
    return _show(request, seen, more, status)


def _show(
    request: HttpRequest, seen: Seen, more: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    more = more or {}
    if WANTS_PART in request.headers:
        context = part_of(seen, None) | more
        return render(request, "market/_board.html", context, status=status)
    until = number_in(request.GET.get("until", ""))
    context = market_page(seen, until) | more
    return render(request, "market/match.html", context, status=status)


def _front(request: HttpRequest, form: StartForm, status: int = 200) -> HttpResponse:
    context = front_page(form, is_watched=is_back(request))
    return render(request, "market/front.html", context, status=status)


def _tasks(request: HttpRequest, form: StartForm, status: int = 200) -> HttpResponse:
    context = tasks_page(form, is_watched=is_back(request))
    return render(request, "market/tasks.html", context, status=status)
