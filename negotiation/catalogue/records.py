"""Files of any length, read one record at a time: JSON arrays, and CSV with a header."""

import codecs
import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO


class UnreadableFile(ValueError):
    """A file cannot be imported; the message names it and the place."""


CHUNK = 1 << 16
MAX_RECORD = 1 << 22
"""Characters one record may have (4 Mi): a broken quote must not pull a whole file into memory."""

_BETWEEN = " \t\r\n"


def json_records(path: Path) -> Iterator[object]:
    """Yield the values of a top-level array, or of one record per line.

    Holds one record and one chunk in memory, whatever the size of the file.

    Raises:
        UnreadableFile: with line and column, at the first place that is not JSON.
    """
    with path.open("rb") as file:
        yield from _Reader(file, path.name).records()


class _Reader:
    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._window = ""
        self._at = 0
        self._ended = False
        self._bytes_read = 0
        self._line, self._column = 1, 1

    def records(self) -> Iterator[object]:
        in_array = self._peek() == "["
        if in_array:
            self._skip(1)
            if self._peek() == "]":
                self._skip(1)
                return self._expect_end()
        elif self._peek() not in ("{", ""):
            raise self._unreadable("expected an array of records")
        while self._peek() or in_array:
            yield self._record()
            if not in_array:
                continue
            after = self._peek()
            if after not in (",", "]"):
                raise self._unreadable(f"expected , or ] here, not {after or 'the end'!r}")
            self._skip(1)
            if after == "]":
                return self._expect_end()
        return None

    def _expect_end(self) -> None:
        if self._peek():
            raise self._unreadable("something follows the end of the array")

    def _peek(self) -> str:
        while True:
            end = self._at
            while end < len(self._window) and self._window[end] in _BETWEEN:
                end += 1
            self._skip(end - self._at)
            if self._at < len(self._window):
                return self._window[self._at]
            if not self._read(CHUNK):
                return ""

    def _record(self) -> object:
        self._peek()
        want = CHUNK
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self._window, self._at)
            except RecursionError as deep:
                raise self._unreadable("nested too deeply") from deep
            except json.JSONDecodeError as wrong:
                # Either the record goes on behind the window or it is broken: more text tells.
                place = wrong.pos - self._at
                if len(self._window) - self._at > MAX_RECORD:
                    raise self._unreadable(
                        f"no record may be longer than {MAX_RECORD:,}"
                    ) from wrong
                if not self._read(want):
                    self._skip(place)
                    raise self._unreadable(wrong.msg) from wrong
            except ValueError as wrong:  # a number of thousands of digits
                raise self._unreadable("a number is too long") from wrong
            else:
                if end < len(self._window) or not self._read(want):
                    self._skip(end - self._at)
                    return value
            want *= 2

    def _read(self, size: int) -> bool:
        if self._ended:
            return False
        data = self._file.read(size)
        self._ended = not data
        try:
            more = self._decoder.decode(data, final=self._ended)
        except UnicodeDecodeError as wrong:
            where = self._bytes_read + wrong.start
            raise UnreadableFile(f"{self._name}: not UTF-8 near byte {where:,}") from wrong
        self._bytes_read += len(data)
        self._window = self._window[self._at :] + more
        self._at = 0
        return not self._ended or bool(more)

    def _skip(self, count: int) -> None:
        passed = self._window[self._at : self._at + count]
        lines = passed.count("\n")
        self._line += lines
        self._column = len(passed) - passed.rfind("\n") if lines else self._column + len(passed)
        self._at += count

    def _unreadable(self, what: str) -> UnreadableFile:
        return UnreadableFile(f"{self._name}, line {self._line}, column {self._column}: {what}")


def csv_records(path: Path, needed: Sequence[str]) -> Iterator[dict[str, str | None]]:
    """Yield the rows of a file as name to text; names are stripped and in lower case.

    Raises:
        UnreadableFile: naming the ``needed`` columns that are missing, or the unreadable line.
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
