"""The judged rounds of an episode, read from its log alone: hearings, bonuses, running totals."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arena.gpu_market.engine.actions import Malformed
from arena.gpu_market.engine.episode import advance, apply, start
from arena.gpu_market.engine.errors import BrokenLog, MarketError
from arena.gpu_market.engine.events import MarketEvent, TurnTaken
from arena.gpu_market.engine.quantities import LAB_IDS, LAB_NUMBERS
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.state import State
from arena.gpu_market.judging.facts import facts_of
from arena.gpu_market.judging.hearing import (
    Hearing,
    Known,
    Review,
    Statement,
    as_it_is,
    hear,
    nothing_known,
    statements_at,
)
from arena.gpu_market.judging.margins import bonus


class JudgedRound(msgspec.Struct, frozen=True):
    """A round in which somebody pitched. One number per lab.

    Attributes:
        hearing: what was said and found.
        bonuses: what this round adds to each lab's reward; 0 for who did not pitch itself.
        scores_so_far: the sum of the scores up to this round.
        bonuses_so_far: the sum of the bonuses up to this round.
    """

    hearing: Hearing
    bonuses: tuple[float, ...]
    scores_so_far: tuple[float, ...]
    bonuses_so_far: tuple[float, ...]


class Docket(msgspec.Struct, frozen=True):
    """What a judge remembers between the hearings of an episode."""

    known: Known
    scores: tuple[float, ...]
    bonuses: tuple[float, ...]


class _Pitched(msgspec.Struct, frozen=True):
    """Who pitched in a round, in the position in which the first pitch was made."""

    state: State
    own: dict[int, Statement]
    outside: set[int]


def new_docket(labs: int) -> Docket:
    """Give what a judge remembers at the start."""
    return Docket(nothing_known(labs), (0.0,) * labs, (0.0,) * labs)


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
    docket, judged = new_docket(len(scenario.labs)), []
    for pitched in _rounds_with_pitches(scenario, events):
        statements = statements_at(
            pitched.state, docket.known, pitched.own, tuple(pitched.outside - set(pitched.own))
        )
        round_, docket = judge_round(pitched.state, statements, docket, review)
        judged.append(round_)
    return tuple(judged)


def judge_round(
    state: State, statements: Sequence[Statement], docket: Docket, review: Review = as_it_is
) -> tuple[JudgedRound, Docket]:
    """Hold one hearing, and add it to what the judge remembers."""
    hearing, known = hear(state, statements, docket.known, review)
    bonuses = tuple(
        bonus(hearing.margin(one.lab), so_far) if one.own else 0.0
        for one, so_far in zip(hearing.labs, docket.bonuses, strict=True)
    )
    docket = Docket(
        known,
        _added(docket.scores, (one.card.score for one in hearing.labs)),
        _added(docket.bonuses, bonuses),
    )
    return JudgedRound(hearing, bonuses, docket.scores, docket.bonuses), docket


def own_pitch(before: State, after: State, lab: int) -> Statement | None:
    """Give the pitch that a lab made from outside between two positions; None: it made none."""
    for said in after.said[len(before.said) :]:
        if said.lab == LAB_IDS[lab] and said.speech != "message":
            return Statement(said.text, facts_of(before, lab), own=True)
    return None


def _added(old: Iterable[float], more: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(one + other, 6) for one, other in zip(old, more, strict=True))


def _rounds_with_pitches(
    scenario: MarketScenario, events: Sequence[MarketEvent]
) -> Iterator[_Pitched]:
    """Play the log's own turns again, and stop at the end of each round that has a pitch."""
    state, happened = start(scenario)
    place = _checked(events, 0, happened)
    first: State | None = None
    own: dict[int, Statement] = {}
    outside: set[int] = set()
    while place < len(events):
        before = state
        state, happened = _turn(state, events[place])
        place = _checked(events, place, happened)
        turn = happened[0]
        assert isinstance(turn, TurnTaken)
        lab = LAB_NUMBERS[turn.lab]
        if not turn.scripted:
            outside.add(lab)
            pitch = own_pitch(before, state, lab)
            if pitch is not None:
                first = before if first is None else first
                own.setdefault(lab, pitch)
        if state.ended is not None or state.round > before.round:
            if first is not None:
                yield _Pitched(first, own, outside)
            first, own, outside = None, {}, set()


def _turn(state: State, event: MarketEvent) -> tuple[State, tuple[MarketEvent, ...]]:
    if not isinstance(event, TurnTaken) or event.lab not in LAB_NUMBERS:
        raise BrokenLog("Only a turn can come here.")
    try:
        if event.scripted:
            return advance(state)
        action = Malformed(event.why) if event.action is None else event.action
        return apply(state, LAB_NUMBERS[event.lab], action)
    except MarketError as error:
        raise BrokenLog(f"The log breaks a rule: {error}") from error


def _checked(events: Sequence[MarketEvent], place: int, happened: Sequence[MarketEvent]) -> int:
    end = place + len(happened)
    if tuple(events[place:end]) != tuple(happened):
        raise BrokenLog("The log tells something else than its own turns.")
    return end
