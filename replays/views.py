"""The pages of a finished game: scrub it, ask what if, take it home."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from negotiation.bargain.web.game_page import visitor
from negotiation.games.fork import fork
from negotiation.games.game import Choice, Told
from negotiation.games.turn_game import turn_game_if
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.models import EventRow, Game
from replays.finished import ARENA, NOTHING_HERE, calls_you, finished, replay_frames
from replays.fork.forms import ForkForm, TurnForkForm, problem_of
from replays.fork.page import what_if_context
from replays.fork.text import deed_of
from replays.grade.views import grades_context
from replays.player.match import arena_player
from replays.player.page import player
from replays.player.turns import turn_player
from replays.preview.views import share_context
from replays.transfer.export import document, etag, to_json

AS_IT_WAS = "That is what was done. Put in something else."


@require_safe
def replay(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show one finished game at the event that ``?seq=`` names, else at its end."""
    game = finished(request, game_id)
    seq = request.GET.get("seq", "")
    at = int(seq) if seq.isascii() and seq.isdecimal() and len(seq) < 10 else None
    return show(request, game, at, request.GET.get("try", "")[:24])


def show(
    request: HttpRequest, game: Game, at: int | None, attempt: str = "", **more: Any
) -> HttpResponse:
    """Draw the replay page of a game that the visitor may open.

    Args:
        request: whose visitor reads it.
        game: a finished game.
        at: the sequence number to stand at, None for the end.
        attempt: the price that the what-if form there holds.
        more: what else the page says.
    """
    owner = visitor(request)
    if (rules := turn_game_if(game.kind)) is not None:
        context = turn_player(game, rules, rules.frames(game, owner), at)
        return render(request, "replays/turns.html", context | more)
    frames = replay_frames(game, owner)
    if game.kind == ARENA:
        context = arena_player(game, owner, frames, at)
    else:
        forks = what_if_context(game, owner, None if at is None else (at, attempt))
        context = player(game, frames, at, forks.get("ghost")) | forks
    context |= grades_context(game, owner, frames)
    # What other sites are told is the same whoever asks: nobody is "You" in it.
    plain = replay_frames(game) if calls_you(frames) else frames
    context |= share_context(request, game, context["here"], plain)
    page = "replays/arena.html" if game.kind == ARENA else "replays/replay.html"
    return render(request, page, context | more)


@require_POST
def what_if(request: HttpRequest, game_id: str) -> HttpResponse:
    """Put another move into a finished game and show how it goes on."""
    game = finished(request, game_id)
    if turn_game_if(game.kind) is not None:
        return _what_if_in_turns(request, game)
    form = ForkForm(request.POST)
    if not form.is_valid():
        return _refused(request, game, form, problem_of(form), 422)
    seq, choice, client = form.cleaned_data["seq"], form.choice(), request_key(request)
    if _is_made(game, seq, choice):
        return _refused(request, game, form, AS_IT_WAS, 422)
    try:
        spend("forks", client)
        child = fork(game, seq, choice, visitor(request), client=client)
    except REFUSALS as wrong:
        detail = refusal(wrong)["detail"]
        return _refused(request, game, form, detail, status_of(wrong))
    return redirect(f"/replays/{child.pk}/?seq={child.forked_at_seq}")


@require_safe
def replay_json(request: HttpRequest, game_id: str) -> HttpResponse:
    """Send one finished game as a file that can be checked without this site."""
    try:
        game = finished(request, game_id)
    except Http404:
        error = {"code": "unknown-game", "detail": NOTHING_HERE}
        return JsonResponse({"error": error}, status=404)
    body = to_json(document(game))
    response = HttpResponse(body, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="bazaarbatna-{game.pk}.json"'
    # Private: the answer depends on the visitor's cookie, so no shared cache may keep it.
    response["Cache-Control"] = "private, no-cache"
    response["ETag"] = etag(body)
    patch_vary_headers(response, ["Cookie"])
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def _what_if_in_turns(request: HttpRequest, game: Game) -> HttpResponse:
    client, form = request_key(request), TurnForkForm(request.POST)
    if not form.is_valid():
        return show(request, game, None)
    try:
        spend("forks", client)
        choice = Told("move", move=form.cleaned_data["move"])
        seq = form.cleaned_data["seq"]
        child = fork(game, seq, choice, visitor(request), client=client)
    except REFUSALS as wrong:
        response = show(request, game, None, problem=refusal(wrong)["detail"])
        response.status_code = status_of(wrong)
        return response
    return redirect(f"/replays/{child.pk}/?seq={child.forked_at_seq}")


def _refused(
    request: HttpRequest, game: Game, form: ForkForm, problem: str, status: int
) -> HttpResponse:
    seq = form.cleaned_data.get("seq")
    more: dict[str, Any] = {"problem": problem, "problem_at": seq}
    response = show(request, game, seq, str(form.data.get("price", ""))[:24], **more)
    response.status_code = status
    return response


def _is_made(game: Game, seq: int, choice: Choice) -> bool:
    row = EventRow.objects.filter(game=game, seq=seq).first()
    if row is None:
        return False
    deed = deed_of(bytes(row.payload))
    priced = choice.action == "offer"
    return deed.action == choice.action and (not priced or choice.price == deed.paise)
