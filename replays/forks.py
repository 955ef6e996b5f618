"""The door to what-ifs of every kind of game."""

from negotiation.models import EventRow, Game
from replays import fork_match, forking
from replays.finished import ARENA
from replays.fork_choice import Choice
from replays.fork_words import deed_of

KINDS = (*forking.KINDS, ARENA)
"""Kinds of games in which another move can be tried."""


def fork_any(game: Game, seq: int, choice: Choice, owner: str, *, client: str = "") -> Game:
    """Put another move into a finished game; see ``forking.fork``."""
    make = fork_match.fork if game.kind == ARENA else forking.fork
    return make(game, seq, choice, owner, client=client)


def is_made(game: Game, seq: int, choice: Choice) -> bool:
    """Tell whether a choice is what was done at that place."""
    payload = EventRow.objects.filter(game=game, seq=seq).values_list("payload", flat=True).first()
    if payload is None:
        return False
    deed = deed_of(bytes(payload))
    priced = choice.action == "offer"
    return deed.action == choice.action and (not priced or choice.price == deed.paise)
