"""Where the database work of live games runs, off the event loop."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import SyncToAsync
from django.db import connections

WORKERS = 4
"""Threads, and so database connections, that live games use in one process."""


class _KeepsConnection(SyncToAsync[..., Any]):
    """Leaves its database connection open for the next: opening one costs more than a turn."""

    def thread_handler(self, loop: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().thread_handler(loop, *args, **kwargs)  # type: ignore[no-untyped-call]
        finally:
            for connection in connections.all(initialized_only=True):
                connection.close_at = None
                connection.close_if_unusable_or_obsolete()


Given = ParamSpec("Given")
Result = TypeVar("Result")

_pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="game")


def in_thread(
    function: Callable[Given, Result], pool: ThreadPoolExecutor = _pool
) -> Callable[Given, Awaitable[Result]]:
    """Make a blocking function awaitable.

    On threads of our own: neither a slow page nor a rush of pages holds up a live game.
    """
    return _KeepsConnection(function, thread_sensitive=False, executor=pool)
