"""Processes of Python that begin warm: forked from one that has imported what every process needs.

A new interpreter computes for two seconds until it has imported the site, and the tests start
hundreds. ``Warm`` is a ``subprocess.Popen`` of a process of its own, with an environment of its
own: it reads the settings and connects by itself. Two nurseries take turns, so that of two
processes that follow each other each has its own order of sets, as those of two interpreters have.
"""

import atexit
import functools
import gc
import importlib
import itertools
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent

BYTES = 1 << 20
"""The largest order."""


class Warm(subprocess.Popen[Any]):
    """A process for ``[sys.executable, ...]``, where ``-m``, ``-c`` or a script follows."""

    def _execute_child(self, args: list[str], *told: Any) -> None:
        # In the order in which ``Popen`` tells its own method.
        cwd, env = told[4:6]
        stdin, from_stdin, to_stdout, stdout, to_stderr, stderr = told[9:15]
        assert args[0] == sys.executable, args
        order = {
            "arguments": [str(one) for one in args[1:]],
            "folder": str(cwd or Path.cwd()),
            "environment": dict(os.environ if env is None else env),
            "is_session": bool(told[20]),
        }
        ends = [own if given == -1 else given for own, given in enumerate((stdin, stdout, stderr))]
        self._nursery = next(_nurseries())
        self.pid = self._nursery.ask(order, ends)
        self._child_created = True
        self._end = os.pidfd_open(self.pid)
        self._close_pipe_fds(stdin, from_stdin, to_stdout, stdout, to_stderr, stderr)

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        if self.returncode is None and self._waitpid_lock.acquire(blocking=False):
            try:
                pid, status = self._try_wait(os.WNOHANG)
                if pid:
                    self._handle_exitstatus(status)
            finally:
                self._waitpid_lock.release()
        return self.returncode

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if wait_flags == 0:
            select.select([self._end], [], [])
        status = self._nursery.ask({"pid": self.pid})
        if status is None:
            return 0, 0
        os.close(self._end)
        return self.pid, status


def begin(command: list[str], *, env: dict[str, str], **options: Any) -> subprocess.Popen[Any]:
    """Start a process of Python, warm where it makes no difference."""
    kind = Warm if sys.platform == "linux" else subprocess.Popen
    return kind(command, env=env, **options)


def run(command: list[str], *, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command of the site to its end, and hear what it says."""
    pipe = subprocess.PIPE
    process = begin(command, cwd=ROOT, env=env, stdout=pipe, stderr=pipe, text=True)
    out, wrong = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, out, wrong)


class Nursery:
    """A process that has imported, and gives birth when it is asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            number = theirs.fileno()
            command = [sys.executable, "-m", "tests.support.warm", str(number)]
            # NumPy reads how many threads it may have when it is imported: here, for all.
            alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
            self._process = subprocess.Popen(command, cwd=ROOT, env=alone, pass_fds=[number])

    def ask(self, order: dict[str, Any], ends: list[int] | None = None) -> Any:
        """Send an order, with the ends of a process to be born, and give the answer."""
        with self._lock:
            socket.send_fds(self._line, [json.dumps(order).encode()], ends or [])
            return json.loads(self._line.recv(BYTES))

    def close(self) -> None:
        """Let it end."""
        self._line.close()
        self._process.wait()


@functools.cache
def _nurseries() -> "itertools.cycle[Nursery]":
    nurseries = Nursery(), Nursery()
    for nursery in nurseries:
        atexit.register(nursery.close)
    return itertools.cycle(nurseries)


def main() -> None:
    """Obey until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    line = socket.socket(fileno=int(sys.argv[1]))
    for order, ends in _orders(line):
        if "pid" in order:
            pid, status = os.waitpid(order["pid"], os.WNOHANG)
            line.send(json.dumps(status if pid else None).encode())
        elif os.fork() == 0:
            _live(order, ends, line)
            return
        for end in ends:
            os.close(end)
    # Nothing here needs a long goodbye.
    os._exit(0)


def _orders(line: socket.socket) -> Iterator[tuple[dict[str, Any], list[int]]]:
    # What needs the settings at once fails here, and not in whoever is born with wrong ones.
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)
    gc.disable()
    importlib.import_module("tests.support.preloaded")
    gc.freeze()
    gc.enable()
    while True:
        message, ends, *_ = socket.recv_fds(line, BYTES, 3)
        if not message:
            return
        yield json.loads(message), ends


def _live(order: dict[str, Any], ends: list[int], line: socket.socket) -> None:
    """Be what was ordered."""
    if order["is_session"]:
        os.setsid()
    # Said by the child itself: whoever asked for a session finds it.
    line.send(json.dumps(os.getpid()).encode())
    line.close()
    for own, end in enumerate(ends):
        os.dup2(end, own)
        os.close(end)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    if os.environ.get("PYTHONUNBUFFERED"):
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(write_through=True)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    what, *arguments = order["arguments"]
    if what == "-m":
        sys.argv = arguments
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    elif what == "-c":
        sys.argv = ["-c", *arguments[1:]]
        exec(arguments[0], {"__name__": "__main__"})
    else:
        sys.argv = [what, *arguments]
        runpy.run_path(what, run_name="__main__")


if __name__ == "__main__":
    main()
