"""The pages of finished games: find one, scrub it, take it home."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from negotiation.models import Game
from negotiation.visibility import frames as wire_frames
from replays.export import document, etag, to_json
from replays.player import player
from replays.rows import rows_of
from replays.shelf import OUTCOMES, Filters, browse, visible

NOTHING_HERE = "There is no such replay."


@require_safe
def replay_list(request: HttpRequest) -> HttpResponse:
    """Show the replays a visitor may open, a page at a time."""
    asked = request.GET
    filters = Filters(
        title=asked.get("q", "").strip(),
        outcome=next((name for name, _ in OUTCOMES if name == asked.get("outcome")), ""),
        mine=asked.get("mine") == "1",
    )
    shelf = browse(
        _visitor(request), filters, older=asked.get("older", ""), newer=asked.get("newer", "")
    )
    context = {
        "filters": filters,
        "outcomes": OUTCOMES,
        "shelf": shelf,
        "rows": rows_of(shelf.games),
        "filtered": filters != Filters(),
    }
    part = "#results" if getattr(request, "htmx", False) else ""
    response = render(request, f"replays/list.html{part}", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def replay(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show one finished game at the event that ``?seq=`` names, else at its end."""
    game = _finished(request, game_id)
    seq = request.GET.get("seq", "")
    at = int(seq) if seq.isascii() and seq.isdecimal() and len(seq) < 10 else None
    context = player(game, wire_frames(game, "replay"), at)
    return render(request, "replays/replay.html", context)


@require_safe
def replay_json(request: HttpRequest, game_id: str) -> HttpResponse:
    """Send one finished game as a file that can be checked without this site."""
    try:
        game = _finished(request, game_id)
    except Http404:
        error = {"code": "unknown-game", "detail": NOTHING_HERE}
        return JsonResponse({"error": error}, status=404)
    body = to_json(document(game, wire_frames(game, "replay")))
    response = HttpResponse(body, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="bazaarbatna-{game.pk}.json"'
    # Private: the answer depends on the visitor's cookie, so no shared cache may keep it.
    response["Cache-Control"] = "private, no-cache"
    response["ETag"] = etag(body)
    patch_vary_headers(response, ["Cookie"])
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def _finished(request: HttpRequest, game_id: str) -> Game:
    try:
        return visible(_visitor(request)).get(pk=game_id)
    except Game.DoesNotExist:
        raise Http404(NOTHING_HERE) from None


def _visitor(request: HttpRequest) -> str:
    return request.session.session_key or ""
