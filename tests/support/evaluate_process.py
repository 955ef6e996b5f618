"""A management command at work, to be looked at, killed and gone on with."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.commands import ROOT
from tests.support.servers import Site
from tests.support.warm import begin


@contextmanager
def begun(
    site: Site, *arguments: str, command: str = "evaluate"
) -> Iterator[subprocess.Popen[str]]:
    """The command at work, in a process group of its own."""
    process = begin(
        [sys.executable, "manage.py", command, *arguments],
        cwd=ROOT,
        env=site.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def lines(folder: Path) -> int:
    """Count the bargains that a run has written so far."""
    path = folder / "episodes.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0
