"""A market as a page needs it: what its visitor may see, and the log behind what may be counted."""

import msgspec
from django.http import HttpRequest

from arena.gpu_market.engine.events import MarketEvent
from arena.gpu_market.pages.forms import FIRST_POLICY, FIRST_SEED, FIRST_TASK
from arena.gpu_market.room import lists, matches
from arena.gpu_market.room.facts import Facts
from arena.gpu_market.room.game import position_of
from arena.gpu_market.room.orders import Order
from arena.gpu_market.room.visibility import Frame, Viewer
from arena.gpu_market.room.watching import MatchView, view_of
from arena.market_models import MarketMatch
from negotiation.errors import UnknownGame

FIRST = Order(task=FIRST_TASK, seed=FIRST_SEED, policy=FIRST_POLICY)
"""The market that the front page shows before anybody has played one."""


class Named(msgspec.Struct, frozen=True):
    """What templates may know of a match's row; ``seed`` is None before the end."""

    id: str
    seed: int | None


class Seen(msgspec.Struct, frozen=True):
    """A market as one visitor sees it.

    ``facts`` and ``events`` hold sealed values: they are for counting, and go into no template.
    """

    match: MarketMatch
    viewer: Viewer
    facts: Facts
    events: tuple[MarketEvent, ...]
    frames: list[Frame]
    standing: Frame

    @property
    def over(self) -> bool:
        """Everything is open."""
        return self.viewer.audience == "replay"

    @property
    def named(self) -> Named:
        """The match as templates may name it."""
        return Named(self.match.pk, self.match.seed if self.over else None)


def seen_by(request: HttpRequest, match_id: str) -> Seen:
    """Find a market for whoever asks.

    Raises:
        UnknownGame: there is no such match for this visitor.
    """
    return seen_as(match_id, request.session.session_key or "")


def seen_as(match_id: str, visitor: str) -> Seen:
    """Find a market for a visitor; errors as for ``seen_by``."""
    view: MatchView = view_of(match_id, visitor)
    events = position_of(view.match.game).events
    return Seen(view.match, view.viewer, view.facts, events, view.frames, view.standing)


def newest(most: int) -> list[Seen]:
    """Give the newest public markets as a stranger sees them, those that are on first.

    On a site where none was ever played one is played now, so that there is something to see.
    """
    found = []
    listed = [*lists.live(), *lists.ended()] or [matches.open_match("", FIRST)]
    for match in listed[:most]:
        try:
            found.append(seen_as(match.pk, ""))
        except UnknownGame:
            # Somebody made it private in this moment.
            continue
    return found
