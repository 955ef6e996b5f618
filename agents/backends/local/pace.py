"""Whether an answer would come in time: from what the last ones took, while others are made."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from agents.backends.base import BackendError, TooSlow

NEWS = 0.1
"""How much the latest answer moves what one is expected to take."""


class Patience(msgspec.Struct, frozen=True):
    """Seconds that an answer may take: alone, and while others are made as well.

    ``late_s`` is what the rest of the turn takes from the latter, as this process is busy.
    """

    alone_s: float
    among_others_s: float
    late_s: float = 0.0


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
    def taking(self, patience: Patience) -> Iterator[float]:
        """Count an answer in, and give the seconds it may take.

        Raises BackendError, "shed", where it would come too late beside those under way. One that
        does in spite of that was one too many: that is no fault of the model's, and said so.
        Nothing is learnt of one that was refused or left: the model did not make it.
        """
        among_others = self.under_way > 0 and patience.among_others_s < patience.alone_s
        left_s = patience.among_others_s - patience.late_s
        within_s = left_s if among_others else patience.alone_s
        if among_others and (within_s <= 0 or self.expected_s() > within_s):
            raise BackendError("shed", asked=False)
        if not self.under_way:
            self._since = self._clock()
        self.under_way += 1
        try:
            yield within_s
            self._learn(patience.among_others_s)
        except TooSlow as late:
            self._learn(patience.among_others_s)
            if not among_others:
                raise
            raise BackendError("shed", asked=late.asked) from late
        finally:
            self.under_way -= 1

    def _learn(self, longest_s: float) -> None:
        now = self._clock()
        took, self._since = now - self._since, now
        expected = self.each_s + NEWS * (took - self.each_s) if self.each_s else took
        # However slow it was: two are always tried, or nobody would notice that it is quick again.
        self.each_s = min(expected, longest_s / 2)
