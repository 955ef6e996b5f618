"""The judged rounds of an episode, read from its log alone."""

from collections.abc import Sequence

from arena.gpu_market.engine.episode import repeat, start
from arena.gpu_market.engine.errors import BrokenLog
from arena.gpu_market.engine.events import MarketEvent, TurnTaken
from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.judging.court import Court
from arena.gpu_market.judging.hearing import Review, as_it_is
from arena.gpu_market.judging.rounds import JudgedRound


def judged_rounds(
    scenario: MarketScenario, events: Sequence[MarketEvent], review: Review = as_it_is
) -> tuple[JudgedRound, ...]:
    """Judge all rounds of a log in which somebody pitched; a round that goes on is left out.

    Args:
        scenario: where the log starts.
        events: the log, from its opening.
        review: a second judge; to repeat what a model decided, one that remembers it.

    Raises:
        BrokenLog: the events are not an episode of this scenario.
    """
    court = Court(scenario, review)
    state, happened = start(scenario)
    place = _checked(events, 0, happened)
    while place < len(events):
        before = state
        state, happened = repeat(state, events[place])
        place = _checked(events, place, happened)
        turn = happened[0]
        assert isinstance(turn, TurnTaken)
        court.follow(before, state, None if turn.scripted else LAB_NUMBERS[turn.lab])
    return court.rounds


def _checked(events: Sequence[MarketEvent], place: int, happened: Sequence[MarketEvent]) -> int:
    end = place + len(happened)
    if tuple(events[place:end]) != tuple(happened):
        raise BrokenLog("The log tells something else than its own turns.")
    return end
