"""A game as its rules alone: whoever writes these has live play, replays, forks and an environment.

Seats have names; at any time some of them are awaited, one after the other or all at once with
sealed moves. Everything that is drawn follows from the scenario's ``seed``.
"""

import itertools
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec

from bazaarbatna import nulls
from bazaarbatna.bargain.errors import BrokenLog, GameError
from bazaarbatna.players.base import dice_of_move
from negotiation.errors import NoMoveHere, UnknownGame
from negotiation.games.event_log import kind_of
from negotiation.games.game import (
    Crossroads,
    Event,
    Frame,
    Game,
    Line,
    Served,
    Told,
    game_of,
    games,
)
from negotiation.models import EventRow
from negotiation.models import Game as GameRow
from negotiation.sentences import sentences

say = sentences(__file__)

Move = TypeVar("Move", bound=msgspec.Struct)


Scenario = TypeVar("Scenario", bound=Any)
State = TypeVar("State")

SPECTATOR = ""
"""Stands for whoever looks on, where a seat is named."""


class TurnGame(Game[Scenario, State, Event, Move]):
    """A kind of game that is played in turns, by people and computer players."""

    seats: ClassVar[tuple[str, ...]]
    """Names of the seats, of at most six characters; a person takes one, programs the others."""
    move_type: ClassVar[type[msgspec.Struct]]
    about: ClassVar[str]
    """The rules in one sentence."""
    unwon: ClassVar[Mapping[str, str]] = {"draw": say.text("a_draw")}
    """What outcomes that are no seat's are called."""

    def __init__(self) -> None:
        for field, names in (("kind", self.kinds), ("seat", self.seats)):
            most = cast("Any", GameRow._meta.get_field(field)).max_length
            if long := [name for name in names if len(name) > most]:
                raise ValueError(f"{long[0]!r} is too long: a {field} has at most {most} letters.")

    @abstractmethod
    def draw(self, seed: int) -> Scenario:
        """Return the scenario of a seed."""

    @abstractmethod
    def start(self, scenario: Scenario) -> tuple[State, tuple[Event, ...]]:
        """Return the first position and the events that lead to it."""

    @abstractmethod
    def awaited(self, state: State) -> tuple[str, ...]:
        """Return the seats that may move now; none when the game is over."""

    @abstractmethod
    def apply(self, state: State, seat: str, move: Move) -> tuple[State, tuple[Event, ...]]:
        """Return the position after a move and its events; IllegalMove has words for the mover."""

    @abstractmethod
    def options(self, state: State, seat: str) -> tuple[Move, ...]:
        """Return moves that a seat could make, the ones that a page offers."""

    def tries(self, state: State, seat: str, made: Move) -> tuple[Move, ...]:
        """Return what could be tried in place of a move of a finished game, with all cards open."""
        return tuple(move for move in self.options(state, seat) if move != made)

    def named(self, state: State, seat: str, move: Move) -> str:
        """Return a move in a few words, for a button."""
        return ", ".join(map(str, msgspec.structs.astuple(move)))

    @abstractmethod
    def move_of(self, event: Event) -> tuple[str, Move] | None:
        """Return the seat and the move that an event tells of, None for everything else."""

    @abstractmethod
    def shares(self, state: State) -> Mapping[str, float] | None:
        """Return what each seat got, 0..1; None while the game goes on."""

    @abstractmethod
    def words(self, event: Mapping[str, Any]) -> str:
        """Return what happened, as a person would say it; ``event`` as ``shown`` gives it."""

    def act(self, state: State, seat: str, dice: Random) -> Move:
        """Return the move of a computer player; it may look only at what its seat may know."""
        return dice.choice(self.options(state, seat))

    def shown(self, event: Event, seat: str, *, is_over: bool) -> Frame | None:
        """Return what a seat, or ``SPECTATOR``, sees of an event; ``is_over`` opens it to all."""
        return msgspec.to_builtins(event)  # type: ignore[no-any-return]  # a struct gives a dict

    def needs_turn(self, state: State, move: Move) -> bool:
        """Whether a move has to wait for its turn; words may not."""
        return True

    def check_table(self, game: GameRow, move: Move, visitor: str) -> None:
        """Refuse a person's move that the rules allow and the table does not take now."""

    def hear(self, game: GameRow, seat: str) -> None:
        """Note that the person in a seat looks at the table."""

    def players(self, game: GameRow) -> str:
        """Return who sat at the table."""
        return say("against").join(self.seats)

    # From here on nothing is left for a game to say.

    def fold(self, scenario: Scenario, events: Sequence[Event]) -> State:
        """Play a log again, move by move."""
        state, happened = self.start(scenario)
        log: tuple[Event, ...] = happened
        while len(log) < len(events):
            told = self.move_of(events[len(log)])
            if told is None:
                raise BrokenLog(f"Event {len(log) + 1} does not follow from the moves before it.")
            try:
                state, happened = self.apply(state, *told)
            except GameError as wrong:
                raise BrokenLog(f"Event {len(log) + 1}: {wrong}") from wrong
            log += happened
        if log != tuple(events):
            raise BrokenLog("The events are not those that the moves lead to.")
        return state

    def play_on(
        self, scenario: Scenario, state: State, log: tuple[Event, ...], luck: int = 0
    ) -> tuple[State, tuple[Event, ...]]:
        """Let computer players bring a game to its end; ``luck`` 0 is the game's own."""
        while seats := self.awaited(state):
            dice = self.dice(scenario, seats[0], len(log), luck)
            state, happened = self.apply(state, seats[0], self.act(state, seats[0], dice))
            log += happened
        return state, log

    def dice(self, scenario: Scenario, seat: str, at: int, luck: int = 0) -> Random:
        """Return the luck of one move of a computer player."""
        return dice_of_move(scenario.seed, seat, at, luck)

    def visible(
        self, events: Sequence[Event], seat: str, *, is_over: bool, after: int = 0
    ) -> list[Frame]:
        """Return the frames of a log that a seat or a spectator may see."""
        return [
            {"type": "event", "seq": seq, "event": {"kind": kind_of(event), **shown}}
            for seq, event in enumerate(events, start=1)
            if seq > after and (shown := self.shown(event, seat, is_over=is_over)) is not None
        ]

    def people(self, game: GameRow) -> dict[str, str]:
        """Return the seats that people have and who they are; "" for who has not come yet.

        The second one is the row's rival, in the seat that its terms call ``rival_seat``.
        """
        second = game.terms.get("rival_seat")
        return {game.seat: game.owner, **({second: game.rival} if second else {})}

    def seat_of(self, game: GameRow, visitor: str) -> str:
        """Return the seat of a visitor, or ``SPECTATOR``."""
        seats = self.people(game).items()
        return next((seat for seat, who in seats if visitor and who == visitor), SPECTATOR)

    def frames(self, game: GameRow, visitor: str, after: int = 0) -> list[Frame]:
        """Return what a visitor may see of the log after an event."""
        position = self.position_of(game)
        is_over = game.status == GameRow.Status.ENDED
        return self.visible(
            position.events, self.seat_of(game, visitor), is_over=is_over, after=after
        )

    def ending(self, state: State) -> dict[str, Any]:
        """Return the fields of the row of a game that is over; none while it goes on."""
        if (shares := self.shares(state)) is None:
            return {}
        best = [seat for seat in self.seats if shares[seat] == max(shares.values())]
        return {
            "status": GameRow.Status.ENDED,
            "outcome": best[0] if len(best) == 1 else "draw",
            "rounds_used": None,
        }

    def crossroads(
        self, game: GameRow, rows: Sequence[EventRow], seq: int
    ) -> "TurnCrossroads[Scenario, State, Event, Move]":
        """Return the position before a move of a finished game."""
        events = tuple(self.event_from(row.payload) for row in rows)
        return TurnCrossroads(self, self.scenario_of(game.pk), events, seq)

    def read_move(self, told: object) -> Move:
        """Read a move from JSON, or raise msgspec.ValidationError."""
        return nulls.converted(told, self.move_type)  # type: ignore[return-value]


