"""What the front page asks the database for, asked anew after a few seconds in each process."""

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

Made = TypeVar("Made")

_lock = threading.Lock()
_known: dict[str, tuple[float, Any]] = {}


def kept(name: str, seconds: float, make: Callable[[], Made]) -> Made:
    """Give what was made lately, else make it.

    Args:
        name: of the thing; the same for everybody.
        seconds: how old it may be.
        make: makes it, without arguments. Two visitors at the same moment may both make it.
    """
    now = time.monotonic()
    with _lock:
        made_at, thing = _known.get(name, (now - seconds, None))
    if now - made_at >= seconds:
        thing = make()
        with _lock:
            _known[name] = (now, thing)
    made: Made = thing
    return made


def forget() -> None:
    """Make everything anew at the next call."""
    with _lock:
        _known.clear()
