"""A finished game that a visitor may open, and its frames: one way for all pages."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest

from negotiation.bargain.web.game_page import visitor
from negotiation.games.game import Frame, game_of
from negotiation.models import Game
from replays.browse.shelf import visible

NOTHING_HERE = "There is no such replay."


def finished(request: HttpRequest, game_id: str) -> Game:
    """Return a finished game that the visitor may open.

    Raises:
        Http404: there is none; a live or private game looks the same.
    """
    game = visible(visitor(request)).filter(pk=game_id).first()
    if game is None:
        raise Http404(NOTHING_HERE)
    return game


def replay_frames(game: Game, visitor: str = "") -> list[Frame]:
    """Return all wire frames of a finished game, with everything opened.

    Args:
        game: the game, of any kind.
        visitor: whose chair in a match is called "You"; "" for nobody's.
    """
    return game_of(game.kind).frames(game, visitor)


def calls_you(frames: Sequence[Frame]) -> bool:
    """Whether a chair of a match is called "You" in these frames."""
    return any(chair.get("you") for chair in frames[0]["event"].get("buyers", ()))
