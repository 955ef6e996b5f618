"""The pages of a finished game: scrub it, take it home."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from negotiation.game_page import visitor
from negotiation.games.turn_game import turn_game_if
from negotiation.models import Game
from replays.finished import ARENA, NOTHING_HERE, finished, replay_frames, seat_of
from replays.fork_page import what_if_context
from replays.grade.views import grades_context
from replays.player.match import arena_player
from replays.player.page import player
from replays.player.turns import turn_player
from replays.preview.sharing import share_context
from replays.transfer.export import document, etag, to_json


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
    seat = seat_of(game, owner)
    frames = replay_frames(game, seat)
    if game.kind == ARENA:
        context = arena_player(game, owner, frames, at)
    else:
        forks = what_if_context(game, owner, None if at is None else (at, attempt))
        context = player(game, frames, at, forks.get("ghost")) | forks
    context |= grades_context(game, owner, frames)
    # What other sites are told is the same whoever asks: nobody is "You" in it.
    plain = frames if seat is None else replay_frames(game)
    context |= share_context(request, game, context["here"], plain)
    page = "replays/arena.html" if game.kind == ARENA else "replays/replay.html"
    return render(request, page, context | more)


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
