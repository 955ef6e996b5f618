"""Whole episodes to be read by people: the same seeds played before and after training."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from training.data.row_files import read_rows, write_rows
from training.stages.market.episodes import Episode

EPISODES = "episodes.jsonl"


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
    """Read the episodes of a run; none where it left none."""
    path = folder / EPISODES
    return list(read_rows(path, Record)) if path.is_file() else []


def _record(policy: str, one: Episode) -> Record:
    world = one.world
    turns = [
        RecordedTurn(turn.seen.round, turn.said.text, turn.legal, round(turn.reward, 6))
        for turn in one.turns
    ]
    return Record(policy, world.task, world.seed, world.lab, round(one.total, 6), tuple(turns))
