"""The files of one evaluation."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from training.evaluation.errors import BrokenRun
from training.evaluation.journal import Journal, write_whole
from training.evaluation.plan import Plan
from training.evaluation.rows import Row
from training.evaluation.sport import read_row

CONFIG, EPISODES, SUMMARY = "config.json", "episodes.jsonl", "summary.json"
PACKED = "episodes.jsonl.gz"
METRICS, LOG, RUN = "metrics.jsonl", "stdout.log", "run.json"
SAMPLES = "samples.jsonl"
"""Games to be read by people; some runs have them (``training.evaluation.samples``)."""


class Folder:
    """``config.json``, ``episodes.jsonl`` and ``summary.json`` follow from what was asked alone.

    Times, the machine and progress are in ``run.json``, ``metrics.jsonl`` and ``stdout.log``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal = Journal(path / EPISODES)

    def make(self, plan: Plan) -> None:
        """Make the folder and write the plan into it.

        Raises:
            BrokenRun: there is another run in it.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        if (self.path / CONFIG).exists():
            raise BrokenRun(f"{self.path} holds a run already; resume it or name another folder.")
        write_whole(self.path / CONFIG, [to_text(plan)])

    def plan(self) -> Plan:
        """Read the plan.

        Raises:
            BrokenRun: there is none.
        """
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


def to_text(plan: Plan) -> bytes:
    """Write a plan as people can read it."""
    return msgspec.json.format(msgspec.json.encode(plan), indent=1) + b"\n"
