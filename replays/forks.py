"""The door to what-ifs of every kind of game."""

from negotiation.models import Game
from replays import fork_match, forking
from replays.fork_choice import Choice

KINDS = (*forking.KINDS, fork_match.KIND)
"""Kinds of games in which another move can be tried."""


def fork_any(game: Game, seq: int, choice: Choice, owner: str, *, client: str = "") -> Game:
    """Put another move into a finished game; see ``forking.fork``."""
    make = fork_match.fork if game.kind == fork_match.KIND else forking.fork
    return make(game, seq, choice, owner, client=client)
