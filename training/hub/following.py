"""Following a job: its lines as they come, in the order it printed them, each of them once."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from training.evaluation.folder import LOG
from training.hub.client import Hub
from training.hub.errors import Unreachable
from training.hub.launches import Launch, note, settle
from training.models import Run
from training.runs import lifecycle

MOST_FAILURES = 6
"""So often in a row the hub may be away without a new line."""

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0


def follow(hub: Hub, row: Run, out: IO[str]) -> Launch:
    """Print what a job prints until it is over, and write down how it ended.

    Lines that an earlier call wrote to the launch's log are not printed again; a connection that
    breaks is taken up where it broke. The job does not notice any of it.

    Args:
        hub: with a token.
        row: a launch.
        out: where lines go.

    Raises:
        Unreachable: the hub stayed away; the job goes on, and can be followed again.
        HubError: the hub refuses.
    """
    launch = settle(hub, row)
    if not launch.job:
        return launch
    failures, wait_s = 0, FIRST_WAIT_S
    while True:
        before = _lines_in(_log(row))
        try:
            for line in _new_lines(hub, row, launch):
                out.write(f"{line}\n")
                out.flush()
            return note(row, hub.job(launch.namespace, launch.job))
        except Unreachable as wrong:
            failures = 1 if _lines_in(_log(row)) > before else failures + 1
            if failures >= MOST_FAILURES:
                raise
            out.write(f"({wrong} Once more in {max(wait_s, wrong.after_s):.0f} s.)\n")
            time.sleep(min(max(wait_s, wrong.after_s), LONGEST_WAIT_S))
            wait_s = min(wait_s * 2, LONGEST_WAIT_S)


def cancel(hub: Hub, row: Run) -> Launch:
    """End a job; one that is over stays as it is."""
    launch = settle(hub, row)
    if launch.state == "over":
        return launch
    launch = note(row, hub.job(launch.namespace, launch.job))
    if launch.state != "over":
        hub.cancel_job(launch.namespace, launch.job)
        launch = note(row, hub.job(launch.namespace, launch.job))
    return launch


def _new_lines(hub: Hub, row: Run, launch: Launch) -> Iterator[str]:
    """Write down and give the lines that are not in the log yet; the hub tells from the first.

    When the job is over, its log is read once more, for lines that were lost at the end.
    """
    path = _log(row)
    path.parent.mkdir(parents=True, exist_ok=True)
    known = _lines_in(path)
    with path.open("a", encoding="utf-8") as log:
        for follows in (True, False):
            told = hub.log_of(launch.namespace, launch.job, follows=follows)
            for line in itertools.islice(told, known, None):
                known += 1
                log.write(f"{line}\n")
                log.flush()
                yield line


def _lines_in(path: Path) -> int:
    """Count whole lines; half of one, left by a crash, is dropped."""
    if not path.is_file():
        return 0
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        path.write_bytes(whole)
    return whole.count(b"\n")


def _log(row: Run) -> Path:
    return lifecycle.folder_of(row) / LOG
