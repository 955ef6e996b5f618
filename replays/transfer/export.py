"""A replay as one JSON file that proves itself: events, opened values, versions, theory, opinions.

The formats are described in ``docs/replays.md``; a change of shape is a new format number.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

import msgspec

from arena.auction.web.game import AUCTION
from negotiation.bargain import game as bargain
from negotiation.bargain.sessions import side_of
from negotiation.bargain.web.feelings import answers_of
from negotiation.bargain.web.thumbs import thumbs_of
from negotiation.games.game import AnyGame, game_of
from negotiation.models import EventRow, Game
from replays.finished import replay_frames, theory_lines
from replays.transfer.signing import signed

SALE = "bazaarbatna.replay/1"
WITH_THUMBS = "bazaarbatna.replay/2"
"""Adds ``thumbs`` at its end. Games without thumbs keep the older number and so the same bytes."""
WITH_ANSWERS = "bazaarbatna.replay/3"
"""Adds ``answers`` after them, where whoever played the house told how it was."""
SALES = (SALE, WITH_THUMBS, WITH_ANSWERS)
MATCH = "bazaarbatna.arena/1"
TURNS = "bazaarbatna.turns/1"

Document = dict[str, Any]
"""Builtins in a fixed key order, prices in rupees; never who owned a game or sat in a seat."""


def document(game: Game) -> Document:
    """Return the export of a finished game of any kind."""
    return _DOCUMENTS.get(game_of(game.kind), _turns)(game)


def taken_home(game: Game) -> Document:
    """Return the export with the signature of this house: of games that were played here."""
    told = document(game)
    # What came as a file keeps the signature of that file alone.
    is_ours = game.source != Game.Source.IMPORT and not game.words_by
    return signed(told, game.source) if is_ours else told


def to_json(exported: Document) -> bytes:
    """Return the file: UTF-8, two spaces, keys in the documented order, a final newline."""
    return (json.dumps(exported, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def etag(body: bytes) -> str:
    """Return the name of this exact file for ``If-None-Match``."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def _sale(game: Game) -> Document:
    frames = replay_frames(game)
    opened, ended = frames[0]["event"], frames[-1]["event"]
    thumbs = [{"seq": seq, "thumb": thumb} for seq, thumb in (thumbs_of(game) or {}).items()]
    # Of two people neither reads what the other one thought.
    answers = {} if game.is_pair else answers_of(game, side_of(game))
    ending = _ending(ended, "outcome", "by", "price", "round", "buyer_share", "seller_share")
    return {
        "format": format_of(thumbs, answers),
        "game": _head(game, opened, ending),
        "versions": {
            "site": version("bazaarbatna"),
            "suite": opened["suite"],
            "policy": game.policy,
            "policy_version": game.policy_version,
            "seller": opened["seller"],
        },
        **_log(frames),
        "theory": theory_lines(frames),
        **({"thumbs": thumbs} if thumbs else {}),
        **({"answers": answers} if answers else {}),
    }


def format_of(thumbs: object, answers: object) -> str:
    """Return the number of the format: games without what it adds keep the older one."""
    return WITH_ANSWERS if answers else WITH_THUMBS if thumbs else SALE


def _match(game: Game) -> Document:
    frames = replay_frames(game)
    opened, ended = frames[0]["event"], frames[-1]["event"]
    ending = _ending(ended, "outcome", "winner", "price", "round", "shares", "seller_share")
    return {
        "format": MATCH,
        "game": _head(game, opened, {"buyers": opened["buyers"], **ending}),
        "versions": {
            "site": version("bazaarbatna"),
            "suite": opened["suite"],
            "seller": opened["seller"],
            "buyers": {buyer["actor"]: buyer["version"] for buyer in opened["buyers"]},
        },
        **_log(frames),
        "remarks": ended["remarks"],
    }


def _turns(game: Game) -> Document:
    rows = EventRow.objects.filter(game=game.pk).order_by("seq")
    events = [
        {
            "event": msgspec.json.decode(bytes(row.payload)),
            "backend": row.backend,
            "policy_version": row.policy_version,
        }
        for row in rows
    ]
    return {
        "format": TURNS,
        "game": {"kind": game.kind, "seat": game.seat, "outcome": game.outcome, **_times(game)},
        "versions": {"site": version("bazaarbatna")},
        "scenario": msgspec.to_builtins(game_of(game.kind).scenario_of(game.pk)),
        "events": events,
    }


def _ending(ended: Document, *names: str) -> Document:
    return {"rounds" if name == "round" else name: ended[name] for name in names}


_DOCUMENTS: dict[AnyGame, Callable[[Game], Document]] = {bargain.SALE: _sale, AUCTION: _match}


def _head(game: Game, opened: Document, ending: Document) -> Document:
    return {
        "id": game.pk,
        "kind": game.kind,
        "item": opened["item"],
        "description": game.description,
        "max_rounds": opened["max_rounds"],
        "opening_ask": opened["price"],
        **ending,
        **_times(game),
    }


def _times(game: Game) -> Document:
    return {
        "started_at": game.created_at.isoformat(),
        "ended_at": game.ended_at.isoformat() if game.ended_at else None,
    }


def _log(frames: Sequence[Document]) -> Document:
    ended = frames[-1]["event"]
    return {
        "events": [{"seq": frame["seq"], **frame["event"]} for frame in frames],
        **{name: ended[name] for name in ("opened", "salt", "commitment", "committed_text")},
    }
