"""Words and lines as data: TOML beside the module that reads it."""

import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

Table = TypeVar("Table")


class UnreadableTable(ValueError):
    """A table of words is not what it should be."""


def read_table(path: Path, kind: type[Table]) -> Table:
    """Read one TOML file; raises UnreadableTable, naming the file and what is wrong."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as wrong:
        raise UnreadableTable(f"{path.name}: {wrong}") from wrong
