"""What a table of an export is made of: columns that say what they hold, and how each is written.

``tables.toml`` says of every column what it means; a table takes no reader without that, and no
words without a reader, so that rows and codebook are of the same columns.
"""

import datetime as dt
import json
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import msgspec

from rooms.export.rows import PlayedGame
from rooms.pages import csv_row, safe_text

Kind = Literal["text", "whole", "number", "yes-no", "time", "json"]
KINDS: dict[Kind, str] = {
    "text": "text",
    "whole": "whole number",
    "number": "number",
    "yes-no": "true or false",
    "time": "time, ISO 8601 in UTC",
    "json": "JSON as text",
}

Format = Literal["csv", "jsonl"]
Row = TypeVar("Row")
Value = str | int | float | bool | dt.datetime | dt.date | None

_LINE_ENDS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}
"""Some readers take these for the end of a line; inside JSON they may be written out."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a column holds, as ``tables.toml`` tells it.

    ``levels`` are all the values it may have, each with its meaning; none: it is not a choice.
    An empty cell means that there is nothing to say; ``unit`` "" is a column without one.
    """

    kind: Kind
    words: str
    unit: str = ""
    levels: tuple[tuple[str, str], ...] = ()


class Column(About, Generic[Row], frozen=True, kw_only=True):
    """One column: its name, what it holds, and how it is read from a row."""

    name: str
    of: Callable[[Row], Value]


Readers = dict[str, Callable[[Row], Value]]
"""How each column of a table is read from a row, by its name."""


class Table(msgspec.Struct, Generic[Row], frozen=True):
    """A table, and the formats that it is written in.

    Columns ``of_sales`` are empty in the rows of cases.
    """

    name: str
    words: str
    columns: tuple[Column[Row], ...]
    formats: tuple[Format, ...]
    of_sales: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """Names of its files."""
        return tuple(f"{self.name}.{one}" for one in self.formats)

    @property
    def header(self) -> list[str]:
        """Names of its columns."""
        return [column.name for column in self.columns]


def as_json(value: object) -> str:
    """Write a value for a cell."""
    return json.dumps(value, ensure_ascii=False)


def placed(of: Callable[[Row], PlayedGame]) -> Readers[Row]:
    """Return how the columns are read that say which game a row is of, and how it was played."""
    return {
        "game": lambda row: of(row).id,
        "is_pilot": lambda row: of(row).is_pilot,
        "arm": lambda row: of(row).arm or None,
        "levels": lambda row: of(row).levels or None,
        "condition": lambda row: of(row).condition or None,
    }


class _Told(msgspec.Struct, frozen=True):
    words: str
    columns: dict[str, About]
    formats: tuple[Format, ...] = ("csv", "jsonl")
    of_sales: str = ""


_TABLES = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))
SHARED: dict[str, str] = _TABLES["shared"]
"""Words that stand in several columns, and units."""


def table(name: str, readers: Readers[Row]) -> Table[Row]:
    """Return a table of ``tables.toml`` whose columns are read so, each of them and no other."""
    told = msgspec.convert(_TABLES[name], _Told)
    assert readers.keys() == told.columns.keys(), readers.keys() ^ told.columns.keys()
    columns = tuple(
        Column(
            name=column,
            of=readers[column],
            kind=about.kind,
            words=about.words.format(**SHARED),
            unit=about.unit.format(**SHARED),
            levels=about.levels,
        )
        for column, about in told.columns.items()
    )
    return Table(name, told.words, columns, told.formats, told.of_sales)


def values_of(table: Table[Row], row: Row) -> list[Value]:
    """Read every column of a row."""
    game: Any = row[0] if isinstance(row, tuple) else row
    empty = table.of_sales.split() if table.of_sales and game.settled else ()
    return [None if column.name in empty else column.of(row) for column in table.columns]


def csv_line(table: Table[Any], values: Sequence[Value]) -> str:
    """Write the values of a row as a line of CSV."""
    pairs = zip(table.columns, values, strict=True)
    return csv_row([_cell(column.kind, value) for column, value in pairs])


def json_line(table: Table[Any], values: Sequence[Value]) -> str:
    """Write the values of a row as a line of JSON."""
    record = dict(zip(table.header, map(_plain, values), strict=True))
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter, spelled in _LINE_ENDS.items():
        text = text.replace(letter, spelled)
    return text + "\n"


def _cell(kind: Kind, value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    plain = str(_plain(value))
    return safe_text(plain) if kind in ("text", "json") else plain


def _plain(value: Value) -> str | int | float | bool | None:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    return value.isoformat() if isinstance(value, dt.date) else value


CODEBOOK = ("table", "file", "column", "kind", "unit", "levels", "meaning")


def codebook_rows(tables: Iterable[Table[Any]]) -> list[list[str]]:
    """Return what every column of every table holds, one row a column, in the order of files."""
    return [
        [
            table.name,
            " ".join(table.files),
            column.name,
            KINDS[column.kind],
            column.unit,
            "; ".join(f"{level}: {words}" for level, words in column.levels),
            column.words,
        ]
        for table in tables
        for column in table.columns
    ]


def codebook_csv(rows: Sequence[Sequence[str]]) -> str:
    """Write the codebook as CSV."""
    cells = ([safe_text(cell) for cell in row] for row in rows)
    return "".join(csv_row(row) for row in (CODEBOOK, *cells))


def codebook_markdown(tables: Iterable[Table[Any]], rows: Sequence[Sequence[str]]) -> str:
    """Write the codebook for people to read."""
    words = {table.name: table.words for table in tables}
    lines: list[str] = []
    name = ""
    for table, files, column, kind, unit, levels, meaning in rows:
        if table != name:
            name = table
            lines += ["", f"## {files}", "", words[table], ""]
            lines += ["| column | kind | unit | levels | meaning |", "|---|---|---|---|---|"]
        cells = (f"`{column}`", kind, unit, levels, meaning)
        plain = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
        lines.append(f"| {' | '.join(plain)} |")
    return "\n".join(lines) + "\n"
