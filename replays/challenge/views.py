"""The pages of a challenge: the link, the way to play, and both results side by side."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain import opponent_turns
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.shops import shop_of
from negotiation.bargain.web.seats import seat_of
from negotiation.errors import UnknownGame
from negotiation.games.visitors import visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key
from negotiation.models import Game
from replays.challenge.dealing import CardsOpen, begin, is_open, may_send, send, table_of, try_of
from replays.models import Challenge, ChallengeTry


@require_POST
def new(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make the link that deals an own finished game's cards; for htmx, show it in place."""
    game = Game.objects.filter(pk=game_id).select_related("rematch_of").first()
    try:
        if game is None:
            raise UnknownGame
        challenge = send(game, visitor(request))
    except UnknownGame:
        raise Http404 from None
    except CardsOpen as wrong:
        if getattr(request, "htmx", False):
            return render(request, "challenge/_link.html", {"problem": wrong.args[0]})
        return redirect("replay", game_id)
    if not getattr(request, "htmx", False):
        return redirect("challenge", challenge.token)
    return render(request, "challenge/_link.html", _linked(request, challenge))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: HttpRequest, token: str) -> HttpResponse:
    """Invite a friend, show whoever has played how both did; a post deals the cards, once."""
    found = _challenge_or_404(token)
    if request.method != "POST":
        return _show(request, found)
    try:
        game = begin(found, visitor(request), request_key(request))
    except REFUSALS as wrong:
        return _show(request, found, refusal(wrong)["detail"], status_of(wrong))
    opponent_turns.start_turn_from_thread(game.pk)
    return redirect(seat_of(game).page, game.pk)


@never_cache
@require_safe
def end(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show both results as a part of the sheet after a game with these cards."""
    own = ChallengeTry.objects.filter(game=game_id, visitor=visitor(request))
    tried = own.select_related("challenge__game").first()
    found = tried.challenge if tried is not None else None
    if found is None:
        sent = Challenge.objects.filter(game=game_id, game__owner=visitor(request))
        found = sent.select_related("game").first()
    if found is None or not visitor(request):
        raise Http404
    if not getattr(request, "htmx", False):
        return redirect("challenge", found.token)
    context = {"table": table_of(found, visitor(request)), **_linked(request, found)}
    return render(request, "challenge/_end.html", context)


def _show(
    request: HttpRequest, found: Challenge, problem: str = "", status: int = 200
) -> HttpResponse:
    owner, game = visitor(request), found.game
    own = try_of(found, owner)
    is_sender = bool(owner) and game.owner == owner
    scenario = stored_scenario(game)
    context: dict[str, Any] = {
        "state": "sender" if is_sender else _state_of(own),
        "own": own.game if own is not None else None,
        "first": game,
        "seat": seat_of(game),
        "keeper": shop_of(game.policy).keeper if game.seat == Game.Seat.BUYER else "",
        "item": scenario.item,
        "asking": to_rupees(scenario.anchor),
        "table": table_of(found, owner),
        "problem": problem,
        "closed": own is None and not is_sender and is_open(game),
        "may_send": own is not None and may_send(own.game, owner),
        **_linked(request, found),
    }
    return render(request, "challenge/challenge.html", context, status=status)


def _state_of(own: ChallengeTry | None) -> str:
    if own is None:
        return "new"
    return "done" if own.game.status == Game.Status.ENDED else "playing"


def _linked(request: HttpRequest, found: Challenge) -> dict[str, Any]:
    url = request.build_absolute_uri(reverse("challenge", args=[found.token]))
    return {"challenge": found, "url": url}


def _challenge_or_404(token: str) -> Challenge:
    found = Challenge.objects.filter(pk=token).select_related("game__listing").first()
    if found is None:
        raise Http404
    return found
