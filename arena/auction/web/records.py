"""What a match's row keeps of its end, so that lists need not read logs."""

from typing import Any

from arena.auction.engine.events import Ended
from negotiation.models import Game


def end_of(ended: Ended) -> dict[str, Any]:
    """Give the fields that say how a match ended; the buyer's share is the winner's."""
    sold = ended.winner is not None
    return {
        "status": Game.Status.ENDED,
        "outcome": ended.outcome,
        "deal_price": ended.price,
        "seller_share": ended.seller_share if sold else None,
        "buyer_share": ended.shares[ended.winner] if ended.winner is not None else None,
        "rounds_used": ended.round,
    }
