"""The reward of every step of a match: what each turn of a lab was worth, in columns."""

from collections.abc import Callable, Sequence

import msgspec

from arena.gpu_market.engine.episode import repeat, start
from arena.gpu_market.engine.errors import BrokenLog
from arena.gpu_market.engine.events import MarketEvent, TurnTaken
from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.engine.rewards import Normaliser, Reward, reward
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.state import State
from arena.gpu_market.planner import measure

Judged = Callable[[int, int], float]


class Step(msgspec.Struct, frozen=True):
    """One step of a lab: from one of its turns to the next, or to the end.

    ``seq`` is the log's number of the ``turn`` event; ``round`` counts from 0.
    """

    seq: int
    round: int
    reward: Reward


def steps_of(
    scenario: MarketScenario,
    events: Sequence[MarketEvent],
    lab: int,
    *,
    normaliser: Normaliser = measure,
    judged: Judged | None = None,
) -> tuple[Step, ...]:
    """Score a match for one lab, as ``play_scored`` scores an episode; else as ``all_steps_of``."""
    return _scored(scenario, events, [lab], normaliser, judged)[0]


def all_steps_of(
    scenario: MarketScenario,
    events: Sequence[MarketEvent],
    *,
    normaliser: Normaliser = measure,
    judged: Judged | None = None,
) -> tuple[tuple[Step, ...], ...]:
    """Score a match for every lab.

    While a match is live the usual normaliser would tell its lab of what is to come: it knows the
    jobs that a demand surge will bring.

    Args:
        scenario: of the match, with its sealed values.
        events: its log, complete or so far; a step that is not over yet is not scored.
        normaliser: gives the value of the best plan.
        judged: gives a judge's bonus by round and lab; None: nobody judges.

    Raises:
        BrokenLog: the events are no match of this scenario.
    """
    return _scored(scenario, events, range(len(scenario.labs)), normaliser, judged)


def _scored(
    scenario: MarketScenario,
    events: Sequence[MarketEvent],
    labs: Sequence[int],
    normaliser: Normaliser,
    judged: Judged | None,
) -> tuple[tuple[Step, ...], ...]:
    best = {lab: normaliser(scenario, lab) for lab in labs}
    state, opening = start(scenario)
    told = list(opening)
    # What happens to a lab before its first turn belongs to its first step.
    began: dict[int, State] = dict.fromkeys(labs, state)
    open_: dict[int, tuple[int, TurnTaken]] = {}
    steps: dict[int, list[Step]] = {lab: [] for lab in labs}

    def close(lab: int) -> None:
        if lab in open_:
            seq, turn = open_.pop(lab)
            bonus = None if judged is None else judged(turn.round, lab)
            paid = reward(began[lab], state, lab, best[lab], bonus)
            steps[lab].append(Step(seq, turn.round, paid))
            began[lab] = state

    for seq, event in enumerate(events, start=1):
        if isinstance(event, TurnTaken):
            lab = LAB_NUMBERS[event.lab]
            close(lab)
            if lab in best:
                open_[lab] = seq, event
            state, happened = repeat(state, event)
            told += happened
    if tuple(told[: len(events)]) != tuple(events):
        raise BrokenLog("The log tells something else than its own turns.")
    for lab in labs:
        if state.ended is not None or state.turn == lab:
            close(lab)
    return tuple(tuple(steps[lab]) for lab in labs)
