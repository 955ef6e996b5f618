"""The pages of a game for its owner, from its start on."""

import contextlib
import math
from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from bazaarbatna.bargain.errors import BrokenLog
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.money import SIGNS
from negotiation.bargain import opponent_turns, pairs, sessions
from negotiation.bargain.clocks import clocks_of, give_sign
from negotiation.bargain.game import position_of
from negotiation.bargain.scenarios import MAX_ROUNDS, stored_scenario
from negotiation.bargain.shops import PEOPLE, default_buyer, open_shops, shop_of, voices
from negotiation.bargain.terms import PERSON, terms_of
from negotiation.bargain.visibility import frames
from negotiation.bargain.web import feelings
from negotiation.bargain.web.brief import (
    Brief,
    PurchaseBrief,
    at_table,
    brief_of,
    listing_brief,
    purchase_brief,
)
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.rendering import panels_html, placed, transcript_html
from negotiation.bargain.web.seats import seat_of
from negotiation.bargain.web.table import table_of
from negotiation.errors import NotOver, UnknownGame
from negotiation.games.visitors import is_back, visitor
from negotiation.limits import request_key, spend
from negotiation.models import PAIR, Game, Listing
from negotiation.sentences import sentences
from negotiation.words import LONGEST_ID, number_in

say = sentences(__file__)


def is_asked(game: Game) -> bool:
    """Whether a game's person is asked: in rooms people are asked before they play."""
    return game.source == Game.Source.PERSON and not game.is_pair and not game.terms


def agree(game_id: str, owner: str, yes: bool) -> Game:
    """Keep what a person says about an own finished game; the last word counts.

    Raises:
        UnknownGame: not a game that this visitor played here alone, outside rooms.
        NotOver: the game goes on.
    """
    game = sessions.owned_game(game_id, owner)
    if not is_asked(game):
        raise UnknownGame(say("not_asked"))
    if game.status != Game.Status.ENDED:
        raise NotOver
    Game.objects.filter(pk=game.pk).update(may_train=yes)
    game.may_train = yes
    return game


def sale_page(frames: Sequence[Frame], game: Game) -> dict[str, Any]:
    """Gather the game page: the same pieces that the socket sends later, one by one."""
    seat = seat_of(game)
    table = table_of(frames, seat)
    scenario = stored_scenario(game)
    sure = game.zone_promised
    brief: Brief | PurchaseBrief = (
        brief_of(scenario, "" if seat.is_person else game.policy, game.listing, has_zone=sure)
        if seat.is_seller
        else purchase_brief(scenario, has_zone=sure, is_told=not seat.is_person)
    )
    brief = at_table(brief, game, is_person=seat.is_person)
    return {
        "game": game,
        "seat": seat,
        "opened": frames[0]["event"],
        "table": table,
        "panels": placed(panels_html(frames, game, seat.side)),
        "transcript": transcript_html(frames, game),
        "brief": brief,
        "known": known_limit(game, scenario),
        "shop": shop_of("" if seat.is_person else game.policy),
        "sign": SIGNS.get(table.currency, table.currency),
    }


WITH_FRIEND = "with-friend"
"""In the session: the key of the link to the table where this browser sat down last."""


def known_limit(game: Game, scenario: Scenario) -> float | None:
    """Return the opponent's limit in rupees to whoever was shown it in the game before."""
    if game.rematch_of_id is None or game.forked_at_seq is not None:
        return None
    sealed = scenario.sealed
    return to_rupees(sealed.budget if seat_of(game).is_seller else sealed.reservation)


def half_way(request: HttpRequest) -> dict[str, Any]:
    """Name a visitor's game with a friend that goes on, or the latest one against the house."""
    if not is_back(request):
        return {}
    live = Game.objects.filter(status=Game.Status.LIVE, source=Game.Source.PERSON)
    key = request.session.get(WITH_FRIEND, "")
    friends = live.filter(invitation=key).first() if key else None
    house = live.filter(kind__in=("sell", "buy"), terms={}, rival="").exclude(suite=PAIR)
    game = friends or house.filter(owner=visitor(request)).order_by("-created_at").first()
    with contextlib.suppress(BrokenLog):
        at = position_of(game).state.round if game else 0
        return {"half_way": game, "round": at, "with_friend": key if friends else ""}
    return {}


