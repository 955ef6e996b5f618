"""A finished game that a visitor may open, and its frames: one way for all pages."""

from typing import Any

from django.http import Http404, HttpRequest

from arena.errors import NoSeat
from arena.matches import seat_index
from arena.visibility import Viewer
from arena.visibility import frames as match_frames
from negotiation.game_page import visitor
from negotiation.models import Game
from negotiation.visibility import frames as wire_frames
from replays.browse.shelf import visible

ARENA = "arena"
"""Kind of the games with several buyers, which have a page and a file format of their own."""

NOTHING_HERE = "There is no such replay."


def finished(request: HttpRequest, game_id: str) -> Game:
    """Give a finished game that the visitor may open.

    Raises:
        Http404: there is none; a live or private game looks the same.
    """
    game = visible(visitor(request)).filter(pk=game_id).first()
    if game is None:
        raise Http404(NOTHING_HERE)
    return game


def replay_frames(game: Game, seat: int | None = None) -> list[dict[str, Any]]:
    """Read all wire frames of a finished game, with everything opened.

    Args:
        game: the game, of any kind.
        seat: whose chair in a match is called "You", from 0; None for nobody's.
    """
    if game.kind == ARENA:
        return match_frames(game, Viewer("replay", seat))
    return wire_frames(game, "replay")


def seat_of(game: Game, owner: str) -> int | None:
    """Give the chair that a visitor had in a match, from 0; None for who only looked on."""
    if game.kind != ARENA:
        return None
    try:
        return seat_index(game.pk, owner)
    except NoSeat:
        return None
