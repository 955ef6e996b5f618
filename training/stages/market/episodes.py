"""Whole episodes of one model, many at once: each turn of all live ones in one batch."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import msgspec

from arena.gpu_market.engine import (
    Observation,
    State,
    advance,
    make_market,
    observe,
    reward,
    start,
    step,
)
from arena.gpu_market.planner import normaliser_of
from arena.gpu_market.trained.seat import LabSpoken

if TYPE_CHECKING:
    from agents.backends.local.player import Sampling


class Speaker(Protocol):
    """Answers positions: a ``Seat`` with its model, or what was written down of one."""

    def answers(
        self, seen: Sequence[Observation], sampling: "Sampling | None" = None
    ) -> list[LabSpoken]:
        """Answer every position, in order."""
        ...


class World(msgspec.Struct, frozen=True, order=True):
    """What is played: a market, and the number of the lab that is played."""

    task: str
    seed: int
    lab: int = 0


class LabTurn(msgspec.Struct, frozen=True):
    """One answer of the model, whether the rules took it, and the reward of the step."""

    seen: Observation
    said: LabSpoken
    legal: bool
    reward: float


class Episode(msgspec.Struct, frozen=True):
    """A finished episode, with everything the model said in it."""

    world: World
    turns: tuple[LabTurn, ...]

    def __repr__(self) -> str:
        return f"Episode({self.world.task}, {self.world.seed}, {len(self.turns)} turns)"

    @property
    def total(self) -> float:
        """The episode's return."""
        return sum(turn.reward for turn in self.turns)

    @property
    def invalid(self) -> int:
        """Answers that were no action."""
        return sum(not turn.said.valid for turn in self.turns)


def play_episodes(
    seat: Speaker,
    worlds: Sequence[World],
    sampling: "Sampling | None" = None,
    *,
    tick: Callable[[], None] = lambda: None,
) -> list[Episode]:
    """Play every world to its end, all of them in step.

    Args:
        seat: who answers.
        worlds: what is played; the same world may come several times.
        sampling: instead of the seat's own.
        tick: called between turns.
    """
    tables = [_Table(world) for world in worlds]
    live = [table for table in tables if table.state.ended is None]
    while live:
        tick()
        seen = [table.seen() for table in live]
        for table, one, said in zip(live, seen, seat.answers(seen, sampling), strict=True):
            table.take(one, said)
        live = [table for table in live if table.state.ended is None]
    return [table.episode() for table in tables]


class _Table:
    def __init__(self, world: World) -> None:
        self._world = world
        self._before, self.state, self._best = _opened(world)
        self._turns: list[LabTurn] = []

    def seen(self) -> Observation:
        return observe(self.state, self._world.lab)

    def take(self, seen: Observation, said: LabSpoken) -> None:
        lab = self._world.lab
        self.state, _ = step(self.state, lab, said.action)
        paid = reward(self._before, self.state, lab, self._best)
        result = self.state.results[lab]
        legal = said.valid and result is not None and result.ok
        self._turns.append(LabTurn(seen, said, legal, paid.normalized_reward))
        self._before = self.state

    def episode(self) -> Episode:
        return Episode(self._world, tuple(self._turns))


@lru_cache(maxsize=2048)
def _opened(world: World) -> tuple[State, State, float]:
    """Open a world; positions never change, so all who play it begin with the same."""
    scenario = make_market(world.task, world.seed)
    before, _ = start(scenario)
    # What happens to a lab before its first turn belongs to its first step.
    state, _ = advance(before, (world.lab,))
    return before, state, normaliser_of(scenario)(scenario, world.lab)
