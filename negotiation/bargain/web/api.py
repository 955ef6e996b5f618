"""The game over HTTP: open a game, read it, find listings and players. Moves go by socket."""

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status

from bazaarbatna.bargain.quantities import Side, to_rupees
from negotiation import policies
from negotiation.bargain import opponent_turns, pairs, sessions
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.terms import terms_of
from negotiation.bargain.visibility import frames
from negotiation.bargain.web import thumbs
from negotiation.bargain.web.brief import at_table, brief_of, purchase_brief
from negotiation.bargain.web.game_page import begin
from negotiation.bargain.web.listings import search
from negotiation.bargain.web.schemas import PurchaseIn, SaleIn, SearchQuery, ThumbIn
from negotiation.bargain.web.seats import seat_of
from negotiation.bargain.web.thumbs import read_rating
from negotiation.games.visitors import visitor
from negotiation.limits import spend
from negotiation.models import Game, Listing

router = Router()

SIDES: tuple[Side, ...] = ("buyer", "seller")


@router.post("sell/", response={201: dict[str, Any]})
def open_sale(
    request: HttpRequest, response: HttpResponse, wanted: SaleIn
) -> Status[dict[str, Any]]:
    """Open a sale; the buyer moves first."""
    return _opened(response, begin(request, sessions.open_sale, wanted.sale))


@router.get("sell/{game_id}/")
def read_sale(request: HttpRequest, game_id: str) -> dict[str, Any]:
    """Give the owner's view of a sale: brief, state and the whole log."""
    return _view(request, game_id, "sell")


@router.post("buy/", response={201: dict[str, Any]})
def open_purchase(
    request: HttpRequest, response: HttpResponse, wanted: PurchaseIn
) -> Status[dict[str, Any]]:
    """Open a purchase; its person, the buyer, moves first."""
    return _opened(response, begin(request, sessions.open_purchase, wanted.purchase))


@router.get("buy/{game_id}/")
def read_purchase(request: HttpRequest, game_id: str) -> dict[str, Any]:
    """Give the owner's view of a purchase: brief, state and the whole log."""
    return _view(request, game_id, "buy")


@router.post("sell/{game_id}/thumbs/")
def rate_in_sale(request: HttpRequest, game_id: str, wanted: ThumbIn) -> dict[str, Any]:
    """Give a line of an own finished sale a thumb, or take it back."""
    return _rated(request, game_id, wanted, "sell")


@router.post("buy/{game_id}/thumbs/")
def rate_in_purchase(request: HttpRequest, game_id: str, wanted: ThumbIn) -> dict[str, Any]:
    """Give a line of an own finished purchase a thumb, or take it back."""
    return _rated(request, game_id, wanted, "buy")


@router.get("listings/")
def find_listings(request: HttpRequest, wanted: Query[SearchQuery]) -> dict[str, Any]:
    """Find what can be sold, a page at a time."""
    found = search(
        wanted.q, wanted.category, wanted.lowest, wanted.highest, wanted.sort, wanted.page
    )
    return {
        "results": [_listing(listing) for listing in found.listings],
        "total": found.total,
        "page": found.page,
        "pages": found.pages,
    }


@router.get("policies/")
def list_policies(request: HttpRequest) -> dict[str, Any]:
    """List the buyers and sellers that can be played against."""
    return {
        "results": [
            {
                "name": entry.name,
                "version": entry.version,
                "kind": entry.kind,
                "title": entry.title,
                "backend": entry.backend,
                "side": entry.side,
            }
            for side in SIDES
            for entry in policies.policies(side)
        ]
    }


def _opened(response: HttpResponse, game: Game) -> Status[dict[str, Any]]:
    response["Location"] = f"/api/{game.kind}/{game.pk}/"
    return Status(201, {**_places(game), "brief": _brief(game)})


def _view(request: HttpRequest, game_id: str, kind: str) -> dict[str, Any]:
    game = sessions.owned_game(game_id, visitor(request), kind)
    if game.terms and pairs.look_after(game):
        game = sessions.owned_game(game_id, visitor(request), kind)
    if sessions.awaits_opponent(game):
        opponent_turns.start_turn_from_thread(game.pk)
        game = sessions.owned_game(game_id, visitor(request), kind)
    shown = frames(game, sessions.side_of(game))
    is_told = terms_of(game).persona_told
    return {
        **_places(game),
        "status": game.status,
        "turn": sessions.turn_of(game),
        "policy": game.policy if is_told else "",
        "policy_version": game.policy_version if is_told else "",
        "share_replay": game.share_replay,
        "brief": _brief(game),
        "seq": shown[-1]["seq"],
        "frames": shown,
    }


def _rated(request: HttpRequest, game_id: str, wanted: ThumbIn, kind: str) -> dict[str, Any]:
    owner = visitor(request)
    spend("frames", owner)
    thumbs.rate(game_id, owner, read_rating(wanted.seq, wanted.thumb), kind)
    return {"seq": wanted.seq, "thumb": wanted.thumb}


def _places(game: Game) -> dict[str, str]:
    return {
        "id": game.pk,
        "ws": f"/ws/{game.kind}/{game.pk}/",
        "url": f"/{game.kind}/{game.pk}/",
    }


def _brief(game: Game) -> dict[str, Any]:
    scenario, is_told = stored_scenario(game), terms_of(game).persona_told
    if game.seat == Game.Seat.BUYER:
        brief: Any = purchase_brief(scenario, has_zone=game.zone_promised, is_told=is_told)
    else:
        told = game.policy if is_told else ""
        brief = brief_of(scenario, told, game.listing, has_zone=game.zone_promised)
    brief = at_table(brief, game, is_person=seat_of(game).is_person)
    return dict(msgspec.to_builtins(brief))


def _listing(listing: Listing) -> dict[str, Any]:
    return {
        "id": listing.pk,
        "title": listing.title,
        "category": listing.category,
        "description": listing.description,
        "condition_label": listing.condition_label,
        "city": listing.city,
        "currency": listing.currency,
        "asking_price": to_rupees(listing.list_price),
    }
