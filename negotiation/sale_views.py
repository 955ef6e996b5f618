"""One sale: its brief, its page, and its moves without JavaScript.

Each view reads the request, makes one call, and draws.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from negotiation import live, sessions
from negotiation.errors import UnknownGame
from negotiation.forms import MoveForm, OwnItemForm, StartForm
from negotiation.limits import request_key, spend
from negotiation.models import Game, Listing
from negotiation.pages import sale_page, start_page
from negotiation.scenarios import NewSale
from negotiation.visibility import frames
from negotiation.wire_errors import REFUSALS, refusal, status_of


@require_http_methods(["GET", "HEAD", "POST"])
def sell_new(request: HttpRequest) -> HttpResponse:
    """Show the brief of a listing or the form for an own item; a post opens the sale."""
    posted = request.method == "POST"
    number = (request.POST if posted else request.GET).get("listing", "")
    if number:
        listing = _listing(number)
        return _start_listing(request, listing) if posted else _brief(request, listing)
    form = OwnItemForm(request.POST if posted else None)
    if posted and form.is_valid():
        return _start_own(request, form)
    return render(request, "negotiation/own.html", {"form": form}, status=422 if posted else 200)


@require_safe
@never_cache
def sale(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show a sale to its owner, live or over."""
    return _page(request, _own(request, game_id), waited="wait" in request.GET)


@require_POST
def sale_move(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make a move by a plain form post, then show where the game stands."""
    game = _own(request, game_id)
    form = MoveForm(request.POST)
    try:
        if not form.is_valid():
            wrong = {"code": "bad-frame", "detail": next(iter(form.errors.values()))[0]}
            return _page(request, game, problem=wrong, draft=request.POST, status=422)
        spend("messages", _visitor(request))
        receipt = sessions.play(game.pk, _visitor(request), form.command(), seen=form.seen())
    except REFUSALS as wrong:
        said = refusal(wrong)
        return _page(request, game, problem=said, draft=request.POST, status=status_of(wrong))
    live.start_turn_from_thread(game.pk)
    if receipt.note is not None:
        game.refresh_from_db()
        note = {"code": receipt.note.code, "detail": receipt.note.detail}
        return _page(request, game, problem=note)
    return redirect("sale", game.pk)


def _brief(request: HttpRequest, listing: Listing, status: int = 200, **more: Any) -> HttpResponse:
    return render(request, "negotiation/start.html", {**start_page(listing), **more}, status=status)


def _start_listing(request: HttpRequest, listing: Listing) -> HttpResponse:
    form = StartForm(request.POST)
    form.is_valid()
    new = NewSale(listing=listing, share_replay=form.cleaned_data["share_replay"])
    try:
        return _open(request, new)
    except REFUSALS as wrong:
        return _brief(request, listing, status_of(wrong), problem=refusal(wrong))


def _start_own(request: HttpRequest, form: OwnItemForm) -> HttpResponse:
    try:
        return _open(request, NewSale(**form.cleaned_data))
    except REFUSALS as wrong:
        said = refusal(wrong)
        field = said.get("field")
        form.add_error(field if field in form.fields else None, said["detail"])
        return render(request, "negotiation/own.html", {"form": form}, status=status_of(wrong))


def _open(request: HttpRequest, new: NewSale) -> HttpResponse:
    client = request_key(request)
    spend("games", client)
    game = sessions.open_sale(_visitor(request), new, client=client)
    live.start_turn_from_thread(game.pk)
    return redirect("sale", game.pk)


def _page(
    request: HttpRequest,
    game: Game,
    *,
    waited: bool = False,
    problem: dict[str, Any] | None = None,
    draft: Any = None,
    status: int = 200,
) -> HttpResponse:
    if sessions.awaits_house(game):
        live.start_turn_from_thread(game.pk)
    context = sale_page(frames(game, "seller"), game)
    context |= {"waited": waited, "problem": problem, "draft": draft or {}}
    return render(request, "negotiation/sale.html", context, status=status)


def _own(request: HttpRequest, game_id: str) -> Game:
    try:
        return sessions.owned_game(game_id, _visitor(request), "sell")
    except UnknownGame:
        raise Http404 from None


def _visitor(request: HttpRequest) -> str:
    return request.session.session_key or ""


def _listing(number: str) -> Listing:
    if not (number.isascii() and number.isdecimal() and len(number) < 19):
        raise Http404
    try:
        return Listing.objects.get(pk=int(number))
    except Listing.DoesNotExist:
        raise Http404 from None
