"""The same market played by the lab before and after GRPO, turn by turn.

What stands on the page is what the engine makes of the recorded answers, played again; a record
that does not follow from its answers is left out (``load_receipts`` refuses it).
"""

import functools
import logging
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.gpu_market.board.action_words import action_words
from arena.gpu_market.board.names import TASK_TITLES
from arena.gpu_market.engine import make_market
from training.models import Run
from training.receipts.figures import number_text
from training.runs import lifecycle
from training.stages.market.episodes import (
    EPISODES,
    LabTurn,
    Record,
    contradiction,
    play_again,
    read_records,
)

log = logging.getLogger(__name__)


class Deed(msgspec.Struct, frozen=True):
    """One turn: what was done, what the answer was, and what the step earned.

    ``fault`` says what was wrong with the answer, "" for nothing.
    """

    round: int
    words: str
    said: str
    fault: str
    reward: str


class Course(msgspec.Struct, frozen=True):
    """One lab's way through a market."""

    policy: str
    total: str
    deeds: tuple[Deed, ...]


class SameMarket(msgspec.Struct, frozen=True):
    """One seed, played by several labs; ``gap`` is the last one's return less the first one's."""

    task: str
    title: str
    seed: int
    lab: str
    courses: tuple[Course, ...]
    gap: float


def same_markets(run: Run | None) -> tuple[SameMarket, ...]:
    """Pair the episodes that a run of GRPO has left, what changed most first."""
    if run is None:
        return ()
    path = lifecycle.folder_of(run) / EPISODES
    try:
        stat = path.stat()
    except OSError:
        return ()
    return _read(path.parent, stat.st_mtime_ns, stat.st_size)


@functools.lru_cache(maxsize=4)
def _read(folder: Path, _changed: int, _size: int) -> tuple[SameMarket, ...]:
    try:
        records = [one for one in read_records(folder) if contradiction(one) is None]
    except (OSError, ValueError):
        log.exception("the episodes of a run cannot be read", extra={"run": folder.name})
        return ()
    markets: dict[tuple[str, int, int], list[Record]] = {}
    for one in records:
        markets.setdefault((one.task, one.seed, one.lab), []).append(one)
    pairs = [_market(played) for played in markets.values() if len(played) > 1]
    return tuple(sorted(pairs, key=lambda one: -abs(one.gap)))


def _market(played: Sequence[Record]) -> SameMarket:
    first, last = played[0], played[-1]
    cards = make_market(first.task, first.seed).labs
    names = {card.id: card.name for card in cards}
    return SameMarket(
        task=first.task,
        title=TASK_TITLES[first.task],
        seed=first.seed,
        lab=cards[first.lab].name,
        courses=tuple(_course(one, names) for one in played),
        gap=round(last.total - first.total, 6),
    )


def _course(record: Record, names: dict[str, str]) -> Course:
    turns = play_again(record).turns
    return Course(record.policy, _signed(record.total), tuple(_deed(one, names) for one in turns))


def _deed(turn: LabTurn, names: dict[str, str]) -> Deed:
    words = action_words(turn.said.action, names)
    fault = "" if turn.legal else "against the rules" if turn.said.valid else "no action"
    return Deed(
        turn.seen.round, words[:1].upper() + words[1:], turn.said.text, fault, _signed(turn.reward)
    )


def _signed(value: float) -> str:
    return number_text(value, 3, plus=True)
