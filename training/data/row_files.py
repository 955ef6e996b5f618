"""Files of rows, a line of JSON each, written in one piece."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

Row = TypeVar("Row")


def write_rows(path: Path, rows: Iterable[object]) -> None:
    """Replace a file by rows."""
    write_whole(path, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def read_rows(path: Path, kind: type[Row]) -> Iterator[Row]:
    """Read the rows of a file.

    Raises:
        msgspec.DecodeError: a line is no such row.
    """
    with path.open("rb") as file:
        for line in file:
            yield msgspec.json.decode(line, type=kind)


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one piece, so that nobody ever reads half of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
