"""Sharing a live game with guests, and the page they get."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from negotiation.bargain import guests, sessions
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.game_page import own, visitor
from negotiation.bargain.web.guest_drawing import guest_page
from negotiation.bargain.web.seats import seat_of
from negotiation.engine.errors import GameOver
from negotiation.errors import UnknownGame
from negotiation.models import Game


@require_safe
@never_cache
def watch(request: HttpRequest, key: str) -> HttpResponse:
    """Show a shared game to whoever has its link."""
    try:
        game = guests.game_for_guest(key)
    except UnknownGame:
        raise Http404 from None
    context = guest_page(game, frames(game, "guest"))
    context |= {"key": key, "thinking": sessions.awaits_opponent(game)}
    response = render(request, "negotiation/watch.html", context)
    # The address is the key: no search engine and no other site may learn it.
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Referrer-Policy"] = "no-referrer"
    return response


@require_POST
def share(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """Let guests look on at an own game."""
    game = own(request, game_id, kind)
    try:
        game = guests.share(game.pk, visitor(request), kind)
    except GameOver:
        game.refresh_from_db()  # the page will say so itself
    return _shown(request, game)


@require_POST
def stop(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """Take the link to an own game back."""
    return _shown(request, guests.stop(own(request, game_id, kind).pk, visitor(request), kind))


def _shown(request: HttpRequest, game: Game) -> HttpResponse:
    seat = seat_of(game)
    if not getattr(request, "htmx", False):
        return redirect(seat.page, game.pk)
    over = game.status != Game.Status.LIVE
    context = {"game": game, "seat": seat, "over": over, "fresh": True}
    return render(request, "negotiation/_guests.html", context)
