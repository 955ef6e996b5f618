"""A coalition that was formed, as a coalition game: what members could claim, and what they got.

A group is worth its best joint plan of blocks and jobs as they stood when the last member was about
to join, by the engine's quick planner; a group that does better in two parts plays in two parts.
This reads hidden values: it is for markets that have ended.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import msgspec

from arena.gpu_market.coalition_games import (
    CoalitionGame,
    about_core,
    about_leaving,
    about_shapley,
    is_in_core,
    shapley_values,
)
from arena.gpu_market.engine.actions import Malformed
from arena.gpu_market.engine.blocks import hours_left
from arena.gpu_market.engine.episode import advance, apply, start
from arena.gpu_market.engine.events import Answered, MarketEvent, TurnTaken
from arena.gpu_market.engine.planning import plan, plan_value
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
    """A coalition with its claims; the three groups of sentences are of the mathematics."""

    coalition: str
    round: int
    claims: tuple[Claim, ...]
    together: float
    stable: bool
    leaving: tuple[str, ...]
    core: str
    shapley: tuple[str, ...]


def explain_coalitions(
    scenario: MarketScenario, events: Sequence[MarketEvent]
) -> tuple[Explained, ...]:
    """Explain every coalition that somebody joined.

    Args:
        scenario: where the market started.
        events: its whole log.
    """
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
        explained.append(_explained(coalition, before, end, members, names))
    return tuple(explained)


def game_of(state: State, members: Sequence[str], names: dict[str, str]) -> CoalitionGame:
    """Make the coalition game of some labs in a position; worths in credits.

    Args:
        state: the position.
        members: ids of the labs.
        names: public names by id.
    """
    ids = {names[member]: member for member in members}

    @cache
    def planned(group: frozenset[str]) -> int:
        return _plan_of(state, [ids[name] for name in group])

    @cache
    def worth(group: frozenset[str]) -> int:
        whole = planned(group)
        first, *rest = sorted(group)
        parts = (
            frozenset([first, *(name for bit, name in enumerate(rest) if mask >> bit & 1)])
            for mask in range((1 << len(rest)) - 1)
        )
        return max([whole, *(worth(part) + worth(group - part) for part in parts)])

    return CoalitionGame.from_function(list(ids), lambda group: Fraction(worth(group), 100))


def _explained(
    coalition: str, before: State, end: State, members: Sequence[str], names: dict[str, str]
) -> Explained:
    game = game_of(before, members, names)
    split = {
        names[member]: Fraction(_utility(end, member) - _utility(before, member), 100)
        for member in members
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
        for member in members
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
    )


def _plan_of(state: State, members: Sequence[str]) -> int:
    """What members make of their blocks and jobs together, in hundredths of a credit."""
    windows = state.scenario.rules.windows
    blocks = [
        block
        for block in state.blocks
        if block.owner in members and hours_left(block, state.round, windows=windows)
    ]
    jobs = [job for member in members for job in state.jobs[LAB_NUMBERS[member]]]
    return plan_value(plan(jobs, blocks, state.round, windows=windows))


def _utility(state: State, member: str) -> int:
    return state.tallies[LAB_NUMBERS[member]].utility


def _walk(scenario: MarketScenario, events: Sequence[MarketEvent], upto: int) -> State:
    """Give the position before the turn in which event ``upto`` happened (the end: after all)."""
    state, _ = start(scenario)
    turns = [event for event in events[: upto + 1] if isinstance(event, TurnTaken)]
    for event in turns if upto >= len(events) else turns[:-1]:
        if event.scripted:
            state, _ = advance(state)
        else:
            action = Malformed(event.why) if event.action is None else event.action
            state, _ = apply(state, LAB_NUMBERS[event.lab], action)
    return state
