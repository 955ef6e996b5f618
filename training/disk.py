"""Files that outlive a kill: whole or not there, rows one a line, folders made once a recipe."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from django.conf import settings

CARD = "card.json"
Row = TypeVar("Row")


class Made(msgspec.Struct, frozen=True):
    """What lies in a folder."""

    folder: Path

    @property
    def card(self) -> dict[str, Any]:
        """Counts and versions."""
        return dict(msgspec.json.decode((self.folder / CARD).read_bytes()))


AnyMade = TypeVar("AnyMade", bound=Made)


def made_once(kind: type[AnyMade], key: str, make: Callable[[Path], dict[str, Any]]) -> AnyMade:
    """Return what a recipe makes; it is made the first time."""
    folder = Path(settings.CORPORA_DIR) / key
    if not (folder / CARD).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        # The card comes last: what has a card is whole.
        card = make(folder)
        write_json(folder / CARD, card, 2)
    return kind(folder)


def write_rows(path: Path, rows: Iterable[object]) -> None:
    """Replace a file by rows."""
    write_whole(path, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def read_rows(path: Path, kind: type[Row]) -> Iterator[Row]:
    """Read the rows of a file."""
    with path.open("rb") as file:
        for line in file:
            yield msgspec.json.decode(line, type=kind)


def write_json(path: Path, value: object, indent: int = 1) -> None:
    """Write a value as people can read it."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(value), indent=indent) + b"\n")


def append(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Add to the end of a file; the bytes are out of this process, with ``sync`` on the disk."""
    with path.open("ab", buffering=0) as file:
        while data:
            data = data[file.write(data) :]
        if sync:
            os.fsync(file.fileno())


def whole_lines(path: Path) -> Iterator[bytes]:
    """Read the lines of a file but the half one that a killed writer left."""
    with path.open("rb") as file:
        yield from (line for line in file if line.endswith(b"\n"))


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Replace a file in one piece, so that nobody ever reads half of it; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.writelines([data] if isinstance(data, bytes) else data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
