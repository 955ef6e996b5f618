"""The programs that a running site consists of: their command lines, and how they live together.

The lines are written once; ``manage.py serve``, the containers and the tests all start these.
"""

import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading

log = logging.getLogger(__name__)

LARGEST_FRAME = 16_384
LARGEST_MESSAGE = 262_144
"""Bytes of a socket message in either direction: a finished game's page is the largest."""

SLOW_JOBS_AT_ONCE = 2

WITHOUT_ACCESS_LOG = ("--access-log", os.devnull)
"""Options for a web process whose requests are logged elsewhere, or nowhere."""

LOOK_EVERY_S = 0.25
REST_S = 5.0
"""Wait before a process that died is started again, so that a broken one does not spin."""
STOP_WITHIN_S = 10.0


def web_at(host: str, port: int) -> list[str]:
    """Return the command of the one web process, which listens itself."""
    return _daphne("--bind", host, "--port", str(port))


def web_on(descriptor: int) -> list[str]:
    """Return the command of a web process on a shared, inherited, non-blocking IPv4 socket."""
    return _daphne("--fd", str(descriptor))


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
    """One process. When a ``vital`` one ends all end; any other is started again."""

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

    def start(self) -> None:
        """Start it in a group of its own: Ctrl-C reaches only the parent, which stops all."""
        kept = () if self.inherited is None else (self.inherited.fileno(),)
        self.process = subprocess.Popen(  # noqa: S603  our own
            self.command, start_new_session=True, pass_fds=kept
        )

    def exit_status(self) -> int | None:
        """Return how it ended, None while it runs."""
        return None if self.process is None else self.process.poll()

    def ask_to_end(self) -> None:
        """Ask it to stop."""
        if self.process is not None:
            self.process.terminate()

    def end(self) -> None:
        """Wait until it has stopped as asked, and make it stop if it does not."""
        if self.process is None:
            return
        try:
            self.process.wait(STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.clear_away()

    def clear_away(self) -> None:
        """Kill what a process that has ended left behind: a killed worker's own children."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


class Children:
    """Runs processes side by side until a vital one ends or ``stop`` is called."""

    def __init__(self, *children: Child) -> None:
        self._children = children
        self._stopping = threading.Event()

    def stop(self) -> None:
        """End all soon; safe to call from a signal handler."""
        self._stopping.set()

    def run(self) -> int:
        """Start all and wait; return the status of the vital process that ended, else 0."""
        for child in self._children:
            child.start()
        try:
            return self._watch()
        finally:
            for child in self._children:
                child.ask_to_end()
            for child in self._children:
                child.end()

    def _watch(self) -> int:
        while not self._stopping.wait(LOOK_EVERY_S):
            for child in self._children:
                status = child.exit_status()
                if status is None:
                    continue
                if child.vital:
                    return status
                child.clear_away()
                log.warning("%s ended with %s; it is started again", child.name, status)
                if self._stopping.wait(REST_S):
                    return 0
                child.start()
        return 0
