"""What a table of an export is made of: columns that say what they hold, and how each is written.

One declaration writes the rows and the codebook, so that no column is without its explanation.
"""

import datetime as dt
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Literal, TypeVar

import msgspec

from rooms.export.rows import PlayedGame
from rooms.spreadsheets import csv_row, safe_text

Kind = Literal["text", "whole", "number", "yes-no", "time", "json"]
KINDS: dict[Kind, str] = {
    "text": "text",
    "whole": "whole number",
    "number": "number",
    "yes-no": "true or false",
    "time": "time, ISO 8601 in UTC",
    "json": "JSON as text",
}

Row = TypeVar("Row")
Value = str | int | float | bool | dt.datetime | dt.date | None

MONEY = "units of the currency"
SHARE = "part of the zone, 0 to 1"

PARTICIPANT = "Number of the person in the room, from 1; the same in every file."
GAME = "Name of the game; the same in every file and in every export of this study."
ARM = "Arm of the study; empty before one was drawn."
LEVELS = "Level of each factor in that arm, as tone=warm opening=high; empty: no factors cross."
CONDITION = "Condition of this game; empty: all games of an arm are played alike."
ORDER = "Conditions in the order in which this person plays them, drawn within the arm."
PILOT = "Whether this is from a trial run, which no result may count."
SEQ = "Place of the event in the log of its game, from 1."
SIDES = (("seller", "who sells"), ("buyer", "who buys"))

_LINE_ENDS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}
"""Some readers take these for the end of a line; inside JSON they may be written out."""


class Column(msgspec.Struct, Generic[Row], frozen=True):
    """One column: its name, what it holds, and how it is read from a row.

    ``levels`` are all the values it may have, each with its meaning; none: it is not a choice.
    An empty cell means that there is nothing to say; ``unit`` "" is a column without one.
    """

    name: str
    kind: Kind
    words: str
    of: Callable[[Row], Value]
    unit: str = ""
    levels: tuple[tuple[str, str], ...] = ()


class Table(msgspec.Struct, Generic[Row], frozen=True):
    """A table, and the formats that it is written in.

    Columns ``of_sales`` are empty in the rows of cases.
    """

    name: str
    words: str
    columns: tuple[Column[Row], ...]
    formats: tuple[Literal["csv", "jsonl"], ...] = ("csv", "jsonl")
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


def placed(of: Callable[[Row], PlayedGame]) -> tuple[Column[Row], ...]:
    """Return the columns that say which game a row is of, and under what it was played."""
    return (
        Column("game", "text", GAME, lambda row: of(row).id),
        Column("is_pilot", "yes-no", PILOT, lambda row: of(row).is_pilot),
        Column("arm", "text", ARM, lambda row: of(row).arm or None),
        Column("levels", "text", LEVELS, lambda row: of(row).levels or None),
        Column("condition", "text", CONDITION, lambda row: of(row).condition or None),
    )


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
        lines.append("| " + " | ".join(_in_table(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _in_table(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
