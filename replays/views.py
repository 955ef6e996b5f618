"""The pages of a finished game: scrub it, ask what if, take it home."""

from typing import Any

from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from negotiation.bargain.web.game_page import visitor
from negotiation.games.fork import fork, is_made
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.models import Game
from replays.finished import NOTHING_HERE, finished
from replays.pages import page_of
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
    page = page_of(game)
    context = page.context(request, game, visitor(request), at, attempt)
    return render(request, page.template, context | more)


@require_POST
def what_if(request: HttpRequest, game_id: str) -> HttpResponse:
    """Put another move into a finished game and show how it goes on."""
    game = finished(request, game_id)
    page = page_of(game)
    form = page.form(request.POST)
    if not form.is_valid():
        return _refused(request, game, form, page.problem(form), 422)
    seq, choice, client = form.cleaned_data["seq"], page.choice(form), request_key(request)
    try:
        if is_made(game, seq, choice):
            return _refused(request, game, form, AS_IT_WAS, 422)
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


def _refused(
    request: HttpRequest, game: Game, form: Form, problem: str, status: int
) -> HttpResponse:
    seq = form.cleaned_data.get("seq")
    more: dict[str, Any] = {"problem": problem, "problem_at": seq}
    response = show(request, game, seq, str(form.data.get("price", ""))[:24], **more)
    response.status_code = status
    return response