class TurnCrossroads(Crossroads[Move], Generic[Scenario, State, Event, Move]):
    """A position of a finished game in which another move can be tried.

    Whoever could not have known of the other move does what the record says; everybody else is a
    computer player from then on.
    """

    def __init__(
        self,
        game: TurnGame[Scenario, State, Event, Move],
        scenario: Scenario,
        events: tuple[Event, ...],
        seq: int,
    ) -> None:
        told = game.move_of(events[seq - 1]) if 0 < seq <= len(events) else None
        if told is None:
            nothing = say.text("there_is_no_move_at_that")
            raise NoMoveHere(nothing)
        self.side, self.made = told
        self.seed: int = scenario.seed
        self._game, self._scenario, self._events = game, scenario, events
        self._before = events[: seq - 1]
        self._state = game.fold(scenario, self._before)

    def move_of(self, choice: Any) -> Move:
        """Return the move that somebody chose."""
        try:
            return self._game.read_move(choice.move if isinstance(choice, Told) else None)
        except msgspec.ValidationError as wrong:
            raise NoMoveHere(f"That is no move of this game: {wrong}.") from wrong

    def check(self, move: Move) -> None:
        """Refuse a move that the mover could not have made."""
        self._game.apply(self._state, self.side, move)

    def is_made(self, move: Move) -> bool:
        """Whether this is the move of the record."""
        return move == self.made

    def play(self, move: Move) -> Line[Event]:
        """Play the game to its end with this move."""
        if self.is_made(move):
            state, log = self._game.fold(self._scenario, self._events), self._events
        else:
            state, log = self._ended(move, 0)
        pairs = zip(log, self._events, strict=False)
        same = len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], pairs)))
        served = [
            Served(recorded=seq) if seq <= same else Served("rules", self._game.kinds[0])
            for seq in range(1, len(log) + 1)
        ]
        return Line(log, tuple(served), self._game.ending(state))

    def share(self, move: Move, luck: int) -> float:
        """Return what the mover gets with this move and this luck."""
        shares = self._game.shares(self._ended(move, luck)[0])
        assert shares is not None
        return shares[self.side]

    def _ended(self, move: Move, luck: int) -> tuple[State, tuple[Event, ...]]:
        state, happened = self._game.apply(self._state, self.side, move)
        log = self._before + happened
        while told := self._unaware(state, log):
            state, happened = self._game.apply(state, *told)
            log += happened
        return self._game.play_on(self._scenario, state, log, luck)

    def _unaware(self, state: State, log: tuple[Event, ...]) -> tuple[str, Move] | None:
        """Return the next move of the record by a seat that sees what it saw then."""
        told = self._game.move_of(self._events[len(log)]) if len(log) < len(self._events) else None
        if told is None or told[0] not in self._game.awaited(state):
            return None
        seen, saw = (
            self._game.visible(events, told[0], is_over=False)
            for events in (log, self._events[: len(log)])
        )
        return told if seen == saw else None


def turn_games() -> list[TurnGame[Any, Any, Any, Any]]:
    """Return the registered games of turns."""
    return [game for game in games() if isinstance(game, TurnGame)]


def turn_game(kind: str) -> TurnGame[Any, Any, Any, Any]:
    """Return a game of turns by its name; UnknownGame: none, or it has a room of its own."""
    game = game_of(kind)
    if not isinstance(game, TurnGame):
        raise UnknownGame
    return game
