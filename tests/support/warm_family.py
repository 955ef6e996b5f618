"""What a warm process starts is born warm too.

``found`` forks, before anything else happens, one that knows as much and stays as it is. From it
comes every process of Python that this one starts: its child, which it waits for as for any other,
or where it was itself forked by a program (a worker's pool) one that is told of.
"""

import ctypes
import functools
import gc
import itertools
import multiprocessing.util
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support import warm_orders

_SET_CHILD_SUBREAPER = 36  # prctl(2)


class Family:
    """Knows from whom the children of this process come."""

    def __init__(self) -> None:
        self.founder = os.getpid()
        self._birth = threading.Lock()
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            self.line.close()
            _wait_apart()
            warm_orders.live(*warm_orders.obey(theirs))
            sys.stdout.flush()
            sys.exit()
        theirs.close()
        self._adopts = functools.partial(ctypes.CDLL(None).prctl, _SET_CHILD_SUBREAPER)

    def has(
        self,
        words: list[str],
        env: dict[str, str],
        ends: dict[int, int],
        *,
        folder: str | None = None,
        is_session: bool = False,
        first: Callable[[], None] | None = None,
    ) -> tuple[int, socket.socket | None]:
        """Start a process; give its number, and where its end is told if it is no child."""
        order: warm_orders.Order = {
            "arguments": words,
            "folder": folder or str(Path.cwd()),
            "environment": env,
            "is_session": is_session,
        }
        if first is not None:
            order["first"] = f"{first.__module__}:{first.__name__}"
        is_child = os.getpid() == self.founder
        if not is_child:
            return warm_orders.ask(self.line, order, ends)
        order["parent"] = self.founder
        with self._birth:
            # It has two parents before, of which the second ends: this one adopts it, and no other.
            self._adopts(1)
            pid, told = warm_orders.ask(self.line, order, ends)
            self._adopts(0)
        told.close()
        return pid, None


def _wait_apart() -> None:
    """Hold nobody's lines, and hear no signal that is meant for the others."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for end in range(3):
        os.dup2(nothing, end)
    os.close(nothing)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _own() -> dict[str, str]:
    """Return the environment, also what ``os.putenv`` told to children alone."""
    all_of_it = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    found = {}
    for line in itertools.takewhile(bool, all_of_it):
        name, _, value = os.fsdecode(line or b"").partition("=")
        found[name] = value
    return found


def words_of(command: Any, env: dict[str, str] | None) -> tuple[list[str], dict[str, str]] | None:
    """Return what follows Python in a command, and its environment; or nothing."""
    if not isinstance(command, list):
        return None
    words, told = [os.fsdecode(one) for one in command], _own() if env is None else dict(env)
    if words[0] == "/usr/bin/env":
        del words[0]
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            told[name] = value
    if words[0] != sys.executable or (words[1].startswith("-") and words[1] not in ("-m", "-c")):
        return None
    return words[1:], told


def found() -> None:
    """Begin a family: before any thread, file or connection."""
    family = Family()

    class Kin(subprocess.Popen[Any]):
        """A process that this one starts."""

        _told: socket.socket | None = None
        _is_kin = False

        def _execute_child(self, args: Any, *told: Any) -> None:
            first, _, pass_fds, cwd, env = told[1:6]
            stdin, _, _, stdout, _, stderr = told[9:15]
            known = words_of(args, env)
            # Another program, a shell, a group of processes: as anywhere.
            if known is None or told[0] is not None or told[8] or told[21] != -1:
                super()._execute_child(args, *told)  # type: ignore[misc]
                return
            given = enumerate((stdin, stdout, stderr))
            ends = {place: place if end == -1 else end for place, end in given}
            ends |= {end: end for end in pass_fds}
            self.pid, self._told = family.has(
                *known,
                ends,
                folder=cwd and str(cwd),
                is_session=bool(told[20]),
                first=first,
            )
            self._child_created = True
            self._close_pipe_fds(*told[9:15])  # type: ignore[attr-defined]

        def _internal_poll(self, *given: Any, **named: Any) -> int | None:
            if self._told is None:
                return super()._internal_poll(*given, **named)  # type: ignore[misc, no-any-return]
            return warm_orders.poll(self)

        def _try_wait(self, wait_flags: int) -> tuple[int, int]:
            if self._told is None:
                return super()._try_wait(wait_flags)  # type: ignore[misc, no-any-return]
            return warm_orders.try_wait(self.pid, self._told, wait_flags)

    spawn_cold = multiprocessing.util.spawnv_passfds

    def spawn(path: Any, args: Any, passfds: Any) -> int:
        known = words_of([os.fsdecode(path), *args[1:]], None)
        if known is None or os.getpid() != family.founder:
            return spawn_cold(path, args, passfds)
        pid, _ = family.has(*known, {end: end for end in (0, 1, 2, *passfds)})
        return pid

    multiprocessing.util.spawnv_passfds = spawn
    subprocess.Popen = Kin  # type: ignore[misc]
    gc.freeze()
