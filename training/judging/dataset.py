"""What DPO trains on: the rows of a file of judged pairs."""

from collections.abc import Collection
from pathlib import Path
from typing import Any, get_args

import msgspec

from training.judging.errors import BrokenPairs
from training.judging.pair_file import PairFile
from training.judging.rows import ground, settled
from training.judging.verdict import DecidedBy

EVERY_GROUND: frozenset[DecidedBy] = frozenset(get_args(DecidedBy))


def load_rows(
    path: Path, *, policy: str | None = None, decided_by: Collection[DecidedBy] | None = None
) -> list[dict[str, Any]]:
    """Read the rows that DPO trains on, each preference once.

    A turn counts where it can have to do with the verdict (``rows.ground``); preferences that
    contradict each other cancel out (``rows.settled``). The order of the file does not matter.

    Args:
        path: the file.
        policy: take only what this version has played; all when missing.
        decided_by: take only what is preferred for these; all when missing.

    Returns:
        ``{"prompt": [{"role", "content"}, ...], "chosen": text, "rejected": text}`` each.

    Raises:
        BrokenPairs: there is no such file, or it is damaged.
    """
    if not path.is_file():
        raise BrokenPairs(f"There are no pairs at {path}; build them first.")
    records = sorted(PairFile(path).records(), key=lambda record: record.scenario)
    grounds = EVERY_GROUND if decided_by is None else frozenset(decided_by)
    rows = [
        row
        for record in records
        if policy in (None, record.policy)
        for row in record.rows
        if ground(row, record.verdict.decided_by) in grounds
    ]
    return [
        {
            "prompt": msgspec.to_builtins(row.prompt),
            "chosen": row.chosen,
            "rejected": row.rejected,
        }
        for row in settled(rows)
    ]
