"""Guests of a live game: the only writer of the link that lets somebody look on.

The key of the link is all a guest needs and all a guest has: it opens one page and one socket, and
neither can play. It lives until its owner stops sharing.
"""

import secrets

from django.db import transaction

from negotiation.bargain import sessions
from negotiation.engine.errors import GameOver
from negotiation.errors import UnknownGame
from negotiation.games import notify
from negotiation.models import ID_ALPHABET, Game

KEY_LENGTH = 24
"""Characters of a key: 118 bits, so nobody finds one by trying."""

NOT_SHARED = "This game is not shared with guests, or not any more."


def share(game_id: str, owner: str, kind: str) -> Game:
    """Let guests look on at a live game; a game that is shared already keeps its link.

    Args:
        game_id: the game.
        owner: session key of whoever asks.
        kind: "sell" or "buy".

    Raises:
        UnknownGame: not the owner's game.
        GameOver: there is nothing left to watch.
    """
    game = sessions.owned_game(game_id, owner, kind)
    if game.status != Game.Status.LIVE:
        raise GameOver("The game has ended; its replay can be shared instead.")
    unshared = Game.objects.filter(pk=game.pk, watch_key=None)
    # Nothing got updated: it is shared already, and the link that is out stays good.
    unshared.update(watch_key=new_key())
    game.refresh_from_db()
    return game


def stop(game_id: str, owner: str, kind: str) -> Game:
    """Take the link back; guests who are here are told at once.

    Raises:
        UnknownGame: not the owner's game.
    """
    game = sessions.owned_game(game_id, owner, kind)
    with transaction.atomic():
        Game.objects.filter(pk=game.pk).update(watch_key=None)
        # A silent bell only delays: every look of a guest asks for the key again.
        transaction.on_commit(lambda: notify.ring(game.pk, 0), robust=True)
    game.watch_key = None
    return game


def game_for_guest(key: str) -> Game:
    """Give the game that a key opens.

    Raises:
        UnknownGame: no game has that key now.
    """
    game = Game.objects.filter(watch_key=key).first() if len(key) == KEY_LENGTH else None
    if game is None:
        raise UnknownGame(NOT_SHARED)
    return game


def new_key() -> str:
    """Make an unguessable key of ``KEY_LENGTH`` characters."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(KEY_LENGTH))
