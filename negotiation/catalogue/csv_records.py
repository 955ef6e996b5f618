"""Reading a CSV file with a header one record at a time."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from negotiation.catalogue.unreadable import UnreadableFile


def csv_records(path: Path, needed: Sequence[str]) -> Iterator[dict[str, str | None]]:
    """Yield the rows of a file as name to text; names are stripped and in lower case.

    Args:
        path: a UTF-8 file, with or without a byte order mark.
        needed: columns that must be in the header.

    Raises:
        UnreadableFile: naming the missing columns, or the line that cannot be read.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(line.replace("\0", "") for line in file)
        try:
            header = [name.strip().lower() for name in next(rows, [])]
            missing = [name for name in needed if name not in header]
            if missing:
                raise UnreadableFile(f"{path.name}: no column {', '.join(missing)}")
            for row in rows:
                if row:
                    yield dict(zip(header, row, strict=False))
        except csv.Error as wrong:
            raise UnreadableFile(f"{path.name}, line {rows.line_num}: {wrong}") from wrong
        except UnicodeDecodeError as wrong:
            line = rows.line_num + 1
            raise UnreadableFile(f"{path.name}: not UTF-8 at or after line {line}") from wrong
