"""What many visitors ask for at once is made once in a few seconds, in each process."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

Made = TypeVar("Made")

_makers: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
_known: dict[str, tuple[float, Any]] = {}


def kept(name: str, seconds: float, make: Callable[[], Made]) -> Made:
    """Give what was made lately, else make it; whoever asks meanwhile waits for it.

    Args:
        name: of the thing; the same for everybody who may see the same.
        seconds: how old it may be.
        make: makes it, without arguments.
    """
    with _makers[name]:
        made_at, thing = _known.get(name, (-seconds, None))
        if time.monotonic() - made_at >= seconds:
            thing = make()
            _known[name] = (time.monotonic(), thing)
    made: Made = thing
    return made


def forget() -> None:
    """Make everything anew at the next call."""
    _known.clear()
