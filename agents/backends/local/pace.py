"""Whether an answer would come in time: from what the last ones took, while others are made."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agents.backends.base import BackendError

NEWS = 0.1
"""How much the latest answer moves what one is expected to take."""


class Pace:
    """Counts the answers under way, and the busy seconds between the ends of two.

    Those who are answered together share the model: with so many under way a new answer is
    expected after their number times those seconds (Little's law). A lone one is always let in.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = 0.0
        self.under_way = 0
        self.each_s = 0.0

    def expected_s(self) -> float:
        """Return how long an answer that begins now is going to take."""
        return (self.under_way + 1) * self.each_s

    @contextmanager
    def taking(self, patience_s: float) -> Iterator[None]:
        """Count an answer in, or raise BackendError, "shed"."""
        if self.under_way and self.expected_s() > patience_s:
            raise BackendError("shed", asked=False)
        if not self.under_way:
            self._since = self._clock()
        self.under_way += 1
        try:
            yield
        finally:
            self._ended(patience_s)

    def _ended(self, patience_s: float) -> None:
        now = self._clock()
        took, self._since = now - self._since, now
        self.under_way -= 1
        expected = self.each_s + NEWS * (took - self.each_s) if self.each_s else took
        # However slow it was: two are always tried, or nobody would notice that it is quick again.
        self.each_s = min(expected, patience_s / 2)
