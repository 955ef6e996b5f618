"""The programs that a running site consists of: their command lines, and how they live together.

The lines are written once; ``manage.py serve``, the containers and the tests all start these.
"""

import contextlib
import ctypes
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time

log = logging.getLogger(__name__)

LARGEST_FRAME = 16_384
LARGEST_MESSAGE = 262_144
"""Bytes of a socket message in either direction: a finished game's page is the largest."""

SLOW_JOBS_AT_ONCE = 2

LOOK_EVERY_S = 0.1
STOP_WITHIN_S = 10.0
"""Seconds that all processes together have for their goodbyes."""

STEADY_S = 10.0
"""A process that lived so long and died is started at once: it was not its start that killed it."""
RESTS_S = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Waits before the next starts of a process that keeps dying young, so that it does not spin."""

GAVE_UP = 1
"""How ``serve`` ends when the site cannot be kept up."""


def web_at(host: str, port: int) -> list[str]:
    """Return the command of a web process that listens itself: under another process manager."""
    return _daphne("--bind", host, "--port", str(port))


def web_on(descriptor: int) -> list[str]:
    """Return the command of a web process on a shared, inherited, non-blocking IPv4 socket."""
    return _daphne("--fd", str(descriptor))


def told(command: list[str], **variables: str) -> list[str]:
    """Return a command with variables of its own beside those of its parent."""
    return ["/usr/bin/env", *(f"{name}={value}" for name, value in variables.items()), *command]


def model_process(place: str) -> list[str]:
    """Return the command of a process for the local models, which listens on a Unix socket."""
    return [sys.executable, "-m", "agents.model_process", place]


def worker() -> list[str]:
    """Return the command of the worker whose results visitors wait for."""
    return _celery("--hostname", "worker@%h")


def slow_worker() -> list[str]:
    """Return the command of the worker for minutes and hours: grades never wait for those."""
    at_once = str(SLOW_JOBS_AT_ONCE)
    return _celery("--hostname", "slow@%h", "--queues", "training", "--concurrency", at_once)


def _celery(*which: str) -> list[str]:
    # Workers have nothing to say to each other: the truth about a job is its row.
    alone = ("--without-gossip", "--without-mingle")
    return [
        sys.executable,
        "-m",
        "celery",
        "--quiet",
        "-A",
        "bazaar_site",
        "worker",
        *alone,
        *which,
    ]


def _daphne(*where: str) -> list[str]:
    return [
        *(sys.executable, "-m", "daphne", *where),
        # The limit of frames holds for what comes in, that of messages for what goes out too.
        *("--websocket-max-frame-size", str(LARGEST_FRAME)),
        *("--websocket-max-message-size", str(LARGEST_MESSAGE)),
        *("--no-server-name", "bazaar_site.asgi:application"),
    ]


class Child:
    """One process; when it ends it is started again. Without a ``vital`` one there is no site."""

    def __init__(
        self,
        name: str,
        command: list[str],
        *,
        vital: bool = False,
        inherited: socket.socket | None = None,
    ) -> None:
        self.name = name
        self.command = command
        self.vital = vital
        self.inherited = inherited
        self.process: subprocess.Popen[bytes] | None = None
        self._started_at = self._due_at = 0.0
        self._died_young = 0

    def start(self) -> None:
        """Start it in a group of its own: Ctrl-C reaches only the parent, which stops all."""
        self.process = self.begin()
        self._started_at = time.monotonic()

    def begin(self) -> "subprocess.Popen[bytes]":
        """Run its command."""
        kept = () if self.inherited is None else (self.inherited.fileno(),)
        return subprocess.Popen(  # noqa: S603  our own
            self.command,
            start_new_session=True,
            pass_fds=kept,
            preexec_fn=end_with_parent,  # noqa: PLW1509  one system call, no lock
        )

    def look(self) -> None:
        """Start it again if it has ended; raises ``BeyondHelp`` where that is of no use."""
        now = time.monotonic()
        if self.process is None:
            if now >= self._due_at:
                self.start()
            return
        status = self.process.poll()
        if status is None:
            return
        self.clear_away()
        self.process = None
        self._died_young = 0 if now - self._started_at >= STEADY_S else self._died_young + 1
        if self.vital and self._died_young > len(RESTS_S):
            raise BeyondHelp(self.name, self._died_young, status)
        rest = RESTS_S[min(self._died_young, len(RESTS_S)) - 1] if self._died_young else 0.0
        self._due_at = now + rest
        log.warning("%s ended with %s; it is started again in %g s", self.name, status, rest)
        if not rest:
            self.start()

    def ask_to_end(self) -> None:
        """Ask it to stop."""
        if self.process is not None:
            self.process.terminate()

    def end(self, within_s: float = STOP_WITHIN_S) -> None:
        """Wait until it has stopped as asked, and make it stop if it does not."""
        if self.process is None:
            return
        try:
            self.process.wait(max(within_s, 0))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.clear_away()

    def clear_away(self) -> None:
        """Kill what a process that has ended left behind: a killed worker's own children."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


class BeyondHelp(Exception):
    """A process without which there is no site ends as soon as it is started."""

    def __init__(self, name: str, times: int, status: int) -> None:
        super().__init__(
            f"{name} ended {times} times in a row soon after its start, at last with status "
            f"{status}. Its own lines above say why. Everything is stopped."
        )


class Children:
    """Runs processes side by side until ``stop`` is called or a vital one cannot be kept up."""

    def __init__(self, *children: Child) -> None:
        self._children = children
        self._stopping = threading.Event()

    def stop(self) -> None:
        """End all soon; safe to call from a signal handler."""
        self._stopping.set()

    def run(self) -> int:
        """Start all and look after them; return 0, or ``GAVE_UP`` where that was of no use."""
        try:
            for child in self._children:
                child.start()
            while not self._stopping.wait(LOOK_EVERY_S):
                for child in self._children:
                    child.look()
        except BeyondHelp as wrong:
            log.error("%s", wrong)  # noqa: TRY400  its place in the code says nothing
            return GAVE_UP
        finally:
            deadline = time.monotonic() + STOP_WITHIN_S
            for child in self._children:
                child.ask_to_end()
            for child in self._children:
                child.end(deadline - time.monotonic())
        return 0


_SET_PARENT_DEATH_SIGNAL = 1  # prctl(2)
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent() -> None:
    """Have the system tell this process to end when its parent does."""
    # A parent that is killed outright stops nobody: without it nothing would look after the others,
    # and they would hold the port.
    if _libc is not None:
        _libc.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
