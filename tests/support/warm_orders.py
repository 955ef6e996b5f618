"""How a process is ordered from one that is warm, and how it becomes what was ordered.

An order goes out as one message, with the descriptors that the process will have and a line for
the answers: its number, and when it has ended its status. So many processes may order from one.
"""

import contextlib
import ctypes
import fcntl
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NotRequired, TypedDict

BYTES = 1 << 20
"""The largest order."""

ROOM_FOR_A_NAME = 2000
"""Bytes of a command line that can be shown."""

MOST_ENDS = 64
ABOVE_ALL = 500
"""Descriptors wait for their places above this number."""

PARENTS = {"serve", "celery", "evaluate", "evaluate_strangers", "ceilings", "train"}
"""Words of commands that start processes of Python themselves."""


class Order(TypedDict):
    """A process to be."""

    arguments: list[str]
    folder: str
    environment: dict[str, str]
    is_session: bool
    first: NotRequired[str]
    """What it calls before anything else, as ``module:function``."""
    parent: NotRequired[int]
    """Whose child it becomes: an ancestor that adopts orphans."""


def ask(line: socket.socket, order: Order, ends: dict[int, int]) -> tuple[int, socket.socket]:
    """Order a process; give its number, and where its end will be told.

    Args:
        line: to a process that is warm.
        order: what it will be.
        ends: numbers of its descriptors, and ours that they will be.
    """
    own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        said = json.dumps([order, list(ends)]).encode()
        socket.send_fds(line, [said], [theirs.fileno(), *ends.values()])
    return int(own.recv(BYTES)), own


def poll(process: subprocess.Popen[Any]) -> int | None:
    """Look whether it has ended, as ``Popen`` does."""
    lock = process._waitpid_lock  # type: ignore[attr-defined]
    if process.returncode is None and lock.acquire(blocking=False):
        try:
            pid, status = process._try_wait(os.WNOHANG)  # type: ignore[attr-defined]
            if pid:
                process._handle_exitstatus(status)  # type: ignore[attr-defined]
        finally:
            lock.release()
    return process.returncode


def try_wait(pid: int, told: socket.socket, flags: int) -> tuple[int, int]:
    """Hear how it ended, as ``waitpid`` tells it."""
    try:
        status = told.recv(BYTES, socket.MSG_DONTWAIT if flags else 0)
    except BlockingIOError:
        return 0, 0
    told.close()
    # Whoever was its parent has been killed, and all around it.
    return pid, int(status) if status else signal.SIGKILL


def obey(line: socket.socket) -> tuple[Order, socket.socket]:
    """Give birth until nobody asks any more; return what a new process has been told to be."""
    born: dict[int, tuple[int, socket.socket]] = {}
    while True:
        ready, _, _ = select.select([line, *born], [], [])
        for end in ready:
            if end is not line:
                _tell_the_end(end, *born.pop(end))
        if line not in ready:
            continue
        message, ends, *_ = socket.recv_fds(line, BYTES, MOST_ENDS)
        if not message:
            # Nothing here needs a long goodbye.
            os._exit(0)
        order, places = json.loads(message)
        pid = _fork(adopted="parent" in order)
        if pid == 0:
            line.close()
            for end, (_, told) in born.items():
                os.close(end)
                told.close()
            return order, _settle(ends, places)
        if pid:
            born[os.pidfd_open(pid)] = pid, socket.socket(fileno=ends.pop(0))
        for end in ends:
            os.close(end)


def _fork(*, adopted: bool) -> int | None:
    """Fork; give nothing where an ancestor adopts the child."""
    pid = os.fork()
    if not adopted:
        return pid
    if pid == 0:
        if os.fork():
            os._exit(0)
        return 0
    os.waitpid(pid, 0)
    return None


def _tell_the_end(end: int, pid: int, told: socket.socket) -> None:
    os.close(end)
    _, status = os.waitpid(pid, 0)
    with told, contextlib.suppress(OSError):
        told.send(str(status).encode())


def _settle(ends: list[int], places: list[int]) -> socket.socket:
    """Put descriptors in their places; give the line for answers."""
    told, *waiting = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, ABOVE_ALL) for end in ends)
    for end in ends:
        os.close(end)
    for end, place in zip(waiting, places, strict=True):
        os.dup2(end, place)
        os.close(end)
    return socket.socket(fileno=told)


def live(order: Order, told: socket.socket) -> None:
    """Be what was ordered."""
    if order["is_session"]:
        os.setsid()
    while order.get("parent", os.getppid()) != os.getppid():
        time.sleep(0.001)
    _call_yourself([sys.executable, *order["arguments"]])
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    if "first" in order:
        module, name = order["first"].split(":")
        getattr(importlib.import_module(module), name)()
    # Said by the child itself: whoever asked for a session finds it.
    told.send(str(os.getpid()).encode())
    told.close()
    if os.environ.get("PYTHONUNBUFFERED"):
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(write_through=True)  # type: ignore[union-attr]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if not PARENTS.isdisjoint(order["arguments"]):
        importlib.import_module("tests.support.warm_family").found()
    _run(*order["arguments"])


def _run(what: str, *arguments: str) -> None:
    if what == "-m":
        sys.argv = list(arguments)
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    elif what == "-c":
        sys.argv = ["-c", *arguments[1:]]
        exec(arguments[0], {"__name__": "__main__"})
    else:
        sys.argv = [what, *arguments]
        sys.path[0] = str(Path(what).resolve().parent)
        runpy.run_path(what, run_name="__main__")


def _call_yourself(words: list[str]) -> None:
    """Show a command line of one's own, in the place of the one with which the first began."""
    fields = Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()
    begin, end = int(fields[45]), int(fields[46])
    shown = b"\0".join(os.fsencode(word) for word in words)[: end - begin - 1]
    ctypes.memmove(begin, shown.ljust(end - begin, b"\0"), end - begin)


def main() -> None:
    """Know much, and give birth."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    line = socket.socket(fileno=int(sys.argv[1]))
    # What needs the settings at once fails here, and not in whoever is born with wrong ones.
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)
    gc.disable()
    getattr(importlib.import_module("tests.support.preloaded"), sys.argv[2])()
    gc.freeze()
    gc.enable()
    live(*obey(line))


if __name__ == "__main__":
    # By its name: what is born may import this module too.
    importlib.import_module("tests.support.warm_orders").main()
