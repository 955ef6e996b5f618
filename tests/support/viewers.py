"""Looks at a live sale as its viewers' sockets take them, without a socket."""

import json
from typing import Any

import msgspec

from negotiation.bargain.visibility import Frame
from negotiation.bargain.web.live import SALE_LIVE, Guest, Owner, Scene
from negotiation.errors import UnknownGame
from negotiation.games.live import Batch, Key
from negotiation.models import Game


class View(msgspec.Struct, frozen=True):
    """What a look showed: how the game stands, and what is new for one viewer."""

    scene: Scene
    batch: Batch

    @property
    def texts(self) -> list[str]:
        """The new events as they are sent."""
        return [text for _, text in self.batch.events]

    @property
    def frames(self) -> list[Frame]:
        """The new events as they are heard."""
        return [json.loads(text) for text in self.texts]


def owners_look(game: Game, after: int, *, html: bool = False) -> View:
    """What the owner is sent after an event."""
    return looks(game, Owner(game.owner, game.kind), after, html=html)


def guests_look(game: Game, after: int, *, html: bool = False) -> View:
    """What a guest with the key of the game is sent after an event."""
    return looks(game, Guest(game.watch_key or ""), after, html=html)


def looks(game: Game, place: Any, after: int, *, html: bool = False) -> View:
    """What somebody at a place is sent after an event.

    Raises:
        UnknownGame: whoever stands there may not look.
    """
    scene, batches = SALE_LIVE.look(game.pk, {(place, "en-in" if html else "")}, _AllKnown(after))
    if not batches:
        raise UnknownGame
    [batch] = batches.values()
    return View(scene, batch)


class _AllKnown(dict[Key, int]):
    """Every feed has been read up to one number."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def get(self, key: Key, default: Any = None) -> int:
        return self.after
