"""One sale: its brief, its page, and its moves without JavaScript.

Each view reads the request, makes one call, and draws.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from negotiation.bargain import opponent_turns, sessions
from negotiation.bargain.scenarios import NewSale
from negotiation.bargain.voices import voices
from negotiation.bargain.web import game_page
from negotiation.bargain.web.brief import BEFORE_A_SALE
from negotiation.bargain.web.counters import BUY_COUNTER, SELL_COUNTER, show_counter
from negotiation.bargain.web.forms import OwnItemForm, PurchaseForm, SaleForm
from negotiation.bargain.web.game_page import listing_or_404, own, visitor
from negotiation.bargain.web.pages import purchase_start_page, start_page
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.models import Listing


@require_http_methods(["GET", "HEAD", "POST"])
def sell_new(request: HttpRequest) -> HttpResponse:
    """Show the brief of a listing or the form for an own item; a post opens the sale."""
    posted = request.method == "POST"
    number = (request.POST if posted else request.GET).get("listing", "")
    if number:
        listing = listing_or_404(number)
        return _start_listing(request, listing) if posted else _brief(request, listing)
    form = OwnItemForm(request.POST if posted else None)
    if posted and form.is_valid():
        return _start_own(request, form)
    return _own_item(request, form, 422 if posted else 200)


@require_safe
@never_cache
def sale(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show a sale to its owner, live or over."""
    return game_page.show(request, own(request, game_id, "sell"))


@require_POST
def sale_move(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make a move by a plain form post."""
    return game_page.move(request, own(request, game_id, "sell"))


@require_POST
def sale_thumb(request: HttpRequest, game_id: str, seq: int) -> HttpResponse:
    """Rate a line by a plain form post."""
    return game_page.rate(request, own(request, game_id, "sell"), seq)


def _brief(request: HttpRequest, listing: Listing, status: int = 200, **more: Any) -> HttpResponse:
    return render(request, "negotiation/start.html", {**start_page(listing), **more}, status=status)


def _own_item(request: HttpRequest, form: OwnItemForm, status: int) -> HttpResponse:
    context = {"form": form, "voices": voices(), "walking_away": BEFORE_A_SALE}
    return render(request, "negotiation/own.html", context, status=status)


def _start_listing(request: HttpRequest, listing: Listing) -> HttpResponse:
    form = SaleForm(request.POST)
    if not form.is_valid():
        wrong = {"code": "bad-frame", "detail": next(iter(form.errors.values()))[0]}
        return _brief(request, listing, 422, problem=wrong)
    try:
        return _open(request, NewSale(listing=listing, **form.cleaned_data))
    except REFUSALS as wrong:
        return _brief(request, listing, status_of(wrong), problem=refusal(wrong))


def _start_own(request: HttpRequest, form: OwnItemForm) -> HttpResponse:
    try:
        return _open(request, NewSale(**form.cleaned_data))
    except REFUSALS as wrong:
        said = refusal(wrong)
        field = said.get("field")
        form.add_error(field if field in form.fields else None, said["detail"])
        return _own_item(request, form, status_of(wrong))


def _open(request: HttpRequest, new: NewSale) -> HttpResponse:
    client = request_key(request)
    spend("games", client)
    owner = visitor(request)
    game = sessions.open_sale(owner, new, client=client, has_zone=sessions.is_newcomer(owner))
    opponent_turns.start_turn_from_thread(game.pk)
    return redirect("sale", game.pk)


@require_safe
def sell(request: HttpRequest) -> HttpResponse:
    """Show what can be sold; only the changed part for htmx."""
    return show_counter(request, SELL_COUNTER)


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
