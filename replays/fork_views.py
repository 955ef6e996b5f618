"""The what-if form without JavaScript: a post leads to the child, or back with a reason."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from negotiation.game_page import visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.models import Game
from replays.finished import finished
from replays.fork_form import ForkForm, problem_of
from replays.forks import fork_any, is_made
from replays.views import show

AS_IT_WAS = "That is what was done. Put in something else."


@require_POST
def fork(request: HttpRequest, game_id: str) -> HttpResponse:
    """Put another move into a finished game and show how it goes on."""
    game = finished(request, game_id)
    form = ForkForm(request.POST)
    if not form.is_valid():
        return _refused(request, game, form, problem_of(form), 422)
    seq, choice, client = form.cleaned_data["seq"], form.choice(), request_key(request)
    if is_made(game, seq, choice):
        return _refused(request, game, form, AS_IT_WAS, 422)
    try:
        spend("forks", client)
        child = fork_any(game, seq, choice, visitor(request), client=client)
    except REFUSALS as wrong:
        detail = refusal(wrong)["detail"]
        return _refused(request, game, form, detail, status_of(wrong))
    return redirect(f"/replays/{child.pk}/?seq={child.forked_at_seq}")


def _refused(
    request: HttpRequest, game: Game, form: ForkForm, problem: str, status: int
) -> HttpResponse:
    seq = form.cleaned_data.get("seq")
    more: dict[str, Any] = {"problem": problem, "problem_at": seq}
    response = show(request, game, seq, str(form.data.get("price", ""))[:24], **more)
    response.status_code = status
    return response
