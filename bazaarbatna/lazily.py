"""What reading would do again and again: tables are made when asked for, lines are kept a while."""

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from typing import TypeVar

Made = TypeVar("Made")

LONGEST_KEPT = 600
"""Characters of a text that is kept: nobody fills the memory with long ones."""

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


def kept(most: int) -> Callable[[Callable[[str], Made]], Callable[[str], Made]]:
    """Keep what a function read in its last ``most`` texts: in a turn many ask about one line."""

    def keeping(read: Callable[[str], Made]) -> Callable[[str], Made]:
        known = lru_cache(most)(read)

        @wraps(read)
        def reading(text: str) -> Made:
            return known(text) if len(text) <= LONGEST_KEPT else read(text)

        return reading

    return keeping
