"""Where each match stands, kept between moves so that a round reads only what is new.

The log in the database is the truth; a kept position is only ever a prefix of it.
"""

import threading
from collections import OrderedDict

import msgspec

from arena.engine.events import ArenaEvent
from arena.engine.match import ArenaState, fold
from arena.engine.scenario import ArenaScenario
from arena.stored_events import event_from, scenario_from
from negotiation.models import EventRow, Game, SealedRecord

KEPT = 500
"""Positions kept in one process."""


class Position(msgspec.Struct, frozen=True):
    """A match after its first ``seq`` events."""

    seq: int
    events: tuple[ArenaEvent, ...]
    state: ArenaState

    def after(self, state: ArenaState, events: tuple[ArenaEvent, ...]) -> "Position":
        """Give the position that these events lead to."""
        return Position(self.seq + len(events), self.events + events, state)


_kept: OrderedDict[str, Position] = OrderedDict()
_lock = threading.Lock()


def position_of(game: Game) -> Position:
    """Give the position of a match that has begun, at least as new as the row that was read.

    Raises:
        BrokenLog: the stored events are not a match of the stored scenario.
    """
    known = _known(game.pk)
    if known is not None and known.seq >= game.last_seq:
        return known
    seen = known.seq if known else 0
    rows = EventRow.objects.filter(game=game.pk, seq__gt=seen).order_by("seq")
    news = tuple(event_from(payload) for payload in rows.values_list("payload", flat=True))
    events = (known.events if known else ()) + news
    scenario = known.state.scenario if known else stored_scenario(game.pk)
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


def stored_scenario(game_id: str) -> ArenaScenario:
    """Read the scenario that was sealed when the match began."""
    record = SealedRecord.objects.get(game=game_id)
    return scenario_from(record.scenario)


def _known(game_id: str) -> Position | None:
    with _lock:
        return _kept.get(game_id)
