"""The programs that a running site consists of, as command lines: written once, run everywhere.

``manage.py serve``, the containers and the tests all start these.
"""

import os
import sys

LARGEST_FRAME = 16_384
LARGEST_MESSAGE = 262_144
"""Bytes of a socket message in either direction: a finished game's page is the largest."""

SLOW_JOBS_AT_ONCE = 2

WITHOUT_ACCESS_LOG = ("--access-log", os.devnull)
"""Options for a web process whose requests are logged elsewhere, or nowhere."""


def web_at(host: str, port: int) -> list[str]:
    """Give the command of the one web process, which listens itself."""
    return _daphne("--bind", host, "--port", str(port))


def web_on(descriptor: int) -> list[str]:
    """Give the command of a web process that shares a listening socket with others.

    Args:
        descriptor: number of the inherited, non-blocking IPv4 socket.
    """
    return _daphne("--fd", str(descriptor))


def worker() -> list[str]:
    """Give the command of the worker whose results visitors wait for."""
    return _celery("--hostname", "worker@%h")


def slow_worker() -> list[str]:
    """Give the command of the worker for minutes and hours: grades never wait for those."""
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
