"""How well a finished game was played: a part of its replay page, and JSON."""

import contextlib
from collections.abc import Sequence
from statistics import median
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bazaarbatna.bargain.quantities import to_paise
from negotiation.bargain.game import SALE
from negotiation.bargain.house import better_than, house_shares
from negotiation.bargain.web.bubbles import Frame, currency_of
from negotiation.bargain.web.seats import seat_of
from negotiation.enqueue import enqueue_soon
from negotiation.errors import RateLimited
from negotiation.games.visitors import is_back, visitor
from negotiation.games.wire_errors import refusal
from negotiation.limits import request_key, spend
from negotiation.models import Game
from negotiation.sentences import sentences
from replays.finished import finished, replay_frames
from replays.grade import jobs
from replays.grade.ahead import first_look, is_known, is_own_haggle
from replays.grade.page import Grades, grades_page, table_of, verdict_on
from replays.grade.result import grades_json
from replays.grade.tasks import grade_game
from replays.models import Grading

say = sentences(__file__)

STOP_POLLING = 286  # the status that ends htmx's asking

NEARLY_ALL, FIVE_STARS = 0.9, 0.8
"""Whoever did better than so many of the house, or kept more, hears that before any mistake."""


def grades_context(game: Game, owner: str, frames: Sequence[Frame] | None = None) -> dict[str, Any]:
    """Return what the replay page shows of the grades; asks nobody to make them."""
    if not jobs.is_gradable(game):
        return {"grading": "none", "grades": None}
    row = Grading.objects.filter(game=game).first()
    result = jobs.result_of_row(row) if row else None
    if frames is None:
        frames = replay_frames(game, owner)
    said = verdict_on(game, owner, frames) | {"over": _over(game, frames)}
    if result is None:
        return {"grading": jobs.state_of(row), "grades": None, **said}
    grades = grades_page(result, table_of(game, owner, frames))
    said["again"] = again_address(game, owner)
    return {"grading": "done", "grades": grades, **said, **_matter(grades, game, owner, frames)}


