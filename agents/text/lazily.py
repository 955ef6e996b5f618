"""Tables that take a while to make: made when a text first asks for them, not by every command."""

from collections.abc import Callable
from functools import cache
from typing import TypeVar

Made = TypeVar("Made")

_TABLES: list[Callable[[], object]] = []


def lazily(make: Callable[[], Made]) -> Callable[[], Made]:
    """Return a function that makes its table at the first call, and the same one ever after."""
    table = cache(make)
    _TABLES.append(table)
    return table


def make_all() -> None:
    """Make every table now, so that nobody who speaks has to wait for one."""
    for table in _TABLES:  # what a table itself makes lazily comes after it
        table()
