"""Games played for the front page from fixed seeds, and their logs as a replay shows them."""

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from negotiation import house
from negotiation.bubbles import Frame
from negotiation.engine.episode import State, start
from negotiation.engine.events import Ended, Event
from negotiation.engine.scenario import Scenario
from negotiation.engine.sealed import commitment
from negotiation.games.stored_events import kind_of, to_payload
from negotiation.models import EventRow, Game
from negotiation.scenarios import NewSale, scenario_of
from negotiation.visibility import ending, frame

SALT = hashlib.sha256(b"the lamp on the landing page").hexdigest()[:32]

Answer = tuple[State, Sequence[Event]]
Turn = Callable[[State, int], Answer]
"""Moves for the side to move, told the position and the number of the last event."""


def scenario_for(item: NewSale, seed: int) -> Scenario:
    """Fix a game completely: the same item and seed give the same envelope."""
    return msgspec.structs.replace(scenario_of(item, lambda _: seed), salt=SALT)


def played(scenario: Scenario, *, seller: Turn, buyer: Turn) -> list[Event]:
    """Play a game to its end; gives its log."""
    state, opening = start(scenario)
    events: list[Event] = [*opening]
    while state.ended is None:
        move = buyer if state.to_move == "buyer" else seller
        state, happened = move(state, len(events))
        events += happened
    return events


def by_policy(name: str) -> Turn:
    """Let a registered policy move, as it does in a person's game."""

    def turn(state: State, seq: int) -> Answer:
        taken = house.take(state, name, seq)
        assert taken is not None
        return taken.state, taken.events

    return turn


def frames_of(scenario: Scenario, events: Sequence[Event], title: str) -> list[Frame]:
    """Show a finished log as a replay would, prices in rupees."""
    game = Game(title=title, status=Game.Status.ENDED)
    return [_frame(seq, event, game, scenario) for seq, event in enumerate(events, start=1)]


def _frame(seq: int, event: Event, game: Game, scenario: Scenario) -> Frame:
    if isinstance(event, Ended):
        # A stored game reads its promise from the database; this one has no row there.
        promise = commitment(scenario.sealed, scenario.salt)
        return {"type": "event", "seq": seq, "event": {"kind": "ended", **ending(event, promise)}}
    row = EventRow(game=game, seq=seq, kind=kind_of(event), payload=to_payload(event))
    shown = frame(row, game, "replay")
    assert shown is not None
    return shown