def is_first_game(request: HttpRequest, game: Game) -> bool:
    """Whether a live game is its person's first, and its hints were not waved away."""
    if game.status != Game.Status.LIVE or not game.zone_promised or "coached" in request.session:
        return False
    earlier = Game.objects.filter(owner=game.owner, kind__in=("sell", "buy"))
    return not earlier.filter(created_at__lt=game.created_at).exists()


IN_SIGHT = 3
"""Stalls that a buyer chooses from at once; the others are behind a fold."""


def start_page(listing: Listing) -> dict[str, Any]:
    """Gather the page before the start: the seller's brief for a listing."""
    brief = listing_brief(listing, default_buyer())
    return {"listing": listing, "brief": brief, "voices": voices()}


def purchase_start_page(listing: Listing, chosen: str) -> dict[str, Any]:
    """Gather the page before a purchase: what is asked, by whom, and a budget to start from."""
    currency = listing.currency
    shops = open_shops()
    lane = [shop for shop in shops if shop.group != PEOPLE][:IN_SIGHT]
    others = [shop for shop in shops if shop not in lane]
    return {
        "listing": listing,
        "currency": currency,
        "asking_price": to_rupees(listing.list_price),
        "max_rounds": MAX_ROUNDS,
        "shops": shops,
        "lane": lane,
        "others": others,
        "others_open": any(shop.policy == chosen for shop in others),
        "chosen": chosen,
        "walking_away": say("before_a_purchase"),
        "sign": SIGNS.get(currency, currency),
    }


def begin(request: HttpRequest, opening: Callable[..., Game], wanted: Callable[[], Any]) -> Game:
    """Open a game for whoever asks; what is wanted is read after the limit was asked."""
    client, owner = request_key(request), visitor(request)
    spend("games", client)
    is_new = sessions.is_newcomer(owner)
    game = opening(owner, wanted(), client=client, has_zone=is_new)
    opponent_turns.start_turn_from_thread(game.pk)
    return game


def show(
    request: HttpRequest,
    game: Game,
    *,
    problem: dict[str, Any] | None = None,
    draft: Any = None,
    status: int = 200,
) -> HttpResponse:
    """Draw the page of a game; ``problem`` was the last move's, ``draft`` is the form as posted."""
    give_sign(game, sessions.side_of(game))
    if game.terms and pairs.look_after(game):
        try:
            game = sessions.owned_game(game.pk, visitor(request))
        except UnknownGame:
            raise Http404 from None
    is_owed = sessions.awaits_opponent(game)
    if is_owed:
        opponent_turns.start_turn_from_thread(game.pk)
    log = frames(game, sessions.side_of(game))
    context = sale_page(log, game)
    # Without scripts the page looks once more by itself, then waits for its reader.
    context["coached"] = is_first_game(request, game)
    # A person opposite may take any time.
    is_owed = is_owed or (game.policy == PERSON and context["table"].waits)
    # The answer may wait for a price to be taken back.
    context["owed_s"] = 1 + math.ceil(opponent_turns.listens_in_s(game.pk) if is_owed else 0)
    context["owed"] = is_owed and log[-1]["event"].get("actor") != context["seat"].rival_side
    terms, clocks = terms_of(game), clocks_of(game)
    if clocks is not None and not clocks.is_shown_to(
        sessions.side_of(game), is_told=terms.persona_told
    ):
        clocks = None
    context |= {"terms": terms, "clocks": clocks, "is_bare": terms.is_bare}
    context["talks_freely"] = terms.talks_freely and game.policy == PERSON
    context["learning"] = is_asked(game)
    context["feelings"] = feelings.asked_of(game, context["seat"].rival)
    context |= {"waited": "wait" in request.GET, "problem": problem, "draft": draft or {}}
    return render(request, "negotiation/sale.html", context, status=status)


def listing_or_404(number: str) -> Listing:
    """Return the listing that a page's address names, or raise Http404."""
    return get_object_or_404(Listing, pk=number_in(number, LONGEST_ID))
