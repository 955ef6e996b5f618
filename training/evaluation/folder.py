"""The files of one evaluation; its rows are appended as games end, and put in order at last."""

import gzip
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from training.disk import append, write_json, write_whole
from training.evaluation import BrokenRun
from training.evaluation.domain import domain_of, read_row
from training.evaluation.plan import Plan
from training.evaluation.playing import PlayedOf, Unit
from training.evaluation.rows import Row, to_line

Span = tuple[int, int]  # Where a game begins and ends in the file, in bytes
SYNC_S = 3.0  # Between two syncs, which cost milliseconds: what was synced outlives a loss of power
CONFIG, EPISODES, SUMMARY = "config.json", "episodes.jsonl", "summary.json"
PACKED = "episodes.jsonl.gz"
METRICS, LOG, RUN = "metrics.jsonl", "stdout.log", "run.json"

SAMPLES = "samples.jsonl"
"""Games to be read by people; some runs have them (``training.evaluation.samples``)."""


class Journal:
    """A file of rows with one writer. A game of a suite is kept whole or not at all.

    A writer that is killed leaves at most one game unfinished, at the end; ``recover`` cuts it off.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._synced_at = time.monotonic()

    def recover(self) -> dict[Unit, Span]:
        """Cut off what a killed writer left unfinished; return where each whole game lies.

        Raises:
            BrokenRun: a line is no row, or a game is there twice: that was no kill.
        """
        if not self.path.exists():
            return {}
        whole: dict[Unit, Span] = {}
        good_end = end = 0
        expected: tuple[Unit, int] | None = None
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                row, end = self._row(line, number), end + len(line)
                unit, last = unit_of(row), domain_of(row.suite).rows_in(row.suite) - 1
                if (unit, row.game) != (expected or (unit, 0)) or unit in whole:
                    raise BrokenRun(f"{self.path}, line {number}: a bargain out of its game.")
                expected = (unit, row.game + 1)
                if row.game == last:
                    whole[unit] = (good_end, end)
                    good_end, expected = end, None
        os.truncate(self.path, good_end)
        return whole

    def append(self, played: PlayedOf[Row]) -> None:
        """Write the rows of one game; they are out of this process when it returns."""
        is_due = time.monotonic() - self._synced_at >= SYNC_S
        append(self.path, b"".join(map(to_line, played.rows)), sync=is_due)
        if is_due:
            self._synced_at = time.monotonic()

    def rows(self) -> Iterator[Row]:
        """Read all rows."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield self._row(line, number)

    def put_in_order(self, plan: Plan) -> None:
        """Order the games as the plan lists them, all or nothing; BrokenRun when one is missing."""
        whole = self.recover()
        if missing := [unit for unit in plan.units() if unit not in whole]:
            raise BrokenRun(
                f"{self.path} lacks {len(missing)} games, the first of them {missing[0]}."
            )
        with self.path.open("rb") as file:
            write_whole(self.path, (_piece(file, whole[unit]) for unit in plan.units()))

    def _row(self, line: bytes, number: int) -> Row:
        try:
            return read_row(line)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BrokenRun(
                f"{self.path}, line {number} is no bargain ({error}). Delete it and all after it, "
                "then resume."
            ) from error


def _piece(file: BinaryIO, span: Span) -> bytes:
    file.seek(span[0])
    return file.read(span[1] - span[0])


def unit_of(row: Row) -> Unit:
    """Name the game that a row belongs to."""
    return Unit(row.policy, row.suite, row.seed)


class Folder:
    """``config.json``, ``episodes.jsonl`` and ``summary.json`` follow from what was asked alone.

    Times, the machine and progress are in ``run.json``, ``metrics.jsonl`` and ``stdout.log``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal = Journal(path / EPISODES)

    def make(self, plan: Plan) -> None:
        """Make the folder and write the plan into it; BrokenRun when another run is in it."""
        self.path.mkdir(parents=True, exist_ok=True)
        if (self.path / CONFIG).exists():
            raise BrokenRun(f"{self.path} holds a run already; resume it or name another folder.")
        write_json(self.path / CONFIG, plan)

    def plan(self) -> Plan:
        """Read the plan; BrokenRun when there is none."""
        try:
            return msgspec.json.decode((self.path / CONFIG).read_bytes(), type=Plan)
        except (OSError, msgspec.DecodeError) as error:
            raise BrokenRun(f"{self.path} holds no evaluation: {error}") from error

    def rows(self) -> Iterator[Row]:
        """Read all rows, also where only the packed file is there."""
        if (self.path / EPISODES).exists():
            yield from self.journal.rows()
            return
        with gzip.open(self.path / PACKED, "rb") as file:
            yield from map(read_row, file)

    def describe(self, **facts: Any) -> None:
        """Add facts about how the run went to ``run.json``."""
        path = self.path / RUN
        known: dict[str, Any] = self.facts()
        text = json.dumps(known | facts, indent=1, default=str)
        write_whole(path, [f"{text}\n".encode()])

    def facts(self) -> dict[str, Any]:
        """Read what ``run.json`` says."""
        path = self.path / RUN
        known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        return known

    def note(self, **measured: Any) -> None:
        """Append a line to ``metrics.jsonl``."""
        with (self.path / METRICS).open("a") as file:
            file.write(json.dumps(measured) + "\n")
