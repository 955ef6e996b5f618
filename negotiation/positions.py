"""Where each game stands, kept between moves so that a turn reads only what is new.

The log in the database is the truth; a kept position is only ever a prefix of it.
"""

import threading
from collections import OrderedDict

import msgspec

from negotiation.engine.episode import State, fold
from negotiation.engine.events import Event
from negotiation.engine.scenario import Scenario
from negotiation.models import EventRow, Game, SealedRecord
from negotiation.stored_events import from_payload

KEPT = 2000
"""Positions kept in one process; a live game takes some 20 kB."""


class Position(msgspec.Struct, frozen=True):
    """A game after its first ``seq`` events."""

    seq: int
    events: tuple[Event, ...]
    state: State

    def after(self, state: State, events: tuple[Event, ...]) -> "Position":
        """Give the position that these events lead to."""
        return Position(self.seq + len(events), self.events + events, state)


_kept: OrderedDict[str, Position] = OrderedDict()
_lock = threading.Lock()


def position_of(game: Game) -> Position:
    """Give the position of a game, at least as new as the row that was read.

    Raises:
        BrokenLog: the stored events are not a game of the stored scenario.
    """
    known = _known(game.pk)
    if known is not None and known.seq >= game.last_seq:
        return known
    seen = known.seq if known else 0
    rows = EventRow.objects.filter(game=game.pk, seq__gt=seen).order_by("seq")
    payloads = rows.values_list("payload", flat=True)
    news = tuple(from_payload(payload) for payload in payloads)
    events = (known.events if known else ()) + news
    scenario = known.state.scenario if known else _scenario(game.pk)
    position = Position(len(events), events, fold(scenario, events))
    remember(game.pk, position)
    return position


def remember(game_id: str, position: Position) -> None:
    """Keep a position whose events are stored; an older one never replaces a newer one."""
    with _lock:
        known = _kept.get(game_id)
        if known is None or known.seq <= position.seq:
            _kept[game_id] = position
        _kept.move_to_end(game_id)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)


def _known(game_id: str) -> Position | None:
    with _lock:
        return _kept.get(game_id)


def _scenario(game_id: str) -> Scenario:
    record = SealedRecord.objects.get(game=game_id)
    return msgspec.json.decode(bytes(record.scenario), type=Scenario)
