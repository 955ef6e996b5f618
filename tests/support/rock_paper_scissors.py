"""A fourth game on the spine: three rounds of rock, paper, scissors with sealed choices."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from bazaarbatna.bargain.errors import IllegalMove
from negotiation.games.turn_game import TurnGame

Hand = Literal["rock", "paper", "scissors"]
HANDS: tuple[Hand, ...] = ("rock", "paper", "scissors")
ROUNDS = 3


class Scenario(msgspec.Struct, frozen=True):
    """A game follows from its seed and the moves."""

    seed: int


class Choose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Put a hand into the envelope."""

    hand: Hand


class Opened(msgspec.Struct, frozen=True, tag_field="kind", tag="opened"):
    """The game has begun."""

    rounds: int


class Chosen(msgspec.Struct, frozen=True, tag_field="kind", tag="chosen"):
    """A seat has closed its envelope."""

    seat: str
    hand: Hand


class Revealed(msgspec.Struct, frozen=True, tag_field="kind", tag="revealed"):
    """Both envelopes are open; ``winner`` is None where the hands are equal."""

    hands: dict[str, Hand]
    winner: str | None


class Ended(msgspec.Struct, frozen=True, tag_field="kind", tag="ended"):
    """All rounds are played."""

    won: dict[str, int]


Event = Opened | Chosen | Revealed | Ended


class State(msgspec.Struct, frozen=True):
    """Hands in this round's envelopes, and rounds won so far."""

    hands: dict[str, Hand] = {}
    won: dict[str, int] = msgspec.field(default_factory=lambda: {"left": 0, "right": 0})
    played: int = 0


class RockPaperScissors(TurnGame[Scenario, State, Event, Choose]):
    """Two seats choose at once; most rounds won takes all."""

    kinds = ("rps",)
    title = "Rock, paper, scissors"
    about = "Choose a hand three times; both hands are shown at once."
    seats = ("left", "right")
    scenario_type, event_type, move_type = Scenario, Event, Choose

    def draw(self, seed: int) -> Scenario:
        return Scenario(seed)

    def start(self, scenario: Scenario) -> tuple[State, tuple[Event, ...]]:
        return State(), (Opened(ROUNDS),)

    def awaited(self, state: State) -> tuple[str, ...]:
        if state.played == ROUNDS:
            return ()
        return tuple(seat for seat in self.seats if seat not in state.hands)

    def options(self, state: State, seat: str) -> tuple[Choose, ...]:
        return tuple(Choose(hand) for hand in HANDS)

    def apply(self, state: State, seat: str, move: Choose) -> tuple[State, tuple[Event, ...]]:
        if seat not in self.awaited(state):
            raise IllegalMove("Your hand is in the envelope already.")
        hands = {**state.hands, seat: move.hand}
        if len(hands) < len(self.seats):
            return msgspec.structs.replace(state, hands=hands), (Chosen(seat, move.hand),)
        ahead = (HANDS.index(hands["left"]) - HANDS.index(hands["right"])) % 3
        winner = (None, "left", "right")[ahead]
        won = {one: count + (one == winner) for one, count in state.won.items()}
        after = State({}, won, state.played + 1)
        ended = (Ended(won),) if after.played == ROUNDS else ()
        return after, (Chosen(seat, move.hand), Revealed(hands, winner), *ended)

    def move_of(self, event: Event) -> tuple[str, Choose] | None:
        return (event.seat, Choose(event.hand)) if isinstance(event, Chosen) else None

    def shares(self, state: State) -> Mapping[str, float] | None:
        if state.played < ROUNDS:
            return None
        left, right = state.won["left"], state.won["right"]
        share = 0.5 if left == right else float(left > right)
        return {"left": share, "right": 1 - share}

    def shown(self, event: Event, seat: str, *, is_over: bool) -> dict[str, Any] | None:
        told = super().shown(event, seat, is_over=is_over)
        if told and isinstance(event, Chosen) and not is_over and event.seat != seat:
            del told["hand"]
        return told

    def words(self, event: Mapping[str, Any]) -> str:
        match event["kind"]:
            case "opened":
                return f"{event['rounds']} rounds begin."
            case "chosen":
                return f"{event['seat'].title()} chose {event.get('hand', 'a hand')}."
            case "revealed":
                return f"The round goes to {event['winner'] or 'nobody'}."
            case _:
                return "{left} to {right} in rounds.".format(**event["won"])
