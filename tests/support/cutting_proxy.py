"""A way to PostgreSQL that breaks at a chosen point of the next move's transaction."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Literal, Self
from urllib.parse import urlsplit

WRITES_A_MOVE, COMMITS = b'INSERT INTO "negotiation_eventrow"', b"COMMIT"

Where = Literal["before the move is written", "before its commit", "after its commit"]


class CuttingProxy:
    """``with CuttingProxy(postgres.url) as way: way.url``; each ``cut`` breaks one connection."""

    def __init__(self, url: str) -> None:
        self._to = urlsplit(url).port
        self._door = socket.create_server(("127.0.0.1", 0))
        own = self._door.getsockname()[1]
        self.url = url.replace(f":{self._to}/", f":{own}/")
        self._cut: Where | None = None
        self._lock = threading.Lock()
        self._ends: list[socket.socket] = [self._door]
        self._threads: list[threading.Thread] = []
        self.cuts = 0

    def cut(self, where: Where) -> None:
        """Let the connection break that gets there next."""
        with self._lock:
            self._cut = where

    def __enter__(self) -> Self:
        self._start(self._listen)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for end in [*self._ends]:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        for thread in [*self._threads]:
            thread.join()

    def _start(self, what: object, *told: object) -> None:
        thread = threading.Thread(target=what, args=told, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                self._ends += [near, far]
                self._start(self._speak, near, far)
                self._start(_pass_on, far, near)

    def _speak(self, near: socket.socket, far: socket.socket) -> None:
        """Pass on what the site says, up to the point where its connection breaks."""
        has_written = False
        with contextlib.suppress(OSError):
            while said := near.recv(1 << 16):
                writes = WRITES_A_MOVE in said
                has_written = has_written or writes
                commits = has_written and COMMITS in said
                with self._lock:
                    cut, at = self._cut, _place(writes=writes, commits=commits)
                    is_now = cut is not None and at == ("commit" in cut)
                    if is_now:
                        self._cut, self.cuts = None, self.cuts + 1
                if is_now:
                    if cut == "after its commit":
                        _break(near)  # nobody hears the answer
                        far.sendall(said)
                        far.recv(1)
                    break
                far.sendall(said)
                has_written = has_written and not commits
        _break(near)
        _break(far)


def _place(*, writes: bool, commits: bool) -> bool | None:
    """Whether a message commits a move (True) or writes one (False); None: neither."""
    return True if commits else False if writes else None


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while said := source.recv(1 << 16):
            target.sendall(said)
    _break(target)


def _break(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
