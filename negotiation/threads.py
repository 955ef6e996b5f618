"""Where the database work of live games runs, off the event loop."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from channels.db import DatabaseSyncToAsync

WORKERS = 4
"""Threads, and so database connections, that live games use in one process."""

Given = ParamSpec("Given")
Result = TypeVar("Result")

_pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="game")


def in_thread(function: Callable[Given, Result]) -> Callable[Given, Awaitable[Result]]:
    """Make a blocking function awaitable.

    Not on Django's one thread for everything: a slow page must not hold up two hundred games.
    """
    return DatabaseSyncToAsync(function, thread_sensitive=False, executor=_pool)
