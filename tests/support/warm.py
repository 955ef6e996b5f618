"""Processes of Python that begin warm: forked from one that has imported what every process needs.

A new interpreter computes for two seconds until it has imported the site, and the tests start
hundreds. ``Warm`` is a ``subprocess.Popen`` of a process of its own, with an environment of its
own: it reads the settings and connects by itself. Two nurseries take turns, so that of two
processes that follow each other each has its own order of sets, as those of two interpreters have.
What those processes start is born warm too (``warm_family``).

Programs after one another may order from one nursery, whose line they inherit:
``python -m tests.support.warm make bench-smoke``.
"""

import atexit
import functools
import itertools
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support import warm_orders

ROOT = Path(__file__).resolve().parent.parent.parent

LENT = os.environ.pop("LENT_NURSERY", "")
"""Number of a line to a nursery that somebody else holds; what this one starts does not have it."""

SITE, TRAINING, CLIENTS = "site", "training", "clients"
"""What a nursery knows: a function of ``preloaded``."""

READ_WHEN_IMPORTED = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
"""What libraries read once: the same for all that are born."""


class Warm(subprocess.Popen[Any]):
    """A process for ``[sys.executable, ...]``, where ``-m``, ``-c`` or a script follows."""

    def __init__(self, *given: Any, knows: str = SITE, **options: Any) -> None:
        self._nursery = _nursery(knows, next(_turns(knows)))
        super().__init__(*given, **options)

    def _execute_child(self, args: list[str], *told: Any) -> None:
        # In the order in which ``Popen`` tells its own method.
        cwd, env = told[4:6]
        stdin, from_stdin, to_stdout, stdout, to_stderr, stderr = told[9:15]
        assert args[0] == sys.executable, args
        order: warm_orders.Order = {
            "arguments": [str(one) for one in args[1:]],
            "folder": str(cwd or Path.cwd()),
            "environment": dict(os.environ if env is None else env),
            "is_session": bool(told[20]),
        }
        given = enumerate((stdin, stdout, stderr))
        ends = {place: place if end == -1 else end for place, end in given}
        self.pid, self._told = warm_orders.ask(self._nursery.line, order, ends)
        self._child_created = True
        self._close_pipe_fds(stdin, from_stdin, to_stdout, stdout, to_stderr, stderr)

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        return warm_orders.poll(self)

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        return warm_orders.try_wait(self.pid, self._told, wait_flags)


def begin(
    command: list[str], *, env: dict[str, str] | None = None, knows: str = SITE, **options: Any
) -> subprocess.Popen[Any]:
    """Start a process of Python, warm where it makes no difference.

    Args:
        command: begins with ``sys.executable``.
        env: its environment.
        knows: which libraries are there already.
        options: of ``Popen``.
    """
    if sys.platform == "linux":
        return Warm(command, env=env, knows=knows, **options)
    return subprocess.Popen(command, env=env, **options)


def run(
    command: list[str], *, env: dict[str, str] | None = None, knows: str = SITE
) -> subprocess.CompletedProcess[str]:
    """Run a command of the site, or a program beside it, to its end, and hear what it says."""
    pipe = subprocess.PIPE
    process = begin(command, cwd=ROOT, env=env, knows=knows, stdout=pipe, stderr=pipe, text=True)
    out, wrong = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, out, wrong)


class Nursery:
    """A process that has imported, and gives birth when it is asked."""

    line: socket.socket

    def __init__(self, knows: str) -> None:
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            number = theirs.fileno()
            told = [str(number), knows, "_" * warm_orders.ROOM_FOR_A_NAME]
            command = [sys.executable, "-m", "tests.support.warm_orders", *told]
            env = {**os.environ, **READ_WHEN_IMPORTED}
            self._process = subprocess.Popen(command, cwd=ROOT, env=env, pass_fds=[number])

    def close(self) -> None:
        """Let it end."""
        self.line.close()
        self._process.wait()


class Lent(Nursery):
    """One that ends with whoever lends it."""

    def __init__(self, number: int) -> None:
        self.line = socket.socket(fileno=number)

    def close(self) -> None:
        """Give it back."""
        self.line.close()


@functools.cache
def _turns(knows: str) -> "itertools.cycle[int]":
    return itertools.cycle(range(2 if knows == SITE and not LENT else 1))


@functools.cache
def _nursery(knows: str, number: int) -> Nursery:
    """Make it when its turn comes: a benchmark of one site needs no second."""
    if knows == SITE and LENT:
        return Lent(int(LENT))
    nursery = Nursery(knows)
    atexit.register(nursery.close)
    return nursery


def lend(command: list[str]) -> int:
    """Run a command whose programs order from one nursery; return its status."""
    nursery = _nursery(SITE, 0)
    number = nursery.line.fileno()
    told = {**os.environ, "LENT_NURSERY": str(number)}
    return subprocess.run(command, env=told, pass_fds=[number], check=False).returncode


if __name__ == "__main__":
    sys.exit(lend(sys.argv[1:]))
