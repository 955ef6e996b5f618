"""Play matches in one process: what simulations, forks, comments and benchmarks stand on."""

from collections.abc import Callable, Sequence

from arena.auction.engine.events import ArenaEvent
from arena.auction.engine.match import ArenaState, place, start
from arena.auction.engine.moves import ArenaMove
from arena.auction.engine.observe import ArenaObservation, observe
from arena.auction.engine.scenario import ArenaScenario

Player = Callable[[ArenaObservation], ArenaMove]
"""A buyer: answers its own view with a legal move; keeps nothing between rounds."""

MakePlayer = Callable[[int], Player]
"""Makes the player of a seat, counted from 0."""


def play_match(
    scenario: ArenaScenario, make_player: MakePlayer, *, order: Sequence[int] | None = None
) -> tuple[ArenaEvent, ...]:
    """Play a match from its opening to its end and return its log.

    ``order`` is that in which the seats close their envelopes; it changes nothing but the log's
    order. Same scenario and same players give the same bytes on every machine.
    """
    state, opening = start(scenario)
    players = tuple(make_player(seat) for seat in range(len(scenario.seats)))
    return (*opening, *play_on(state, players, order=order)[1])


def play_on(
    state: ArenaState, players: Sequence[Player], *, order: Sequence[int] | None = None
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Play from any position, also in the middle of a round, to the end.

    Returns:
        The last position, and the events that happened after ``state``.

    Raises:
        IllegalMove: a player broke a rule.
    """
    events: list[ArenaEvent] = []
    while state.ended is None:
        state, happened = play_round(state, players, order=order)
        events += happened
    return state, tuple(events)


def play_round(
    state: ArenaState, players: Sequence[Player], *, order: Sequence[int] | None = None
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Close the envelopes that are still missing in this round, which opens them all.

    Raises:
        GameOver: the match has ended.
        IllegalMove: a player broke a rule.
    """
    events: list[ArenaEvent] = []
    awaited = state.awaited
    for seat in awaited if order is None else [seat for seat in order if seat in awaited]:
        state, happened = place(state, seat, players[seat](observe(state, seat)))
        events += happened
    return state, tuple(events)
