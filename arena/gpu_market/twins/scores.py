"""What each step of a match was worth, and what its shocks cost: the same world without them."""

from collections.abc import Callable, Sequence

import msgspec

from arena.gpu_market.engine.episode import repeat, start
from arena.gpu_market.engine.errors import BrokenLog
from arena.gpu_market.engine.events import MarketEvent, Settled, TurnTaken
from arena.gpu_market.engine.playing import play_market
from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.engine.rewards import Normaliser, Reward, reward
from arena.gpu_market.engine.scenario import MarketScenario, without_shocks
from arena.gpu_market.engine.state import State
from arena.gpu_market.planner import measure
from arena.gpu_market.twins.seats import PERSON, players_of

Judged = Callable[[int, int], float]

ARRIVALS = ("sudden_supply", "emergency_auction")
"""Shocks that bring a block."""


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
        scenario: with its sealed values.
        events: the log, complete or so far; a step that is not over yet is not scored.
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


class Cost(msgspec.Struct, frozen=True):
    """What the shocks cost a lab, in hundredths of a credit; less than 0 where they helped."""

    lab: str
    struck: int
    calm: int

    @property
    def cost(self) -> int:
        """Utility in the calm world less that in the struck one."""
        return self.calm - self.struck


class Twin(msgspec.Struct, frozen=True):
    """Both worlds, played by the same players.

    ``calm_scenario`` is the world without the shock, which seals other values. ``stand_ins`` are
    the labs that a stand-in plays in both, because a person played them: then ``struck`` is not
    the match that was played.
    """

    scenario: MarketScenario
    calm_scenario: MarketScenario
    struck: tuple[MarketEvent, ...]
    calm: tuple[MarketEvent, ...]
    costs: tuple[Cost, ...]
    stand_ins: tuple[int, ...]


def shock_twin(scenario: MarketScenario, seats: Sequence[str], number: int | None = None) -> Twin:
    """Play a market with its shocks, and without the one of a number (None: without any).

    Raises:
        IndexError: there is no such shock.
    """
    calm_scenario = without_shocks(scenario) if number is None else without_shock(scenario, number)
    players = players_of(scenario, seats)
    struck_state, struck = play_market(scenario, players)
    calm_state, calm = play_market(calm_scenario, players)
    costs = tuple(
        Cost(one.lab, one.utility, other.utility)
        for one, other in zip(_results(struck_state), _results(calm_state), strict=True)
    )
    stand_ins = tuple(lab for lab, name in enumerate(seats) if name == PERSON)
    return Twin(scenario, calm_scenario, struck, calm, costs, stand_ins)


def without_shock(scenario: MarketScenario, number: int) -> MarketScenario:
    """Return the same world in which one shock does not strike."""
    sealed = scenario.sealed
    shock = sealed.shocks[number]
    spare, arrivals = sealed.spare, [one for one in sealed.shocks if one.kind in ARRIVALS]
    if shock in arrivals:
        # Blocks that shocks bring are counted by place.
        at = arrivals.index(shock)
        spare = (*spare[:at], *spare[at + 1 :])
    rest = (*sealed.shocks[:number], *sealed.shocks[number + 1 :])
    surge = () if shock.kind == "demand_surge" else sealed.surge
    calmer = msgspec.structs.replace(sealed, shocks=rest, spare=spare, surge=surge)
    return msgspec.structs.replace(scenario, sealed=calmer)


def _results(state: State) -> tuple[Settled, ...]:
    return state.ended.results if state.ended is not None else ()
