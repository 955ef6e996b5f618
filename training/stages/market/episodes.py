"""Whole episodes of one model, many at once, and their records to be read by people.

What was said is kept word by word: played again without the model, every number must follow.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from arena.gpu_market import dialect
from bazaarbatna.market import (
    TASK_NAMES,
    Observation,
    State,
    advance,
    make_market,
    observe,
    reward,
    start,
    step,
)
from bazaarbatna.market.actions import Malformed, MarketAction
from bazaarbatna.market.planner import normaliser_of
from training.disk import read_rows, write_rows

if TYPE_CHECKING:
    from training.stages.generation import Sampling

EPISODES = "episodes.jsonl"
MOST_BYTES = 4_000_000  # Of a file of episodes that is read for a page or played again
DECIMALS = 6

TOLERANCE = 2e-6
"""Rewards are rounded to millionths; another machine may round the last digit the other way."""


class LabSpoken(msgspec.Struct, frozen=True):
    """One answer: tokens of prompt and answer, the model's own text, and what is played."""

    prompt: list[int]
    answer: list[int]
    text: str
    action: MarketAction | Malformed

    @property
    def valid(self) -> bool:
        """Whether it is an action, exactly as the protocol writes it."""
        return isinstance(self.action, MarketAction)


class Speaker(Protocol):
    """Answers positions: a ``Seat`` with its model, or what was written down of one."""

    def answers(
        self, seen: Sequence[Observation], sampling: "Sampling | None" = None
    ) -> list[LabSpoken]:
        """Answer every position, in order."""


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
    """Play every world to its end, all of them in step."""
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
    # Positions never change, so all who play a world begin with the same.
    scenario = make_market(world.task, world.seed)
    before, _ = start(scenario)
    # What happens to a lab before its first turn belongs to its first step.
    state, _ = advance(before, (world.lab,))
    return before, state, normaliser_of(scenario)(scenario, world.lab)


class RecordedTurn(msgspec.Struct, frozen=True):
    """What the model said in one turn, whether the rules took it, and what that step earned."""

    round: int
    said: str
    legal: bool
    reward: float


class Record(msgspec.Struct, frozen=True):
    """An episode of one lab; ``total`` is its return."""

    policy: str
    task: str
    seed: int
    lab: int
    total: float
    turns: tuple[RecordedTurn, ...]


def write_records(folder: Path, played: Iterable[tuple[str, Episode]]) -> None:
    """Keep episodes, each with the name of who played it, beside a run's other files."""
    write_rows(folder / EPISODES, [_record(policy, one) for policy, one in played])


def read_records(folder: Path) -> list[Record]:
    """Read a run's episodes, none if it left none; DecodeError, or ValueError for a huge file."""
    path = folder / EPISODES
    if not path.is_file():
        return []
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{EPISODES} has more than {MOST_BYTES:,} bytes.")
    return list(read_rows(path, Record))


def play_again(record: Record) -> Episode:
    """Play what a record says; ValueError for no such market, or when it goes on after the end."""
    if record.task not in TASK_NAMES or record.seed < 0:
        raise ValueError(f"There is no market {record.task[:40]!r} with seed {record.seed}.")
    if not 0 <= record.lab < len(make_market(record.task, record.seed).labs):
        raise ValueError(f"There is no lab {record.lab} in seed {record.seed}.")
    [played] = play_episodes(_Again(record), [World(record.task, record.seed, record.lab)])
    return played


def contradiction(record: Record) -> str | None:
    """Name what of a record does not follow from what was said in it; None when all does."""
    try:
        again = _record(record.policy, play_again(record))
    except ValueError:
        return "length"
    if len(again.turns) != len(record.turns):
        return "length"
    for told, found in zip(record.turns, again.turns, strict=True):
        if told.round != found.round:
            return "round"
        if told.legal != found.legal:
            return "legality"
        if not _equal(told.reward, found.reward):
            return "reward"
    return None if _equal(record.total, again.total) else "return"


class _Again:
    # Says once more what was said; positions come one by one.

    def __init__(self, record: Record) -> None:
        self._said = iter(record.turns)

    def answers(self, seen: Sequence[Observation], sampling: Any = None) -> list[LabSpoken]:
        return [self._next(one) for one in seen]

    def _next(self, seen: Observation) -> LabSpoken:
        turn = next(self._said, None)
        if turn is None:
            raise ValueError("The market goes on after the last recorded turn.")
        return LabSpoken([], [], turn.said, dialect.read(seen, turn.said))


def _equal(one: float, other: float) -> bool:
    return math.isfinite(one) and abs(one - other) <= TOLERANCE


def _record(policy: str, one: Episode) -> Record:
    world = one.world
    turns = [
        RecordedTurn(turn.seen.round, turn.said.text, turn.legal, round(turn.reward, DECIMALS))
        for turn in one.turns
    ]
    return Record(
        policy, world.task, world.seed, world.lab, round(one.total, DECIMALS), tuple(turns)
    )
