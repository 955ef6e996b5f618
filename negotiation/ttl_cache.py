"""What many visitors ask for at once is made once in a few seconds, in each process."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

Made = TypeVar("Made")

MOST_KEPT = 2_000
"""Beyond that the oldest entries go; the site's own names are a few dozen."""

_makers: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
_writing = threading.Lock()
_known: dict[str, tuple[float, Any]] = {}
"""Oldest first."""


def cached(name: str, seconds: float, make: Callable[[], Made]) -> Made:
    """Return what was made lately, else make it; whoever asks meanwhile waits for it.

    The name is the same for everybody who may see the same.
    """
    with _makers[name]:
        made_at, thing = _known.get(name, (-seconds, None))
        if time.monotonic() - made_at >= seconds:
            thing = make()
            put(name, thing)
    made: Made = thing
    return made


def put(name: str, thing: Any = None) -> None:
    """Keep a thing that was made just now."""
    with _writing:
        _known.pop(name, None)
        _known[name] = (time.monotonic(), thing)
        while len(_known) > MOST_KEPT:
            del _known[next(iter(_known))]


def get(name: str) -> Any:
    """Return a thing, however old; None if there is none."""
    return _known.get(name, (0.0, None))[1]


def is_fresh(name: str, seconds: float) -> bool:
    """Whether a thing was put here so lately."""
    known = _known.get(name)
    return known is not None and time.monotonic() - known[0] < seconds


def is_time(name: str, every_s: float) -> bool:
    """Whether something that is done now and then is due; whoever hears that does it."""
    with _makers[name]:
        if is_fresh(name, every_s):
            return False
        put(name)
        return True


def forget() -> None:
    """Make everything anew at the next call."""
    with _writing:
        _known.clear()
