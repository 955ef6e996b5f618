"""The pages of sales and purchases. Each view reads the request, makes one call, and draws."""

from typing import Any

import msgspec
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bazaarbatna.bargain.errors import GameOver
from negotiation.bargain import guests, opponent_turns, pairs, photos, sessions
from negotiation.bargain.practice import open_rematch
from negotiation.bargain.scenarios import NewSale
from negotiation.bargain.shops import voices
from negotiation.bargain.terms import way_before
from negotiation.bargain.visibility import frames
from negotiation.bargain.web import feelings, game_page, thumbs
from negotiation.bargain.web.forms import MoveForm, OwnItemForm, PurchaseForm, SaleForm, SearchForm
from negotiation.bargain.web.game_page import (
    begin,
    half_way,
    listing_or_404,
    purchase_start_page,
    start_page,
)
from negotiation.bargain.web.listing_search import stall_page
from negotiation.bargain.web.rendering import guest_page
from negotiation.bargain.web.seats import seat_of
from negotiation.bargain.web.thumbs import read_rating
from negotiation.errors import RateLimited, UnknownGame
from negotiation.games.page_turns import laid_down
from negotiation.games.visitors import visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import check, request_key, spend
from negotiation.models import Game, Listing
from negotiation.sentences import sentences
from negotiation.words import number_in

say = sentences(__file__)

SHARED_LETTERS = {"title": 200, "description": 1000}


class Counter(msgspec.Struct, frozen=True):
    """How the shelf is worded; ``own`` says that things can be brought along."""

    home: str
    start: str
    title: Any
    lede: Any
    empty: Any
    own: bool = False


SELL_COUNTER = Counter(
    home="sell",
    start="sell-new",
    title=say.lazy("what_will_you_sell"),
    lede=say.lazy("take_something_from_the_stall_or"),
    empty=say.lazy("try_fewer_words_or_another_price"),
    own=True,
)
BUY_COUNTER = Counter(
    home="buy",
    start="buy-new",
    title=say.lazy("what_will_you_buy"),
    lede=say.lazy("choose_a_thing_then_whose_stall"),
    empty=say.lazy("try_fewer_words_or_another_price_2"),
)