@never_cache
@require_safe
def grades(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the grades as a fragment that asks again until they are there; alone, as a page."""
    game = _gradable(request, game_id)
    is_part = bool(getattr(request, "htmx", False))
    try:
        row = _wanted(game, request)
    except RateLimited as wrong:
        return _refused(request, game, wrong, is_part=is_part)
    context = {"game": game, "later": True, **grades_context(game, visitor(request))}
    if not is_part:
        if jobs.state_of(row) == "waiting":
            return render(request, "replays/grades_wait.html", context)
        return redirect(f"/replays/{game.pk}/#grades")
    status = 200 if context["grading"] == "waiting" else STOP_POLLING
    return render(request, "replays/_grades.html", context, status=status)


@never_cache
@require_safe
def costly(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the move that cost most, a part of the sheet after a game; it asks again until known.

    Its player has an answer at once; where that was a first look only, the finer one replaces it,
    and says so. ``?first=`` names what was shown before.
    """
    game = _gradable(request, game_id)
    if not getattr(request, "htmx", False):
        return redirect("replay-grades", game.pk)
    owner = visitor(request)
    frames = replay_frames(game, owner)
    try:
        context = _measured(request, game, owner, frames)
    except RateLimited as wrong:
        context = {"grading": "refused", "problem": str(wrong.args[0])}
    context["again"] = again_address(game, owner)
    context["game"], context["first"] = game, request.GET.get("first", "")[:40]
    if context.get("grades") is not None:
        context |= _matter(context["grades"], game, owner, frames)
        context["shown"] = _label(context["grades"])
    later = context["grading"] == "waiting" or context.get("rough")
    return render(request, "replays/_costly.html", context, status=200 if later else STOP_POLLING)


def _measured(
    request: HttpRequest, game: Game, owner: str, frames: Sequence[Frame]
) -> dict[str, Any]:
    """Return the grades as the job has made them, else a first look for whoever played."""
    context = grades_context(game, owner, frames)
    if context["grading"] == "done":
        return context
    if not is_own_haggle(game, owner):
        _wanted(game, request)
        return context
    if not is_known(game.pk):
        spend("grades", request_key(request))
    found = first_look(game)
    grades = grades_page(found.result, table_of(game, owner, frames))
    if found.is_exact:
        return {"grading": "done", "grades": grades}
    with contextlib.suppress(RateLimited):
        _wanted(game, request)
    if grades.why is None and not found.is_whole:
        return context  # nothing can be said yet
    is_given_up = context["grading"] == "failed"
    return {"grading": "done", "grades": grades, "rough": not is_given_up, "given_up": is_given_up}


def _over(game: Game, frames: Sequence[Frame]) -> dict[str, int] | None:
    """Return in points of the room what a grade says of the move that a what-if tries, else None.

    The grade and the what-if drew other luck: whoever comes from a grade finds its number here.
    """
    parent = game.parent
    row = Grading.objects.filter(game=parent).first() if parent else None
    result = jobs.result_of_row(row) if row else None
    if parent is None or result is None or not game.forked_at_seq or game.kind not in SALE.kinds:
        return None
    tried = frames[game.forked_at_seq - 1]["event"]
    best = next((one for one in result.moves if one.seq == game.forked_at_seq), None)
    if best is None or best.best is None or best.best.kind != tried["kind"]:
        return None
    if tried["kind"] == "offer" and to_paise(tried["price"]) != best.best.price:
        return None
    kept = (parent.seller_share if best.actor == "seller" else parent.buyer_share) or 0.0
    ends = (-best.error, 0.0, best.error)
    low, tried, high = (round(100 * (kept + best.over + end)) for end in ends)
    return {"tried": tried, "low": low, "high": high} if best.over > 0 else None


def again_address(game: Game, owner: str) -> str:
    """Return where a game's person sits down to the same cards, "" where nobody may."""
    if not is_own_haggle(game, owner):
        return ""
    return reverse(f"{seat_of(game).page}-again", args=[game.pk])


def _matter(grades: Grades, game: Game, owner: str, frames: Sequence[Frame]) -> dict[str, Any]:
    """Return what is drawn beside the reason of the move that mattered most."""
    worst, house = grades.worst, house_shares(game) if is_own_haggle(game, owner) else ()
    if worst is None or grades.why is None:
        is_told = max(house, default=0.0) > 0
        return {"house": len(house), "half": median(house), "best": max(house)} if is_told else {}
    got = frames[-1]["event"].get(f"{worst.actor}_share", 0.0)
    return {
        "did_well": got > FIVE_STARS
        or (got > 0.5 and house and better_than(got, house) >= NEARLY_ALL * len(house)),
        "made": frames[worst.seq - 1]["event"],
        "currency": currency_of(frames),
    }


def _label(grades: Grades) -> str:
    """Name what is shown as the costly move, so that the next look can tell whether it changed."""
    worst = grades.worst
    return f"{worst.seq}-{worst.action}-{worst.attempt}" if worst and grades.why else "none"


@never_cache
@require_safe
def grades_file(request: HttpRequest, game_id: str) -> HttpResponse:
    """Send the grades as JSON; 202 while they are being made."""
    try:
        game = _gradable(request, game_id)
    except Http404:
        error = {"code": "unknown-game", "detail": say("nothing_here")}
        return JsonResponse({"error": error}, status=404)
    try:
        row = _wanted(game, request)
    except RateLimited as wrong:
        later = {"Retry-After": str(wrong.retry_after_s)}
        return JsonResponse({"error": refusal(wrong)}, status=429, headers=later)
    soon = {"Retry-After": "1"}
    if row is None:
        told = {"status": "waiting", "detail": say("come")}
        return JsonResponse(told, status=202, headers=soon)
    result = jobs.result_of_row(row)
    if result is not None:
        return JsonResponse(grades_json(result, row.method, currency_of(replay_frames(game))))
    state = jobs.state_of(row)
    if state == "waiting":
        return JsonResponse({"status": state}, status=202, headers=soon)
    error = {"code": "no-grades", "detail": say("this_game_could_not_be_graded")}
    return JsonResponse({"error": error}, status=404)


def _wanted(game: Game, request: HttpRequest) -> Grading | None:
    """Return the row of a game's grades, and see to it that they are made; None for who only looks.

    Raises:
        RateLimited: this address has asked for the grades of many games.
    """
    row = jobs.wanted(game)
    if row is None and not is_back(request):
        return None
    if row is None:
        # One's own are paid for: games, what-ifs and what is brought in are counted themselves. A
        # class behind one address ends its games together.
        if game.owner != visitor(request):
            spend("grades", request_key(request))
        row = jobs.ask(game)
        enqueue_soon(grade_game, game.pk)
    elif jobs.is_overdue(row):
        jobs.grade_soon(game.pk)
    return row


def _refused(
    request: HttpRequest, game: Game, wrong: RateLimited, *, is_part: bool
) -> HttpResponse:
    context = {"game": game, "grading": "refused", "problem": str(wrong.args[0])}
    if is_part:  # htmx draws nothing of a 429
        return render(request, "replays/_grades.html", context, status=STOP_POLLING)
    response = render(request, "replays/grades_wait.html", context, status=429)
    response["Retry-After"] = str(wrong.retry_after_s)
    return response


def _gradable(request: HttpRequest, game_id: str) -> Game:
    game = finished(request, game_id)
    if not jobs.is_gradable(game):
        raise Http404(say("nothing_here"))
    return game
