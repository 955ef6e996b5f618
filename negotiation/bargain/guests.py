"""Guests of a live game: the only writer of the link that lets somebody look on.

The key of the link is all a guest needs and all a guest has: it opens one page and one socket, and
neither can play. It lives until its owner stops sharing.
"""

import secrets
import time

from django.db import transaction

from bazaarbatna.bargain.errors import GameOver
from negotiation.bargain import sessions
from negotiation.errors import UnknownGame
from negotiation.games import notify
from negotiation.games.notify import ROLL_TYPE, ask_layer, group_of
from negotiation.models import ID_ALPHABET, Game
from negotiation.sentences import sentences

say = sentences(__file__)

KEY_LENGTH = 24
"""Characters of a key: 118 bits, so nobody finds one by trying."""

NOT_SHARED = say.text("not_shared")


def share(game_id: str, owner: str, kind: str) -> Game:
    """Let guests look on at a live game; a game that is shared already keeps its link.

    UnknownGame: not the owner's game; GameOver: there is nothing left to watch.
    """
    game = sessions.owned_game(game_id, owner, kind)
    if game.status != Game.Status.LIVE:
        raise GameOver(say("the_game_has_ended_its_replay"))
    if game.is_daily:
        # Whoever looked on would know the cards of a game that everybody plays once.
        raise GameOver(say("nobody_looks_on_at_a_game"))
    if game.is_challenge:
        raise GameOver(say("nobody_looks_on_at_a_game_2"))
    if game.is_pair or game.terms:
        raise GameOver(say("nobody_looks_on_at_this_table"))
    unshared = Game.objects.filter(pk=game.pk, watch_key=None)
    # Nothing got updated: it is shared already, and the link that is out stays good.
    unshared.update(watch_key=new_key())
    game.refresh_from_db()
    return game


def stop(game_id: str, owner: str, kind: str) -> Game:
    """Take the link back, and tell its guests at once; UnknownGame: not the owner's game."""
    game = sessions.owned_game(game_id, owner, kind)
    with transaction.atomic():
        Game.objects.filter(pk=game.pk).update(watch_key=None)
        # A lost notification only delays: every look of a guest asks for the key again.
        transaction.on_commit(lambda: notify.ring(game.pk, 0), robust=True)
    game.watch_key = None
    return game


def game_for_guest(key: str) -> Game:
    """Return the game that a key opens, or raise UnknownGame."""
    game = Game.objects.filter(watch_key=key).first() if len(key) == KEY_LENGTH else None
    if game is None:
        raise UnknownGame(say("not_shared"))
    return game


def new_key() -> str:
    """Make an unguessable key of ``KEY_LENGTH`` characters."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(KEY_LENGTH))


HERE, GONE = "guest.here", "guest.gone"
"""Message types; Channels calls the consumers' methods of the same name with an underscore."""

GONE_AFTER_S = 70.0
"""A guest that has not reported for so long is gone: pages ping every 25 s."""


def hosts_of(game_id: str) -> str:
    """Name the channel layer group of a game's owner."""
    return f"hosts.{game_id}"


async def report(game_id: str, guest: str, *, here: bool = True) -> None:
    """Tell the owner that a guest is here, or has gone."""
    await _send(hosts_of(game_id), {"type": HERE if here else GONE, "guest": guest})


async def await_guests(game_id: str, channel: str) -> bool:
    """Let an owner's socket hear of guests, and ask who is here already; False: it cannot now."""
    hears = await ask_layer("guests will not be counted", "group_add", hosts_of(game_id), channel)
    if hears:
        await _send(group_of(game_id), {"type": ROLL_TYPE})
    return hears


async def forget_guests(game_id: str, channel: str) -> None:
    """Let an owner's socket hear of guests no more."""
    await ask_layer("guests are still listened for", "group_discard", hosts_of(game_id), channel)


class GuestList:
    """Who has reported lately; ``told`` is the count that the owner knows.

    ``hears``: reports come here.
    """

    def __init__(self) -> None:
        self.told = 0
        self.hears = False
        self._seen: dict[str, float] = {}

    def come(self, guest: str) -> int:
        """Note a report and return how many are here."""
        self._seen[guest] = time.monotonic()
        return self.count()

    def leave(self, guest: str) -> int:
        """Strike a guest off and return how many are left."""
        self._seen.pop(guest, None)
        return self.count()

    def count(self) -> int:
        """Return how many have reported within ``GONE_AFTER_S``."""
        oldest = time.monotonic() - GONE_AFTER_S
        self._seen = {guest: at for guest, at in self._seen.items() if at >= oldest}
        return len(self._seen)


async def _send(group: str, message: dict[str, str]) -> None:
    await ask_layer("the guests were not counted", "group_send", group, message)
