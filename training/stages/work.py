"""One stage at work: where its files go, what it has measured, and whether it shall stop."""

import contextlib
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import msgspec

from training.disk import append, whole_lines, write_json, write_whole
from training.evaluation.spreading import Spread
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import Stopped
from training.stages.config import StageConfig

METRICS, SUMMARY, CONFIG, SAMPLES, PAIRS = (
    "metrics.jsonl",
    "summary.json",
    "config.json",
    "samples.jsonl",
    "pairs.jsonl",
)
MODEL, CHECKPOINTS, BEST = "model", "checkpoints", "best"
BEAT_S = 1.0
TELL_S = 5.0  # Seconds between lines of progress


class Work:
    """A run under way."""

    def __init__(
        self, run: Run, config: StageConfig, out: IO[str], spread: Spread | None = None
    ) -> None:
        self.run = run
        self.config = config
        self.spread = spread
        self.folder = lifecycle.folder_of(run)
        self._out = out
        self._beaten = self._told = 0.0
        self._numbers: dict[str, float] = {}

    @property
    def checkpoints(self) -> Path:
        """Where the trainer's own state lies while the run is not done."""
        return self.folder / CHECKPOINTS

    @property
    def model(self) -> Path:
        """Where the finished model goes."""
        return self.folder / MODEL

    def say(self, words: str) -> None:
        """Write one line."""
        self._out.write(f"{words}\n")
        self._out.flush()

    def expect(self, total: int) -> None:
        """Note how many pieces of work the run has."""
        self.run.total = total
        self.run.save(update_fields=["total"])

    def beat(self, done: int) -> None:
        """Report a sign of life, and progress now and then; Stopped when somebody asked for it."""
        now = time.monotonic()
        # The last piece is told at once, and only once: what follows it may beat for minutes.
        if now - self._beaten >= BEAT_S or self.run.done != done >= self.run.total:
            self._beaten = now
            if not lifecycle.beat(self.run, done):
                raise Stopped
        if now - self._told >= TELL_S:
            self._told = now
            numbers = ", ".join(f"{name} {value:.4g}" for name, value in self._numbers.items())
            self.say(f"{self.config.stage} {done}/{self.run.total} {numbers}".rstrip())

    def measured(self, step: int, numbers: Mapping[str, float]) -> None:
        """Write down what was measured at a step; what is not finite is left out."""
        kept = {name: _rounded(value) for name, value in numbers.items() if math.isfinite(value)}
        self._numbers = dict(kept)
        line = msgspec.json.encode({"step": step, **kept}) + b"\n"
        append(self.folder / METRICS, line, sync=False)

    def forget_after(self, step: int) -> None:
        """Drop what was measured after a step: the run goes on from there."""
        path = self.folder / METRICS
        if not path.is_file():
            return
        kept = [line for line in whole_lines(path) if _step(line) <= step]
        write_whole(path, b"".join(kept))

    def keep(self, name: str, value: object) -> None:
        """Write a JSON file of the run in one piece."""
        write_json(self.folder / name, value, 2)


def _step(line: bytes) -> int:
    with contextlib.suppress(msgspec.DecodeError, KeyError):
        return int(msgspec.json.decode(line, type=dict[str, Any])["step"])
    return 1 << 60


def _rounded(value: float) -> float:
    # Curves need no more than six digits.
    return float(f"{value:.6g}")
