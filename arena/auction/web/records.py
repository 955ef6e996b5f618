"""How matches are stored: events as compact JSON, buyers by name, the end in the game's row."""

from typing import Any

import msgspec

from bazaarbatna.auction.events import ArenaEvent, Ended
from bazaarbatna.auction.scenario import ArenaScenario
from negotiation.models import Game


def actor(seat: int) -> str:
    """Return the name of a buyer, counted from 0, on the wire.

    >>> actor(0)
    'buyer-1'
    """
    return f"buyer-{seat + 1}"


_event_decoder: msgspec.json.Decoder[ArenaEvent] = msgspec.json.Decoder(ArenaEvent)
_scenario_decoder: msgspec.json.Decoder[ArenaScenario] = msgspec.json.Decoder(ArenaScenario)


def event_from(payload: bytes | memoryview) -> ArenaEvent:
    """Read an event back."""
    return _event_decoder.decode(payload)


def scenario_from(payload: bytes | memoryview) -> ArenaScenario:
    """Read a scenario back, hidden values included."""
    return _scenario_decoder.decode(payload)


def end_of(ended: Ended) -> dict[str, Any]:
    """Return the fields that say how a match ended; the buyer's share is the winner's."""
    sold = ended.winner is not None
    return {
        "status": Game.Status.ENDED,
        "outcome": ended.outcome,
        "deal_price": ended.price,
        "seller_share": ended.seller_share if sold else None,
        "buyer_share": ended.shares[ended.winner] if ended.winner is not None else None,
        "rounds_used": ended.round,
    }
