"""What a game's row keeps of its end, so that lists need not read logs."""

from typing import Any

from django.utils import timezone

from negotiation.bargain.honesty import certify
from negotiation.engine.events import Ended, Event
from negotiation.engine.quantities import Side
from negotiation.models import Game
from negotiation.readers import reader


def end_of(ended: Ended) -> dict[str, Any]:
    """Return the fields that say how a game of two sides ended; shares are None without a deal."""
    deal = ended.price is not None
    return {
        "status": Game.Status.ENDED,
        "outcome": ended.outcome,
        "deal_price": ended.price,
        "seller_share": ended.seller_share if deal else None,
        "buyer_share": ended.buyer_share if deal else None,
        "rounds_used": ended.round,
    }


def ending_fields(ended: Ended, events: tuple[Event, ...], opponent: Side) -> dict[str, Any]:
    """Return all fields of a finished game; the side ``opponent`` has its honesty certified."""
    certificate = certify(events, opponent, reader().names_secret, reader().promises)
    return {
        **end_of(ended),
        "persona": ended.opened.persona if opponent == "seller" else "",
        "certificate": certificate.to_json(),
        "ended_at": timezone.now(),
    }
