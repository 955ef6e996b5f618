"""What a kind of game tells the spine about itself; the rest of this package serves any of them.

A kind of game is one ``Game`` value, registered under the names that ``models.Game.kind`` holds.
The sale, the auction match and the market are such values; a small game with turns gets almost
everything from ``negotiation.games.turn_game``.
"""

import functools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from negotiation.errors import UnknownGame
from negotiation.games.position_cache import Keeper, Position
from negotiation.models import EventRow
from negotiation.models import Game as GameRow

State = TypeVar("State")
Event = TypeVar("Event", bound=msgspec.Struct)
Move = TypeVar("Move")
Scenario = TypeVar("Scenario", bound=msgspec.Struct)

Frame = dict[str, Any]
"""What goes over the wire: ``{"type": "event", "seq": ..., "event": {"kind": ..., ...}}``."""


class Served(msgspec.Struct, frozen=True):
    """Who served an event of a continuation; ``recorded`` is its number in the record, if any."""

    backend: str = ""
    version: str = ""
    recorded: int | None = None


class Line(msgspec.Struct, Generic[Event], frozen=True):
    """A whole game: what stood before a move, the move, and how it went on.

    ``fields`` are those of the row of a game that ended so.
    """

    events: tuple[Event, ...]
    served: tuple[Served, ...]
    fields: dict[str, Any]


class Crossroads(Protocol[Move]):
    """A position of a finished game in which another move can be tried."""

    side: str
    """Whose move it is, and whose gain is compared."""
    made: Move
    """The move of the record."""

    def check(self, move: Move) -> None:
        """Refuse a move that the mover could not have made, with the rule it breaks."""

    def is_made(self, move: Move) -> bool:
        """Whether this is the move of the record, its words aside."""

    def play(self, move: Move) -> Line[Any]:
        """Play the game to its end with this move, on the game's own luck."""

    def share(self, move: Move, luck: int) -> float:
        """Return the mover's share, 0..1, with this move and this luck."""


class Game(ABC, Generic[Scenario, State, Event, Move]):
    """A kind of game."""

    kinds: ClassVar[tuple[str, ...]]
    """Names under which its games are stored."""
    title: ClassVar[str]
    scenario_type: ClassVar[Any]
    event_type: ClassVar[Any]
    """A union of tagged structs."""
    kept: ClassVar[int] = 500
    """Positions kept in one process."""

    @abstractmethod
    def fold(self, scenario: Scenario, events: Sequence[Event]) -> State:
        """Return the state that a whole log leads to.

        Raises:
            BrokenLog: the log is not a game of the scenario.
        """

    @abstractmethod
    def frames(self, game: GameRow, visitor: str, after: int = 0) -> list[Frame]:
        """Return what a visitor may see of the log after an event; of a finished game, all."""

    @abstractmethod
    def crossroads(self, game: GameRow, rows: Sequence[EventRow], seq: int) -> Crossroads[Move]:
        """Return the position before the move that event ``seq`` tells of.

        Raises:
            NoMoveHere: that event is no move.
        """

    @functools.cached_property
    def positions(self) -> Keeper[State, Event]:
        """Where the games of this kind stand."""
        return Keeper(self.kept, self.event_from, self._restore)

    def position_of(self, game: GameRow) -> Position[State, Event]:
        """Return where a game stands, at least as new as the row that was read."""
        return self.positions.position_of(game)

    @functools.cached_property
    def _events(self) -> "msgspec.json.Decoder[Event]":
        return msgspec.json.Decoder(self.event_type)

    def event_from(self, payload: bytes | memoryview) -> Event:
        """Read an event back (PostgreSQL gives a memoryview, SQLite bytes)."""
        return self._events.decode(payload)

    def scenario_of(self, game_id: str) -> Scenario:
        """Read the scenario of a game, hidden values included."""
        sealed = GameRow.objects.values_list("sealed__scenario", flat=True).get(pk=game_id)
        scenario: Scenario = msgspec.json.decode(bytes(sealed or b""), type=self.scenario_type)
        return scenario

    def _restore(self, game_id: str, known: State | None, events: tuple[Event, ...]) -> State:
        scenario = getattr(known, "scenario", None) or self.scenario_of(game_id)
        return self.fold(scenario, events)


AnyGame = Game[Any, Any, Any, Any]

_games: dict[str, AnyGame] = {}


def register(game: AnyGame) -> None:
    """Make a kind of game known.

    Raises:
        ValueError: another one has one of its names.
    """
    for kind in game.kinds:
        if _games.setdefault(kind, game) is not game:
            raise ValueError(f"Two games are called {kind!r}.")


def unregister(game: AnyGame) -> None:
    """Forget a kind of game."""
    for kind in game.kinds:
        _games.pop(kind, None)


def game_of(kind: str) -> AnyGame:
    """Return a kind of game by one of its names.

    Raises:
        UnknownGame: there is none.
    """
    try:
        return _games[kind]
    except KeyError:
        raise UnknownGame from None
