"""What DPO trains on: the rows of a file of judged pairs."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from training.judging.errors import BrokenPairs
from training.judging.pair_file import PairFile
from training.judging.rows import is_relevant, settled
from training.judging.verdict import DecidedBy


def load_rows(
    path: Path, *, decided_by: Collection[DecidedBy] | None = None
) -> list[dict[str, Any]]:
    """Read the rows that DPO trains on, each preference once.

    Ties give none. A turn counts where it can have to do with the verdict (``rows.is_relevant``);
    preferences that contradict each other cancel out (``rows.settled``). The order of the file
    does not matter.

    Args:
        path: the file.
        decided_by: take only pairs that these rules decided; all when missing.

    Returns:
        ``{"prompt": [{"role", "content"}, ...], "chosen": text, "rejected": text}`` each.

    Raises:
        BrokenPairs: there is no such file, or it is damaged.
    """
    if not path.is_file():
        raise BrokenPairs(f"There are no pairs at {path}; build them first.")
    records = sorted(PairFile(path).records(), key=lambda record: record.scenario)
    rows = [
        row
        for record in records
        if decided_by is None or record.verdict.decided_by in decided_by
        for row in record.rows
        if is_relevant(row, record.verdict.decided_by)
    ]
    return [
        {
            "prompt": msgspec.to_builtins(row.prompt),
            "chosen": row.chosen,
            "rejected": row.rejected,
        }
        for row in settled(rows)
    ]
