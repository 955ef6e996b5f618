"""Play episodes in one process: what simulations, training and benchmarks stand on."""

from collections.abc import Callable, Mapping

from arena.gpu_market.engine.actions import Malformed, MarketAction
from arena.gpu_market.engine.episode import advance, apply, start
from arena.gpu_market.engine.events import MarketEvent
from arena.gpu_market.engine.observe import Observation, observe
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.state import State

Player = Callable[[Observation], MarketAction | Malformed]
"""A lab: answers its own view with an action."""


def play_market(
    scenario: MarketScenario, players: Mapping[int, Player]
) -> tuple[State, tuple[MarketEvent, ...]]:
    """Play an episode from its opening to its end.

    Args:
        scenario: where it starts.
        players: by number of the lab; the labs without one follow their archetypes.

    Returns:
        The last position and the full log: same scenario and players, same bytes everywhere.
    """
    state, opening = start(scenario)
    state, events = play_on(state, players)
    return state, (*opening, *events)


def play_on(state: State, players: Mapping[int, Player]) -> tuple[State, tuple[MarketEvent, ...]]:
    """Play from any position to the end.

    Returns:
        The last position, and the events that happened after ``state``.
    """
    events: list[MarketEvent] = []
    while state.ended is None:
        player = players.get(state.turn)
        if player is None:
            state, happened = advance(state, players)
        else:
            state, happened = apply(state, state.turn, player(observe(state, state.turn)))
        events += happened
    return state, tuple(events)
