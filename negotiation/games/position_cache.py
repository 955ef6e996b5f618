"""Keeps where games stand between moves, so that a turn reads only what is new.

The log in the database is the truth; a kept position is only ever a prefix of it.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

from negotiation.models import EventRow, Game

State = TypeVar("State")
Event = TypeVar("Event")


class Position(msgspec.Struct, Generic[State, Event], frozen=True):
    """A game after its first ``seq`` events."""

    seq: int
    events: tuple[Event, ...]
    state: State

    def after(self, state: State, events: tuple[Event, ...]) -> "Position[State, Event]":
        """Return the position that these events lead to."""
        return Position(self.seq + len(events), self.events + events, state)


class Keeper(Generic[State, Event]):
    """The latest positions of one kind of game in one process; the longest unused goes first.

    ``restore`` makes the state out of a game's id, an earlier state of it (or None) and its whole
    log.
    """

    def __init__(
        self,
        most: int,
        read: Callable[[bytes | memoryview], Event],
        restore: Callable[[str, State | None, tuple[Event, ...]], State],
    ) -> None:
        self.most = most
        self._read = read
        self._restore = restore
        self._kept: OrderedDict[str, Position[State, Event]] = OrderedDict()
        self._lock = threading.Lock()

    def position_of(self, game: Game) -> Position[State, Event]:
        """Return a game's position, at least as new as the row read, or raise BrokenLog."""
        known = self._known(game.pk)
        if known is not None and known.seq >= game.last_seq:
            return known
        seen = known.seq if known else 0
        rows = EventRow.objects.filter(game=game.pk, seq__gt=seen).order_by("seq")
        payloads = rows.values_list("payload", flat=True)
        news = tuple(self._read(payload) for payload in payloads)
        events = (known.events if known else ()) + news
        state = self._restore(game.pk, known.state if known else None, events)
        position = Position(len(events), events, state)
        self.remember(game.pk, position)
        return position

    def remember(self, game_id: str, position: Position[State, Event]) -> None:
        """Keep a position whose events are stored; an older one never replaces a newer one."""
        with self._lock:
            known = self._kept.get(game_id)
            if known is None or known.seq <= position.seq:
                self._kept[game_id] = position
            self._kept.move_to_end(game_id)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)

    def forget_all(self) -> None:
        """Keep nothing any more: the next look reads the whole log."""
        with self._lock:
            self._kept.clear()

    def __contains__(self, game_id: str) -> bool:
        with self._lock:
            return game_id in self._kept

    def _known(self, game_id: str) -> Position[State, Event] | None:
        with self._lock:
            return self._kept.get(game_id)
