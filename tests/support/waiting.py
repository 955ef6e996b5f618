"""Waiting for what other processes do."""

import time
from collections.abc import Callable

WITHIN_S = 90.0


def until(
    happened: Callable[[], bool], *, every_s: float = 0.1, within_s: float = WITHIN_S
) -> None:
    """Look again and again; fail when it takes too long."""
    deadline = time.monotonic() + within_s
    while not happened():
        assert time.monotonic() < deadline, f"it has not happened within {within_s:.0f} s"
        time.sleep(every_s)
