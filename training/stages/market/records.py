"""Whole episodes to be read by people: the same seeds played before and after training.

What was said is kept word by word, so that an episode can be played again without the model: the
engine says what follows from it, and a number that does not follow is found.
"""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.gpu_market import dialect
from arena.gpu_market.engine import TASK_NAMES, Observation, make_market
from arena.gpu_market.trained.seat import LabSpoken
from training.data.row_files import read_rows, write_rows
from training.stages.market.episodes import Episode, World, play_episodes

EPISODES = "episodes.jsonl"

MOST_BYTES = 4_000_000
"""Of a file of episodes that is read for a page or played again."""

DECIMALS = 6
TOLERANCE = 2e-6
"""Rewards are rounded to millionths; another machine may round the last digit the other way."""


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
    """Read the episodes of a run; none where it left none.

    Raises:
        msgspec.DecodeError: a line is no episode.
        ValueError: the file is too large to be read.
    """
    path = folder / EPISODES
    if not path.is_file():
        return []
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{EPISODES} has more than {MOST_BYTES:,} bytes.")
    return list(read_rows(path, Record))


def play_again(record: Record) -> Episode:
    """Play what a record says was said; the rules and the seed decide all else.

    Raises:
        ValueError: there is no such market, or it goes on after the last recorded turn.
    """
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
    """Says once more what was said; positions come one by one."""

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