@require_safe
def show_counter(request: HttpRequest, counter: Counter) -> HttpResponse:
    """Show the listings that fit a search; only the changed part for htmx."""
    part = ""
    if getattr(request, "htmx", False):
        part = "#cards" if request.GET.get("part") == "cards" else "#stall"
    # What lies in front changes from day to day, not while somebody looks.
    context = stall_page(SearchForm(request.GET), seed=timezone.localdate().toordinal())
    context |= {"counter": counter, **half_way(request)}
    response = render(request, f"negotiation/stall.html{part}", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def sell_new(request: HttpRequest) -> HttpResponse:
    """Show the brief of a listing or the form for an own item; a post opens the sale."""
    posted = request.method == "POST"
    number = (request.POST if posted else request.GET).get("listing", "")
    if number:
        listing = listing_or_404(number)
        return _start_listing(request, listing) if posted else _brief(request, listing)
    # What another app on a phone shares arrives in the address.
    shared = {name: request.GET.get(name, "")[:most] for name, most in SHARED_LETTERS.items()}
    form = OwnItemForm(
        request.POST if posted else None, request.FILES if posted else None, initial=shared
    )
    if posted and form.is_valid():
        return _start_own(request, form)
    return _own_item(request, form, 422 if posted else 200)


def own(request: HttpRequest, game_id: str, kind: str) -> Game:
    """Return the visitor's own game of a kind, or raise Http404: somebody else's looks the same."""
    try:
        # Whoever is back finds the own seat, though the house has kept it.
        pairs.give_back(game_id, visitor(request))
        return sessions.owned_game(game_id, visitor(request), kind)
    except UnknownGame:
        raise Http404 from None


@require_safe
@never_cache
def game(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """Show a sale or a purchase to its owner, live or over."""
    own_game = own(request, game_id, kind)
    if way := way_before(own_game, visitor(request)):
        return redirect(way)
    return game_page.show(request, own_game)


@require_POST
def end(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """End a game without a deal for whoever waits in it for somebody who is away."""
    game = own(request, game_id, kind)
    pairs.end_without(game.pk, visitor(request))
    return redirect(seat_of(game).page, game.pk)


@require_POST
def move(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """Make a move by a plain form post, then show where the game stands."""
    game = own(request, game_id, kind)
    form = MoveForm(request.POST)
    try:
        if not form.is_valid():
            wrong = {"code": "bad-frame", "detail": next(iter(form.errors.values()))[0]}
            return game_page.show(request, game, problem=wrong, draft=request.POST, status=422)
        spend("messages", visitor(request))
        receipt = pairs.play(game.pk, visitor(request), form.command(), seen=form.seen())
    except REFUSALS as wrong:
        said = refusal(wrong)
        return game_page.show(
            request, game, problem=said, draft=request.POST, status=status_of(wrong)
        )
    opponent_turns.start_turn_from_thread(game.pk)
    # Small talk needs no remark: it stands in the talk, and is answered there.
    if receipt.note is not None and receipt.note.code != "no-price":
        game = sessions.owned_game(game.pk, visitor(request))
        return game_page.show(request, game, problem=receipt.note.to_frame())
    return redirect(seat_of(game).page, game.pk)


@require_POST
def again(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """Open a finished game with the same cards, from its start or from the own move ``seq``.

    Where that is refused, say so on its page.
    """
    game = own(request, game_id, kind)
    client, before = request_key(request), number_in(request.POST.get("seq", "")) or 0
    try:
        spend("games", client)
        opened = open_rematch(visitor(request), game, client=client, before=before)
    except REFUSALS as wrong:
        return game_page.show(request, game, problem=refusal(wrong), status=status_of(wrong))
    opponent_turns.start_turn_from_thread(opened.pk)
    return redirect(seat_of(game).page, opened.pk)


@require_POST
def thumb(request: HttpRequest, game_id: str, seq: int, kind: str) -> HttpResponse:
    """Keep a posted thumb, then show the line it belongs to."""
    game, owner = own(request, game_id, kind), visitor(request)
    try:
        spend("frames", owner)
        thumbs.rate(game.pk, owner, read_rating(seq, request.POST.get("thumb", "")))
    except REFUSALS as wrong:
        return game_page.show(request, game, problem=refusal(wrong), status=status_of(wrong))
    return redirect(f"{reverse(seat_of(game).page, args=[game.pk])}#event-{seq}")


@require_POST
def learn(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """Keep whether models may learn from a game, then show the box as it stands."""
    game, owner = own(request, game_id, kind), visitor(request)
    try:
        spend("frames", owner)
        game = game_page.agree(game.pk, owner, request.POST.get("may_train") == "yes")
    except REFUSALS as wrong:
        return game_page.show(request, game, problem=refusal(wrong), status=status_of(wrong))
    seat = seat_of(game)
    if not getattr(request, "htmx", False):
        return redirect(f"{reverse(seat.page, args=[game.pk])}#learn")
    context = {"seat": seat, "game": game, "said": True}
    return render(request, "negotiation/_learn_form.html", context)


@require_POST
def answer(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """Keep the one answer that was posted, then show the questions as they stand."""
    game, owner = own(request, game_id, kind), visitor(request)
    seat = seat_of(game)
    name, said = feelings.posted(request.POST)
    problem, status = None, 200
    try:
        spend("frames", owner)
        feelings.answer(game.pk, owner, name, said)
    except REFUSALS as wrong:
        if not getattr(request, "htmx", False):
            return game_page.show(request, game, problem=refusal(wrong), status=status_of(wrong))
        problem, status = refusal(wrong), status_of(wrong)
    if not getattr(request, "htmx", False):
        return redirect(f"{reverse(seat.page, args=[game.pk])}#feelings")
    asked = feelings.asked_of(game, seat.rival)
    is_kept = problem is None and said != feelings.TAKEN_BACK
    context = {"seat": seat, "game": game, "feelings": asked, "said": is_kept}
    context |= {"problem": problem, "problem_here": True, "tapped": name}
    return render(request, "negotiation/_feelings_form.html", context, status=status)


@require_POST
def coached(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """Take the first game's hints away, for good."""
    game = own(request, game_id, kind)
    request.session["coached"] = True
    return (
        HttpResponse() if getattr(request, "htmx", False) else redirect(seat_of(game).page, game.pk)
    )


def _brief(request: HttpRequest, listing: Listing, status: int = 200, **more: Any) -> HttpResponse:
    return render(request, "negotiation/start.html", {**start_page(listing), **more}, status=status)


def _own_item(request: HttpRequest, form: OwnItemForm, status: int) -> HttpResponse:
    context = {"form": form, "voices": voices(), "walking_away": say("before_a_sale")}
    return render(request, "negotiation/own.html", context, status=status)


def _start_listing(request: HttpRequest, listing: Listing) -> HttpResponse:
    form = SaleForm(request.POST)
    if not form.is_valid():
        wrong = {"code": "bad-frame", "detail": next(iter(form.errors.values()))[0]}
        return _brief(request, listing, 422, problem=wrong)
    try:
        new = NewSale(listing=listing, **form.cleaned_data)
        return redirect("sale", begin(request, sessions.open_sale, lambda: new).pk)
    except REFUSALS as wrong:
        return _brief(request, listing, status_of(wrong), problem=refusal(wrong))


def _start_own(request: HttpRequest, form: OwnItemForm) -> HttpResponse:
    asked = dict(form.cleaned_data)
    upload = asked.pop("photo")
    try:
        photo = _brought(request, upload)
        game = begin(request, sessions.open_sale, lambda: NewSale(**asked))
    except REFUSALS as wrong:
        said = refusal(wrong)
        field = said.get("field")
        form.add_error(field if field in form.fields else None, said["detail"])
        answer = _own_item(request, form, status_of(wrong))
        if isinstance(wrong, RateLimited):
            answer["Retry-After"] = str(wrong.retry_after_s)
        return answer
    if photo and not photos.keep(game, photo):
        without = say("there_was_no_room_to_keep")
        messages.warning(request, without)
    return redirect("sale", game.pk)


def _brought(request: HttpRequest, upload: Any) -> bytes:
    if upload is None:
        return b""
    client = request_key(request)
    check("photos", client)
    # Who waits for other photos keeps no page waiting, and has not used up one of the photos.
    with laid_down(request), photos.turn_to_decode(client):
        spend("photos", client)
        return photos.redrawn(upload)


PHOTO_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, max-age=86400, immutable",
}


@require_safe
def photo(request: HttpRequest, name: str) -> HttpResponse:
    """Send a photo to whoever was shown its name; it can be nothing but a picture there."""
    place = photos.place_of(name)
    if not photos.is_name(name) or not place.is_file():
        raise Http404
    return HttpResponse(place.read_bytes(), content_type="image/jpeg", headers=PHOTO_HEADERS)


@require_http_methods(["GET", "HEAD", "POST"])
def buy_new(request: HttpRequest) -> HttpResponse:
    """Show a listing with the stalls and the budget; a post opens the purchase."""
    posted = request.method == "POST"
    listing = listing_or_404((request.POST if posted else request.GET).get("listing", ""))
    owner = visitor(request)
    is_new = sessions.is_newcomer(owner, ("buy",))
    form = PurchaseForm(listing, owner, request.POST if posted else None, is_new=is_new)
    if not posted:
        return _start(request, form)
    if not form.is_valid():
        return _start(request, form, 422)
    try:
        return redirect("purchase", begin(request, sessions.open_purchase, form.purchase).pk)
    except REFUSALS as wrong:
        form.add_error(None, refusal(wrong)["detail"])
        return _start(request, form, status_of(wrong))


def _start(request: HttpRequest, form: PurchaseForm, status: int = 200) -> HttpResponse:
    chosen = form["policy"].value() or form.initial["policy"]
    context = {**purchase_start_page(form.listing, chosen), "form": form}
    return render(request, "negotiation/buy_start.html", context, status=status)


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
        game = own(request, game_id, kind)  # the page will say so itself
    return _shown(request, game)


@require_POST
def stop(request: HttpRequest, game_id: str, kind: str) -> HttpResponse:
    """Take the link to an own game back."""
    return _shown(request, guests.stop(own(request, game_id, kind).pk, visitor(request), kind))


def _shown(request: HttpRequest, game: Game) -> HttpResponse:
    seat = seat_of(game)
    if not getattr(request, "htmx", False):
        return redirect(seat.page, game.pk)
    context = {"game": game, "seat": seat, "over": game.status != Game.Status.LIVE, "fresh": True}
    return render(request, "negotiation/_guests.html", context)
