"""The reward of every step of a finished match: what each turn of a lab was worth, in columns."""

from collections.abc import Sequence

import msgspec

from arena.gpu_market.engine.episode import fold, start
from arena.gpu_market.engine.events import MarketEvent, TurnTaken
from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.engine.rewards import Normaliser, Reward, reward, value_of_all_jobs
from arena.gpu_market.engine.scenario import MarketScenario


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
    normaliser: Normaliser = value_of_all_jobs,
) -> tuple[Step, ...]:
    """Score a finished match for one lab, as ``play_scored`` scores an episode.

    Only for matches that are over: the normaliser knows the jobs that a demand surge will bring.

    Args:
        scenario: of the match, with its sealed values.
        events: its whole log.
        lab: its number.
        normaliser: gives the value of the best plan.

    Raises:
        BrokenLog: the events are no match of this scenario.
    """
    me, best = LAB_IDS[lab], normaliser(scenario, lab)
    turns = [
        (number, event)
        for number, event in enumerate(events, start=1)
        if isinstance(event, TurnTaken) and event.lab == me
    ]
    # What happens to a lab before its first turn belongs to its first step.
    before, _ = start(scenario)
    ends = [number - 1 for number, _ in turns[1:]] + [len(events)]
    steps = []
    for (number, turn), end in zip(turns, ends, strict=True):
        after = fold(scenario, events[:end])
        steps.append(Step(number, turn.round, reward(before, after, lab, best)))
        before = after
    return tuple(steps)
