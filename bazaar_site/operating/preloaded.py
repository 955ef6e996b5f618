"""Web processes that begin with the site imported: they are forked from ``serve``, which has it.

A new interpreter computes for seconds until it serves. What is imported before a fork holds no
thread, no event loop, no connection and nothing by which a process is known: that begins in the
child, with ``bazaar_site.asgi``. Where there is any of it, or no Linux, commands are run instead.
"""

import contextlib
import ctypes
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
from importlib import import_module
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.db import connections

from bazaar_site import early_types
from bazaar_site.operating import serve_lock, start_times
from bazaar_site.programs import Child, end_with_parent

SITE = "bazaar_site.asgi:application"

NEVER_BEFORE = ("daphne.server", "twisted.internet.reactor", "bazaar_site.asgi", "torch")
"""What makes an event loop, or threads, when it is imported."""

BESIDE = ("autobahn.twisted.websocket", "channels.routing", "channels.sessions", "twisted.web.http")
"""What ``bazaar_site.asgi`` imports besides, and what of it has no event loop."""


def preload() -> bool:
    """Import the pages, and make tables of words; whether web processes may be forked from here."""
    if sys.platform != "linux":
        return False
    for name in (settings.ROOT_URLCONF, *BESIDE):
        import_module(name)
    start_times.done("addresses and pages")
    early_types.build()
    start_times.done("values")
    import_module("bazaarbatna.lazily").make_all()
    start_times.done("tables of words")
    gc.collect()
    gc.freeze()
    return threading.active_count() == 1 and sys.modules.keys().isdisjoint(NEVER_BEFORE)


class _Fork(ForkProcess):
    """Looks like a process of ``subprocess``."""

    def poll(self) -> int | None:
        """Return how it ended, None while it lives."""
        return self.exitcode

    def wait(self, within_s: float | None = None) -> int:
        """Wait for its end; raises TimeoutExpired."""
        self.join(within_s)
        if self.exitcode is None:
            raise subprocess.TimeoutExpired(self.name, within_s or 0)
        return self.exitcode


class WebChild(Child):
    """A Daphne that is forked, and does what its command says."""

    tells_times = False
    sockets: ClassVar[list[socket.socket]] = []
    """Those of all web processes: each child closes the others'."""

    def __init__(
        self, name: str, command: list[str], environments: str, inherited: socket.socket | None
    ) -> None:
        super().__init__(name, command, vital=True, inherited=inherited)
        self._environments = environments
        self._parent = 0
        if inherited is not None and inherited not in self.sockets:
            self.sockets.append(inherited)

    def begin(self) -> Any:
        """Fork it."""
        connections.close_all()
        self._parent = os.getpid()
        process = _Fork(name=self.name, target=self._live)
        process.start()
        return process

    def _live(self) -> None:
        start_times.begin()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        end_with_parent()
        if os.getppid() != self._parent:
            return  # it has gone before it could be asked to tell
        serve_lock.let_go()
        for one in self.sockets:
            if one is not self.inherited:
                one.close()
        _call_yourself(f"daphne {self.name}")
        settings.ENVIRONMENTS = self._environments
        from daphne.cli import CommandLineInterface
        from twisted.internet import reactor

        start_times.done("Daphne")
        reactor.callWhenRunning(self._listens)
        CommandLineInterface().run(self.command[self.command.index("daphne") + 1 :])

    def _listens(self) -> None:
        start_times.done("listening")
        if self.tells_times:
            start_times.tell(self.name)


def _call_yourself(name: str) -> None:
    """Show another command line, in the place of the parent's."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()
        begin, end = int(fields[45]), int(fields[46])
        shown = os.fsencode(name)[: end - begin - 1]
        ctypes.memmove(begin, shown.ljust(end - begin, b"\0"), end - begin)
