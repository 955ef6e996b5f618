"""What a kind of game tells the spine about itself; the rest of this package serves any of them.

A kind of game is one ``Game`` value, registered under the names that ``models.Game.kind`` holds; a
small game with turns gets almost everything from ``negotiation.games.turn_game``.
"""

import functools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from bazaarbatna.bargain.quantities import InvalidPrice, Paise
from negotiation.errors import UnknownGame
from negotiation.games.event_log import stored_scenario
from negotiation.games.live import AnyLive
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
    """A whole game; ``fields`` are its row's at such an end, ``extra`` is more of a difference."""

    events: tuple[Event, ...]
    served: tuple[Served, ...]
    fields: dict[str, Any]
    extra: dict[str, Any] = {}


class Choice(msgspec.Struct, frozen=True):
    """A deed without words as a form or a request names it; ``price`` in paise where it has one."""

    action: str
    price: Paise | None = None

    @property
    def name(self) -> str:
        """What tells it from every other choice."""
        return f"{self.action}/{self.price or ''}"

    def asked_price(self) -> Paise:
        """Return the price of an offer, or raise InvalidPrice."""
        if self.price is None:
            raise InvalidPrice("An offer needs a price.")
        return self.price


class Told(Choice, frozen=True):
    """A move of a game of turns, as JSON gives it."""

    move: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """What tells it from every other choice."""
        return f"{self.action}/{msgspec.json.encode(self.move, order='sorted').decode()}"


class Difference(msgspec.Struct, frozen=True, omit_defaults=True):
    """The mover's gain with the other move minus its gain with its own; shares lie in -1..1.

    ``low`` and ``high`` bound the mean's 95 % bootstrap interval over ``n`` pairs. ``own`` is what
    its own move leaves the mover on average, ``tried`` bounds the mean of the other one; None where
    that is no share or was not kept.
    """

    side: str
    mean: float
    low: float
    high: float
    n: int
    own: float | None = None
    tried: tuple[float, float] | None = None


PAIRS = 100
"""Paired continuations: both moves meet the same luck, another one in each pair."""


class Crossroads(ABC, Generic[Move]):
    """A position of a finished game in which another move can be tried."""

    side: str
    """Whose move it is, and whose gain is compared."""
    made: Move
    """The move of the record."""
    seed: int
    """Of the game's luck, and of the bootstrap."""
    pairs: int = PAIRS
    digits: int = 6
    """Digits to which a difference is kept."""

    @abstractmethod
    def move_of(self, choice: Any) -> Move:
        """Return the move that somebody chose, or raise NoMoveHere where this game has no such."""

    @abstractmethod
    def check(self, move: Move) -> None:
        """Refuse a move that the mover could not have made, with the rule it breaks."""

    @abstractmethod
    def is_made(self, move: Move) -> bool:
        """Whether this is the move of the record, its words aside."""

    @abstractmethod
    def play(self, move: Move) -> Line[Any]:
        """Play the game to its end with this move, on the game's own luck."""

    def typical(self, move: Move) -> Line[Any]:
        """Play the game to an end that is like the mean, where a game knows of other luck."""
        return self.play(move)

    def share(self, move: Move, luck: int) -> float:
        """Return what the mover gets, 0..1, with this move and this luck, a number from 1."""
        raise NotImplementedError

    def gains(self, move: Move, pairs: int) -> tuple[list[float], list[float]]:
        """Return what another move brings more than the own one by luck, and the own one's.

        Where what is gained is no share, the second list is empty.
        """
        luck = range(1, pairs + 1)
        own = [self.share(self.made, number) for number in luck]
        more = [self.share(move, number) - was for number, was in zip(luck, own, strict=True)]
        return more, own

    def to_stored(self, found: Difference, line: Line[Any]) -> dict[str, Any]:
        """Return what the row of the what-if keeps of the difference."""
        return dict(msgspec.to_builtins(found))

    def store(self, child: GameRow, owner: str) -> None:
        """Store what such a game has besides row and log, in the same transaction."""


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
    live: AnyLive
    """How it is played live, from ``register`` on."""

    @abstractmethod
    def fold(self, scenario: Scenario, events: Sequence[Event]) -> State:
        """Return the state that a whole log leads to, or raise BrokenLog."""

    @abstractmethod
    def frames(self, game: GameRow, visitor: str, after: int = 0) -> list[Frame]:
        """Return what a visitor may see of the log after an event; of a finished game, all."""

    @abstractmethod
    def crossroads(self, game: GameRow, rows: Sequence[EventRow], seq: int) -> Crossroads[Move]:
        """Return the position before the move that event ``seq`` tells of, or raise NoMoveHere."""

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
        scenario: Scenario = stored_scenario(game_id, self.scenario_type)
        return scenario

    def _restore(self, game_id: str, known: State | None, events: tuple[Event, ...]) -> State:
        scenario = getattr(known, "scenario", None) or self.scenario_of(game_id)
        return self.fold(scenario, events)


AnyGame = Game[Any, Any, Any, Any]

_games: dict[str, AnyGame] = {}


def register(game: AnyGame, live: AnyLive) -> None:
    """Make a kind of game known, and how it is played live; ValueError: its name is taken."""
    for kind in game.kinds:
        if _games.setdefault(kind, game) is not game:
            raise ValueError(f"Two games are called {kind!r}.")
    game.live = live


def unregister(game: AnyGame) -> None:
    """Forget a kind of game."""
    for kind in game.kinds:
        _games.pop(kind, None)


def lives() -> list[AnyLive]:
    """Return how the registered games are played live, each way once."""
    return list(dict.fromkeys(game.live for game in games()))


def games() -> list[AnyGame]:
    """Return the registered games, each once."""
    return list(dict.fromkeys(_games.values()))


def game_of(kind: str) -> AnyGame:
    """Return a kind of game by one of its names, or raise UnknownGame."""
    try:
        return _games[kind]
    except KeyError:
        raise UnknownGame from None
