"""Waiting for what other processes and threads do."""

import asyncio
import time
from collections.abc import Callable, Iterator

WITHIN_S = 90.0


def until(
    happened: Callable[[], bool], *, every_s: float = 0.1, within_s: float = WITHIN_S
) -> None:
    """Look again and again; fail when it takes too long."""
    for _ in _looks(happened, within_s):
        time.sleep(every_s)


async def in_time(
    happened: Callable[[], bool], *, every_s: float = 0.005, within_s: float = WITHIN_S
) -> None:
    """Do the same, and let the loop go on in between."""
    for _ in _looks(happened, within_s):
        await asyncio.sleep(every_s)


def _looks(happened: Callable[[], bool], within_s: float) -> Iterator[None]:
    deadline = time.monotonic() + within_s
    while not happened():
        assert time.monotonic() < deadline, f"it has not happened within {within_s:.0f} s"
        yield
