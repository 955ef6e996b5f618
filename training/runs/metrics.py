"""What a run has measured, by step, from ``metrics.jsonl``."""

import functools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

METRICS = "metrics.jsonl"
"""File of a run's folder: one JSON object a line with ``step`` and what was measured."""

MOST_BYTES = 8_000_000
TOLERANCE = 1e-3  # Summaries are rounded
Point = tuple[float, float]
Series = dict[str, list[Point]]  # Every measured name, in the order in which it first appears


class Measured(msgspec.Struct, frozen=True):
    """What a file of metrics holds: its last step, and the extremes of each measured name."""

    last_step: int
    ranges: dict[str, tuple[float, float]]


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


def check_metrics(path: Path) -> Measured:
    """Read every line of a file of metrics.

    ValueError: a line is no JSON object of finite numbers, steps go back, or there is none.
    """
    last, ranges = -1, dict[str, tuple[float, float]]()
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        row = msgspec.json.decode(line, type=dict[str, Any])
        step = row.pop("step", None)
        if isinstance(step, bool) or not isinstance(step, int) or step < max(last, 0):
            raise ValueError(f"{path.name}, line {number}: no step, or one that goes back.")
        last = step
        for name, value in row.items():
            if not _is_numeric(value):
                continue
            if not math.isfinite(value):
                raise ValueError(f"{path.name}, line {number}: {name} is no finite number.")
            low, high = ranges.get(name, (value, value))
            ranges[name] = (min(low, value), max(high, value))
    if not ranges:
        raise ValueError(f"{path.name} has nothing measured in it.")
    return Measured(last, ranges)


def check_summary(summary: dict[str, Any], measured: Measured) -> None:
    """Compare a summary with what was measured; ValueError says what does not fit.

    A number under the name of a metric lies within what was measured of it; ``steps`` is the last
    step; a mean lies within its interval; every number is finite.
    """
    for name, value in summary.items():
        if not _is_numeric(value):
            continue
        if name == "steps" and value != measured.last_step:
            raise ValueError(f"summary.json has {value} steps, metrics.jsonl {measured.last_step}.")
        low, high = measured.ranges.get(name, (value, value))
        room = TOLERANCE * max(1.0, abs(low), abs(high))
        if not low - room <= value <= high + room:
            raise ValueError(
                f"summary.json has {name} {value}, outside of what was measured: {low} to {high}."
            )
    for where, part in _parts(summary, "summary.json"):
        _check_part(where, part)


def _check_part(where: str, part: dict[str, Any]) -> None:
    for name, value in part.items():
        if _is_numeric(value) and not math.isfinite(value):
            raise ValueError(f"{where} has a {name} that is no finite number.")
    ends = [part.get(name) for name in ("low", "mean", "high")]
    if all(_is_numeric(end) for end in ends) and ends != sorted(ends, key=float):  # type: ignore[arg-type]
        raise ValueError(f"{where} has a mean outside of its interval.")


def _parts(value: object, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield where, value
        for name, inner in value.items():
            yield from _parts(inner, f"{where}, {name}")
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner, where)


def _is_numeric(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
