"""How far an evaluation is, in words: a bar for people, plain lines for files and pipes."""

import contextlib
import time
from pathlib import Path
from typing import IO, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

EVERY_S, AT_MOST_S = 2.0, 60.0
"""Between two plain lines; more as time goes by, so that the lines of a long run can be read."""

PART = 0.02
"""Of the time that has gone by."""


class Teller:
    """Says things to whoever started the run, and to its log; every line is out at once."""

    def __init__(self, out: IO[str], log: Path, total: int, done: int, unit: str) -> None:
        self._out, self._log = out, log.open("a", buffering=1)
        self._total, self._first, self._unit = total, done, unit
        self._began = self._last = time.monotonic()
        self._since: float | None = None
        console = Console(file=out, highlight=False)
        self._bar = _bar(console) if console.is_terminal else None
        self._task = self._bar.add_task(unit, total=total, completed=done) if self._bar else None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._log.close()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the beginning of this process's part."""
        return time.monotonic() - self._began

    def say(self, words: str) -> None:
        """Say a line."""
        self._log.write(f"{words}\n")
        if self._bar is not None:
            self._bar.console.print(words, markup=False)
        else:
            self._print(words)

    def at(self, done: int) -> bool:
        """Show how much is done.

        Returns:
            True when it was time for a line.
        """
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)
        now = time.monotonic()
        if self._since is None:
            # Processes that start up say nothing about the speed.
            self._since, self._first, self._last = now, done, now
        rest = min(max(EVERY_S, PART * self.elapsed_s), AT_MOST_S)
        if now - self._last < rest and done < self._total:
            return False
        self._last = now
        line = self._line(done)
        self._log.write(f"{line}\n")
        if self._bar is None:
            self._print(line)
        return True

    def per_s(self, done: int) -> float:
        """Rows per second since the first one ended; 0 while nobody can tell."""
        elapsed = 0.0 if self._since is None else time.monotonic() - self._since
        return (done - self._first) / elapsed if elapsed > 1.0 else 0.0

    def _print(self, line: str) -> None:
        # Whoever listened may have gone (a closed pipe); the run goes on.
        with contextlib.suppress(OSError):
            self._out.write(f"{line}\n")
            self._out.flush()

    def _line(self, done: int) -> str:
        share = 100 * done / self._total if self._total else 100.0
        rate = self.per_s(done)
        speed = f", {rate:,.0f} a second" if rate else ""
        left = f", {(self._total - done) / rate:,.0f} s left" if rate and done < self._total else ""
        return f"{done:,} of {self._total:,} {self._unit} ({share:.0f} %){speed}{left}"


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=False,
    )
