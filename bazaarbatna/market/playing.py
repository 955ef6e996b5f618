"""Play whole episodes in one process: what simulations, training and benchmarks stand on."""

from collections.abc import Callable, Mapping

import msgspec

from bazaarbatna.market.actions import Malformed, MarketAction
from bazaarbatna.market.episode import advance, apply, start
from bazaarbatna.market.events import MarketEvent
from bazaarbatna.market.observe import Observation, observe
from bazaarbatna.market.rewards import Normaliser, Reward, reward, value_of_all_jobs
from bazaarbatna.market.scenario import MarketScenario
from bazaarbatna.market.state import State

Player = Callable[[Observation], MarketAction | Malformed]
"""A lab: answers its own view with an action."""


def play_market(
    scenario: MarketScenario, players: Mapping[int, Player]
) -> tuple[State, tuple[MarketEvent, ...]]:
    """Play an episode to its end; labs without a player follow their archetypes."""
    state, opening = start(scenario)
    state, events = play_on(state, players)
    return state, (*opening, *events)


def play_on(state: State, players: Mapping[int, Player]) -> tuple[State, tuple[MarketEvent, ...]]:
    """Play from any position to the end; return the last one and the events after ``state``."""
    events: list[MarketEvent] = []
    while state.ended is None:
        player = players.get(state.turn)
        if player is None:
            state, happened = advance(state, players)
        else:
            state, happened = apply(state, state.turn, player(observe(state, state.turn)))
        events += happened
    return state, tuple(events)


StepJudge = Callable[[State, State], float]
"""Gives the bonus for what was argued between two turns of a lab; asked once for each step."""


class Scored(msgspec.Struct, frozen=True, gc=False):
    """What came of an episode: the last position, the full log and one reward per own turn."""

    state: State
    events: tuple[MarketEvent, ...]
    rewards: tuple[Reward, ...]

    @property
    def total(self) -> float:
        """The episode's return."""
        return sum(step.normalized_reward for step in self.rewards)


def step(
    state: State, lab: int, action: MarketAction | Malformed
) -> tuple[State, tuple[MarketEvent, ...]]:
    """Let a lab act, then all others by archetype until it acts again or the episode ends."""
    after, events = apply(state, lab, action)
    if after.ended is not None:
        return after, events
    after, more = advance(after, (lab,))
    return after, (*events, *more)


def play_scored(
    scenario: MarketScenario,
    player: Player,
    *,
    lab: int = 0,
    normaliser: Normaliser = value_of_all_jobs,
    judge: StepJudge | None = None,
    judge_pays: bool = False,
) -> Scored:
    """Play an episode with one lab from outside, and score it; ``judge_pays`` as in ``reward``."""
    best = normaliser(scenario, lab)
    # What happens to a lab before its first turn belongs to its first step.
    before, opening = start(scenario)
    state, happened = advance(before, (lab,))
    log, rewards = [*opening, *happened], []
    while state.ended is None:
        acting = state
        state, happened = step(acting, lab, player(observe(acting, lab)))
        log += happened
        judged = None if judge is None else judge(acting, state)
        rewards.append(reward(before, state, lab, best, judged, judge_pays=judge_pays))
        before = state
    return Scored(state, tuple(log), tuple(rewards))
