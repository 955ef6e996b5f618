"""A match before its start: who sits where, which chairs are free, and when it begins."""

from typing import Any

import msgspec
from django.conf import settings

from arena.auction.web.actors import actor
from arena.models import Match
from negotiation.engine.quantities import to_rupees
from negotiation.policies import title_of


class Chair(msgspec.Struct, frozen=True):
    """One buyer's chair; ``is_free``: this visitor may still sit down there."""

    index: int
    actor: str
    name: str
    is_yours: bool
    is_taken: bool
    is_free: bool


def waiting_page(match: Match, visitor: str) -> dict[str, Any]:
    """Gather the page of a match that waits.

    Args:
        match: the match.
        visitor: session key of whoever looks.
    """
    listing = match.game.listing
    chairs = chairs_of(match, visitor)
    return {
        "match": match,
        "game": match.game,
        "chairs": chairs,
        "own_seat": any(chair.is_yours for chair in chairs),
        "asking": to_rupees(listing.list_price) if listing else None,
        "currency": listing.currency if listing else "INR",
        "turn_s": round(settings.ARENA_TURN_S),
    }


def chairs_of(match: Match, visitor: str) -> tuple[Chair, ...]:
    """List the chairs of a waiting match as a visitor sees them."""
    seats = list(match.seats.order_by("index"))
    sits = bool(visitor) and any(seat.owner == visitor for seat in seats)
    return tuple(
        Chair(
            index=seat.index,
            actor=actor(seat.index),
            name=title_of(seat.policy),
            is_yours=bool(visitor) and seat.owner == visitor,
            is_taken=bool(seat.owner),
            is_free=seat.is_open and not seat.owner and not sits,
        )
        for seat in seats
    )
