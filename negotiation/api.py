"""The game over HTTP: start a sale, read it, find listings and buyers. Moves go by socket."""

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status

from negotiation import live, policies, sessions
from negotiation.brief import brief_of
from negotiation.engine.quantities import to_rupees
from negotiation.limits import request_key, spend
from negotiation.listings import search
from negotiation.models import Game, Listing
from negotiation.schemas import SaleIn, SearchQuery
from negotiation.stored_scenario import stored_scenario
from negotiation.visibility import frames

router = Router()


@router.post("sell/", response={201: dict[str, Any]})
def open_sale(
    request: HttpRequest, response: HttpResponse, wanted: SaleIn
) -> Status[dict[str, Any]]:
    """Open a sale; the buyer moves first."""
    spend("games", request_key(request))
    game = sessions.open_sale(_visitor(request), wanted.sale())
    live.start_turn_from_thread(game.pk)
    response["Location"] = f"/api/sell/{game.pk}/"
    told = {
        "id": game.pk,
        "ws": f"/ws/sell/{game.pk}/",
        "url": f"/sell/{game.pk}/",
        "brief": _brief(game),
    }
    return Status(201, told)


@router.get("sell/{game_id}/")
def read_sale(request: HttpRequest, game_id: str) -> dict[str, Any]:
    """Give the owner's view of a sale: brief, state and the whole log."""
    game = sessions.owned_game(game_id, _visitor(request))
    if sessions.awaits_buyer(game):
        live.start_turn_from_thread(game.pk)
        game.refresh_from_db()
    shown = frames(game, "seller")
    return {
        "id": game.pk,
        "ws": f"/ws/sell/{game.pk}/",
        "url": f"/sell/{game.pk}/",
        "status": game.status,
        "turn": sessions.turn_of(game),
        "policy": game.policy,
        "policy_version": game.policy_version,
        "share_replay": game.share_replay,
        "brief": _brief(game),
        "seq": shown[-1]["seq"],
        "frames": shown,
    }


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
    """List the buyers that can be played against."""
    return {
        "results": [
            {
                "name": entry.name,
                "version": entry.version,
                "kind": entry.kind,
                "title": entry.title,
                "backend": entry.backend,
            }
            for entry in policies.policies()
        ]
    }


def _visitor(request: HttpRequest) -> str:
    return request.session.session_key or ""


def _brief(game: Game) -> dict[str, Any]:
    brief = msgspec.to_builtins(brief_of(stored_scenario(game), game.policy))
    return dict(brief)


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
