"""A match as one JSON file that proves itself: events, opened values, versions."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from negotiation.bubbles import Frame
from negotiation.models import Game

FORMAT = "bazaarbatna.arena/1"


def arena_document(game: Game, frames: Sequence[Frame]) -> dict[str, Any]:
    """Build the export of a finished match.

    Args:
        game: the match.
        frames: all its wire frames for the audience "replay"; prices in rupees.

    Returns:
        Builtins in a fixed key order; never who sat in a seat.
    """
    opened, ended = frames[0]["event"], frames[-1]["event"]
    return {
        "format": FORMAT,
        "game": {
            "id": game.pk,
            "kind": game.kind,
            "item": opened["item"],
            "description": game.description,
            "max_rounds": opened["max_rounds"],
            "opening_ask": opened["price"],
            "buyers": opened["buyers"],
            "outcome": ended["outcome"],
            "winner": ended["winner"],
            "price": ended["price"],
            "rounds": ended["round"],
            "shares": ended["shares"],
            "seller_share": ended["seller_share"],
            "started_at": game.created_at.isoformat(),
            "ended_at": game.ended_at.isoformat() if game.ended_at else None,
        },
        "versions": {
            "site": version("bazaarbatna"),
            "suite": opened["suite"],
            "seller": opened["seller"],
            "buyers": {buyer["actor"]: buyer["version"] for buyer in opened["buyers"]},
        },
        "events": [{"seq": frame["seq"], **frame["event"]} for frame in frames],
        "opened": ended["opened"],
        "salt": ended["salt"],
        "commitment": ended["commitment"],
        "committed_text": ended["committed_text"],
        "remarks": ended["remarks"],
    }
