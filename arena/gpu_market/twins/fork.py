"""What would have happened if a lab had acted otherwise in one of its turns."""

from collections.abc import Sequence
from random import Random

import msgspec

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.episode import apply, fold, repeat
from arena.gpu_market.engine.events import MarketEvent, TurnTaken
from arena.gpu_market.engine.playing import play_on
from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.scripted import DRAWS, draw_luck
from arena.gpu_market.engine.state import State
from arena.gpu_market.twins.seats import PERSON, SEED_BITS, players_of


class NoTurnHere(ValueError):
    """There is no turn at that place of the log."""


class Fork(msgspec.Struct, frozen=True):
    """Another course of a match. Utilities of all labs in hundredths of a credit.

    Attributes:
        lab: the number of the lab that acts otherwise.
        events: the whole log of the fork, from the same opening.
        recorded: how the match itself ended.
        own: how it ends with the lab's own action when a stand-in plays on for persons from that
            turn; without persons the same as ``recorded``.
        forked: how the fork ends. What the action changed is ``forked`` less ``own``.
    """

    lab: int
    events: tuple[MarketEvent, ...]
    recorded: tuple[int, ...]
    own: tuple[int, ...]
    forked: tuple[int, ...]

    @property
    def difference(self) -> int:
        """What the other action brought the lab, on the match's own luck."""
        return self.forked[self.lab] - self.own[self.lab]


def fork(
    scenario: MarketScenario,
    events: Sequence[MarketEvent],
    seq: int,
    action: MarketAction,
    seats: Sequence[str],
) -> Fork:
    """Put another action into one turn and play on with the same players, on the same luck.

    Args:
        scenario: of the match, with its sealed values.
        events: its whole log.
        seq: number of a ``turn`` event, from 1.
        action: what that lab does instead, valid or not.
        seats: who plays each lab.

    Raises:
        NoTurnHere: the event with that number is no turn, or the match is not over.
    """
    turn, lab = _turn_at(events, seq)
    recorded = _utilities(fold(scenario, events))
    if not recorded:
        raise NoTurnHere("The match is not over; ask again after its end.")
    before = fold(scenario, events[: seq - 1])
    if action == turn.action:
        return Fork(lab, tuple(events), recorded, recorded, recorded)
    players = players_of(scenario, seats)
    state, happened = apply(before, lab, action)
    end, rest = play_on(state, players)
    own = recorded
    if PERSON in seats:
        own = _utilities(play_on(repeat(before, turn)[0], players)[0])
    return Fork(lab, (*events[: seq - 1], *happened, *rest), recorded, own, _utilities(end))


def gains(
    scenario: MarketScenario,
    events: Sequence[MarketEvent],
    seq: int,
    action: MarketAction,
    seats: Sequence[str],
    *,
    pairs: int,
) -> tuple[int, ...]:
    """Compare the other action with the own one on other luck than the match's.

    Both courses of a pair meet the same luck from that turn on: the draws of scripted labs and of
    policies. Shocks, jobs and budgets stay those of the match.

    Args:
        scenario: of the match, with its sealed values.
        events: its whole log.
        seq: number of a ``turn`` event, from 1.
        action: what that lab does instead.
        seats: who plays each lab.
        pairs: how many, at least 1.

    Returns:
        The lab's utility with the other action less that with its own, one per pair, in
        hundredths of a credit.

    Raises:
        NoTurnHere: the event with that number is no turn.
    """
    turn, lab = _turn_at(events, seq)
    before = fold(scenario, events[: seq - 1])
    found = []
    for number in range(1, pairs + 1):
        state = _with_luck(before, number)
        players = players_of(scenario, seats, luck=number)
        other, _ = play_on(apply(state, lab, action)[0], players)
        own, _ = play_on(repeat(state, turn)[0], players)
        found.append(_utilities(other)[lab] - _utilities(own)[lab])
    return tuple(found)


def _turn_at(events: Sequence[MarketEvent], seq: int) -> tuple[TurnTaken, int]:
    event = events[seq - 1] if 0 < seq <= len(events) else None
    if not isinstance(event, TurnTaken):
        raise NoTurnHere("There is no turn at that place; choose the number of a turn.")
    return event, LAB_NUMBERS[event.lab]


def _with_luck(state: State, number: int) -> State:
    labs = len(state.budgets)
    seed = Random(f"{state.scenario.sealed.seed}:{number}").getrandbits(SEED_BITS)
    at = (state.round * labs + state.turn) * DRAWS
    drawn = draw_luck(seed, state.scenario.rounds, labs)
    return msgspec.structs.replace(state, luck=(*state.luck[:at], *drawn[at:]))


def _utilities(state: State) -> tuple[int, ...]:
    return tuple(one.utility for one in state.ended.results) if state.ended else ()
