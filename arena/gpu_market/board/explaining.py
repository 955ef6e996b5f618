"""A coalition that was formed, as a coalition game: what members could claim, and what they got.

A group is worth its best joint plan of blocks and jobs as they stood when the last member was about
to join: exactly, where the solver answers in time (``worths``).
This reads hidden values: it is for markets that have ended.
"""

import time
from collections.abc import Sequence
from fractions import Fraction
from math import inf

import msgspec

from arena.gpu_market.board.worths import Worths, worths_of
from arena.gpu_market.coalition import (
    CoalitionGame,
    about_core,
    about_leaving,
    about_shapley,
    is_in_core,
    shapley_values,
)
from arena.gpu_market.engine.episode import repeat, start
from arena.gpu_market.engine.events import Answered, MarketEvent, TurnTaken
from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.state import State


class Claim(msgspec.Struct, frozen=True):
    """One member: money in credits. ``gets`` is what it made after the coalition was complete."""

    lab: str
    name: str
    alone: float
    adds: float
    gets: float


class Explained(msgspec.Struct, frozen=True):
    """A coalition with its claims; the three groups of sentences are of the mathematics.

    ``exact``: the solver answered for every group, else the engine's quick planner did.
    """

    coalition: str
    round: int
    claims: tuple[Claim, ...]
    together: float
    stable: bool
    leaving: tuple[str, ...]
    core: str
    shapley: tuple[str, ...]
    exact: bool


def explain_coalitions(
    scenario: MarketScenario, events: Sequence[MarketEvent], within_s: float = inf
) -> tuple[Explained, ...]:
    """Explain every coalition that somebody joined.

    Args:
        scenario: where the market started.
        events: its whole log.
        within_s: seconds that the solver may take for all of them together.
    """
    until_s = time.monotonic() + within_s
    names = {card.id: card.name for card in scenario.labs}
    end = _walk(scenario, events, len(events))
    last: dict[str, int] = {
        event.coalition: at
        for at, event in enumerate(events)
        if isinstance(event, Answered) and event.consents
    }
    explained = []
    for coalition, at in last.items():
        before = _walk(scenario, events[: at + 1], at)
        members = end.coalitions[int(coalition.rpartition("_")[2])].members
        worths = worths_of(before, members, until_s)
        explained.append(_explained(coalition, before, end, worths, names))
    return tuple(explained)


def game_of(worths: Worths, names: dict[str, str]) -> CoalitionGame:
    """Make a coalition game of what groups of labs are worth; its worths are in credits.

    Args:
        worths: of every group of some labs.
        names: public names by id.
    """
    ids = {names[member]: member for member in worths.members}
    return CoalitionGame.from_function(
        list(ids), lambda group: Fraction(worths.of[frozenset(ids[name] for name in group)], 100)
    )


def _explained(
    coalition: str, before: State, end: State, worths: Worths, names: dict[str, str]
) -> Explained:
    game = game_of(worths, names)
    split = {
        names[member]: Fraction(_utility(end, member) - _utility(before, member), 100)
        for member in worths.members
    }
    adds = shapley_values(game)
    claims = tuple(
        Claim(
            member,
            names[member],
            float(game.worth([names[member]])),
            float(adds[names[member]]),
            float(split[names[member]]),
        )
        for member in worths.members
    )
    return Explained(
        coalition,
        before.round,
        claims,
        float(game.worth(game.players)),
        is_in_core(game, split),
        about_leaving(game, split),
        about_core(game),
        about_shapley(game, split),
        worths.exact,
    )


def _utility(state: State, member: str) -> int:
    return state.tallies[LAB_NUMBERS[member]].utility


def _walk(scenario: MarketScenario, events: Sequence[MarketEvent], upto: int) -> State:
    """Give the position before the turn in which event ``upto`` happened (the end: after all)."""
    state, _ = start(scenario)
    turns = [event for event in events[: upto + 1] if isinstance(event, TurnTaken)]
    for event in turns if upto >= len(events) else turns[:-1]:
        state, _ = repeat(state, event)
    return state
