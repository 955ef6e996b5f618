"""Buying: the shelf, the choice of a stall and a budget, the game."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from negotiation.bargain import opponent_turns, sessions
from negotiation.bargain.web import game_page
from negotiation.bargain.web.buy_forms import PurchaseForm
from negotiation.bargain.web.counters import BUY_COUNTER, show_counter
from negotiation.bargain.web.game_page import listing_or_404, own, visitor
from negotiation.bargain.web.pages import purchase_start_page
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend


@require_safe
def buy(request: HttpRequest) -> HttpResponse:
    """Show what can be bought; only the changed part for htmx."""
    return show_counter(request, BUY_COUNTER)


@require_http_methods(["GET", "HEAD", "POST"])
def buy_new(request: HttpRequest) -> HttpResponse:
    """Show a listing with the stalls and the budget; a post opens the purchase."""
    posted = request.method == "POST"
    listing = listing_or_404((request.POST if posted else request.GET).get("listing", ""))
    form = PurchaseForm(listing, request.POST if posted else None)
    if not posted:
        return _start(request, form)
    if not form.is_valid():
        return _start(request, form, 422)
    client, owner = request_key(request), visitor(request)
    try:
        spend("games", client)
        game = sessions.open_purchase(
            owner, form.purchase(), client=client, has_zone=sessions.is_newcomer(owner)
        )
    except REFUSALS as wrong:
        form.add_error(None, refusal(wrong)["detail"])
        return _start(request, form, status_of(wrong))
    opponent_turns.start_turn_from_thread(game.pk)
    return redirect("purchase", game.pk)


@require_safe
@never_cache
def purchase(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show a purchase to its owner, live or over."""
    return game_page.show(request, own(request, game_id, "buy"))


@require_POST
def purchase_move(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make a move by a plain form post."""
    return game_page.move(request, own(request, game_id, "buy"))


@require_POST
def purchase_thumb(request: HttpRequest, game_id: str, seq: int) -> HttpResponse:
    """Rate a line by a plain form post."""
    return game_page.rate(request, own(request, game_id, "buy"), seq)


def _start(request: HttpRequest, form: PurchaseForm, status: int = 200) -> HttpResponse:
    context = {**purchase_start_page(form.listing), "form": form}
    return render(request, "negotiation/buy_start.html", context, status=status)
