"""A replay as one JSON file that proves itself: events, opened values, versions, theory, thumbs.

The format is described in ``docs/replays.md``; a change of shape is a new format number.
"""

import hashlib
import json
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from negotiation.models import Game
from negotiation.thumbs import thumbs_of
from replays.theory_lines import theory_lines

FORMAT = "bazaarbatna.replay/1"
WITH_THUMBS = "bazaarbatna.replay/2"
"""The same shape and ``thumbs`` at its end. Games without thumbs keep the older number, so that
their files stay the bytes they were."""

FORMATS = (FORMAT, WITH_THUMBS)


def document(game: Game, frames: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Build the export of a finished game.

    Args:
        game: the finished game.
        frames: all its wire frames for the audience "replay"; prices in rupees.

    Returns:
        Builtins in a fixed key order; never the owner.
    """
    opened, ended = frames[0]["event"], frames[-1]["event"]
    thumbs = [{"seq": seq, "thumb": thumb} for seq, thumb in (thumbs_of(game) or {}).items()]
    return {
        "format": WITH_THUMBS if thumbs else FORMAT,
        "game": _game(game, opened, ended),
        "versions": {
            "site": version("bazaarbatna"),
            "suite": opened["suite"],
            "policy": game.policy,
            "policy_version": game.policy_version,
            "seller": opened["seller"],
        },
        "events": [{"seq": frame["seq"], **frame["event"]} for frame in frames],
        "opened": ended["opened"],
        "salt": ended["salt"],
        "commitment": ended["commitment"],
        "committed_text": ended["committed_text"],
        "theory": theory_lines(frames),
        **({"thumbs": thumbs} if thumbs else {}),
    }


def to_json(exported: dict[str, Any]) -> bytes:
    """Write the file: UTF-8, two spaces, keys in the documented order, a final newline."""
    return (json.dumps(exported, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def etag(body: bytes) -> str:
    """Name this exact file for ``If-None-Match``."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def _game(game: Game, opened: dict[str, Any], ended: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": game.pk,
        "kind": game.kind,
        "item": opened["item"],
        "description": game.description,
        "max_rounds": opened["max_rounds"],
        "opening_ask": opened["price"],
        "outcome": ended["outcome"],
        "by": ended["by"],
        "price": ended["price"],
        "rounds": ended["round"],
        "buyer_share": ended["buyer_share"],
        "seller_share": ended["seller_share"],
        "started_at": game.created_at.isoformat(),
        "ended_at": game.ended_at.isoformat() if game.ended_at else None,
    }
