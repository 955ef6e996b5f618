"""What a run has measured, by step, from ``metrics.jsonl``."""

import functools
import math
from pathlib import Path

import msgspec

METRICS = "metrics.jsonl"
"""File of a run's folder: one JSON object a line with ``step`` and what was measured."""

MOST_BYTES = 8_000_000

Point = tuple[float, float]
"""Step and value."""

Series = dict[str, list[Point]]
"""Every measured name, in the order in which it first appears."""


def read_series(path: Path) -> Series:
    """Read everything that was measured; broken lines and numbers are left out."""
    try:
        state = path.stat()
    except OSError:
        return {}
    if state.st_size > MOST_BYTES:
        return {}
    return _read(path, state.st_mtime_ns, state.st_size)


def thin(points: list[Point], most: int) -> list[Point]:
    """Keep about so many points, evenly, with the first and the last.

    >>> thin([(1, 5), (2, 6), (3, 7), (4, 8), (5, 9)], 3)
    [(1, 5), (3, 7), (5, 9)]
    """
    every = max(1, -(-len(points) // most))
    if every == 1:
        return points
    kept = points[::every]
    return kept if kept[-1] == points[-1] else [*kept, points[-1]]


@functools.lru_cache(maxsize=16)
def _read(path: Path, changed_ns: int, size: int) -> Series:
    series: Series = {}
    for line in path.read_bytes().splitlines():
        try:
            row = msgspec.json.decode(line, type=dict[str, object])
        except msgspec.DecodeError:
            continue  # the last line of a run that was killed
        step = row.pop("step", None)
        if not _is_number(step):
            continue
        for name, value in row.items():
            if _is_number(value):
                series.setdefault(name, []).append((float(step), float(value)))  # type: ignore[arg-type]
    return series


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
