"""The pages of a finished game: scrub it, take it home."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from arena.visibility import Viewer
from arena.visibility import frames as match_frames
from negotiation.models import Game
from negotiation.visibility import frames as wire_frames
from replays.arena_export import arena_document
from replays.arena_player import arena_player
from replays.export import document, etag, to_json
from replays.fork_page import what_if_context
from replays.grade_views import grades_context
from replays.player import player
from replays.sharing import share_context
from replays.shelf import visible

ARENA = "arena"
"""Kind of the games with several buyers, which have a page and a file format of their own."""

NOTHING_HERE = "There is no such replay."


@require_safe
def replay(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show one finished game at the event that ``?seq=`` names, else at its end."""
    game = _finished(request, game_id)
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
    owner = _visitor(request)
    if game.kind == ARENA:
        context = arena_player(game, owner, at)
        context |= grades_context(game, owner)
        context |= share_context(request, game, context.get("here"))
        return render(request, "replays/arena.html", context | more)
    frames = wire_frames(game, "replay")
    forks = what_if_context(game, owner, None if at is None else (at, attempt))
    context = player(game, frames, at, forks.get("ghost")) | forks
    context |= grades_context(game, owner)
    context |= share_context(request, game, context["here"])
    return render(request, "replays/replay.html", context | more)


@require_safe
def replay_json(request: HttpRequest, game_id: str) -> HttpResponse:
    """Send one finished game as a file that can be checked without this site."""
    try:
        game = _finished(request, game_id)
    except Http404:
        error = {"code": "unknown-game", "detail": NOTHING_HERE}
        return JsonResponse({"error": error}, status=404)
    body = to_json(_document(game))
    response = HttpResponse(body, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="bazaarbatna-{game.pk}.json"'
    # Private: the answer depends on the visitor's cookie, so no shared cache may keep it.
    response["Cache-Control"] = "private, no-cache"
    response["ETag"] = etag(body)
    patch_vary_headers(response, ["Cookie"])
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def _document(game: Game) -> dict[str, Any]:
    if game.kind == ARENA:
        return arena_document(game, match_frames(game, Viewer("replay")))
    return document(game, wire_frames(game, "replay"))


def _finished(request: HttpRequest, game_id: str) -> Game:
    try:
        return visible(_visitor(request)).get(pk=game_id)
    except Game.DoesNotExist:
        raise Http404(NOTHING_HERE) from None


def _visitor(request: HttpRequest) -> str:
    return request.session.session_key or ""
