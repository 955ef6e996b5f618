"""What many visitors ask for at once is made once a second in each process."""

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

KEPT_S = 1.0

Made = TypeVar("Made")

_lock = threading.Lock()
_known: dict[str, tuple[float, Any]] = {}


def kept(name: str, make: Callable[[], Made]) -> Made:
    """Give what was made less than a second ago, else make it.

    Args:
        name: of the thing; the same for everybody who may see the same.
        make: makes it, without arguments.
    """
    now = time.monotonic()
    with _lock:
        made_at, thing = _known.get(name, (-KEPT_S, None))
        if now - made_at >= KEPT_S:
            thing = make()
            _known[name] = (now, thing)
    made: Made = thing
    return made


def forget() -> None:
    """Make everything anew at the next call."""
    with _lock:
        _known.clear()
