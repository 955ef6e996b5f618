"""The same question small: a handful of blocks, answered in less than a millisecond.

A lab that thinks about a trade asks for the best plan dozens of times in a turn, each time with a
block more or less. So the ways to run a job are listed once, and every question is a search through
those lists: the best first, and no further than what could still be better. Exact like ``model``,
as long as a job is given no more than ``MOST_BLOCKS`` blocks.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from bazaarbatna.market.blocks import LATE_SHARE, Block, Job, hours_left

MOST_BLOCKS = 3
"""The ways of running a job that are listed use at most so many blocks."""

Way = tuple[int, int, int]
"""A way to run a job: what it nets in hundredths of a credit, a bit per block, and the round."""


class Ways:
    """All ways to run some jobs on some blocks.

    Blocks are bits: block ``n`` is ``1 << n``, in the order in which they are given.
    ``until`` names for each block the round from which it can no longer be used.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        blocks: Sequence[Block],
        first: int,
        rounds: int,
        *,
        windows: bool = True,
        until: Sequence[int] | None = None,
    ) -> None:
        """List nothing yet; ``add`` says which blocks may go together."""
        self.jobs = jobs
        self.blocks = blocks
        self.ways: list[list[Way]] = [[] for _ in jobs]
        self._first, self._windows = first, windows
        self._hours = [
            [
                hours_left(block, number, windows=windows)
                if until is None or number < until[place]
                else 0
                for number in range(first, rounds)
            ]
            for place, block in enumerate(blocks)
        ]

    def add(self, chosen: Iterable[tuple[int, ...]]) -> None:
        """List the ways to run each job on exactly these sets of blocks (by their numbers)."""
        for places in chosen:
            hours = [sum(row) for row in zip(*(self._hours[one] for one in places), strict=True)]
            usable = sum(
                all(row) for row in zip(*(self._hours[one] for one in places), strict=True)
            )
            if usable:
                for job, ways in zip(self.jobs, self.ways, strict=True):
                    self._list(job, ways, places, hours[:usable])

    def sort(self) -> None:
        """Put the best ways first, the earlier of equals: every search relies on it."""
        for ways in self.ways:
            ways.sort(key=lambda way: (-way[0], way[2]))

    def _list(self, job: Job, ways: list[Way], places: tuple[int, ...], hours: list[int]) -> None:
        blocks = [self.blocks[place] for place in places]
        need = job.hours
        if (hours[0] < need and not job.partial) or any(
            block.reliability < job.min_reliability for block in blocks
        ):
            return
        end = max(block.end for block in blocks)
        bits = sum(1 << place for place in places)
        for after, got in enumerate(hours):
            if got < need and not job.partial:
                return
            each = [self._hours[place][after] for place in places]
            # With a block too many, the set without it does the same for less.
            if len(places) > 1 and got - min(each) >= need:
                continue
            late = (end if self._windows else self._first + after) > job.deadline
            worth = job.base_value * job.urgency * min(1.0, got / need)
            energy = sum(left * block.energy for left, block in zip(each, blocks, strict=True))
            net = int(worth * (LATE_SHARE if late else 1.0) + 0.5) - energy
            if net > 0:
                ways.append((net, bits, self._first + after))


def sets_of(places: Sequence[int], most: int = MOST_BLOCKS) -> list[tuple[int, ...]]:
    """List all sets of 1 to ``most`` blocks."""
    return [chosen for size in range(1, most + 1) for chosen in combinations(places, size)]


_Chosen = tuple[int, Way]


class Found:
    """The best that a search found: its ``value`` and, by number of the job, the ways chosen."""

    __slots__ = ("chosen", "value")

    def __init__(self) -> None:
        self.value = 0
        self.chosen: tuple[_Chosen, ...] = ()

    @property
    def bits(self) -> int:
        """The blocks that it uses."""
        return sum(way[1] for _, way in self.chosen)


def search(ways: Ways, allowed: int, first: int, *, shared: int = 0, credit: int = 0) -> Found:
    """Find the best plan on the ``allowed`` bits, of the ``shared`` ones at most ``credit``."""
    lists = _lists(ways, allowed, first)
    bound = [0] * (len(lists) + 1)
    for place in range(len(lists) - 1, -1, -1):
        bound[place] = bound[place + 1] + lists[place][1][0][0]
    found = Found()

    def go(place: int, value: int, used: int, turns: int, chosen: tuple[_Chosen, ...]) -> None:
        if value > found.value:
            found.value, found.chosen = value, chosen
        if value + bound[place] <= found.value:
            return
        number, rows = lists[place]
        for way in rows:
            net, bits, round_ = way
            if value + net + bound[place + 1] <= found.value:
                break
            taken = ((used | bits) & shared).bit_count()
            if not (bits & used or turns >> round_ & 1 or taken > credit):
                more = (*chosen, (number, way))
                go(place + 1, value + net, used | bits, turns | 1 << round_, more)
        go(place + 1, value, used, turns, chosen)

    go(0, 0, 0, 0, ())
    return found


def _lists(ways: Ways, allowed: int, first: int) -> list[tuple[int, list[Way]]]:
    lists = []
    for number, rows in enumerate(ways.ways):
        good = [row for row in rows if not row[1] & ~allowed and row[2] >= first]
        if good:
            lists.append((number, good))
    lists.sort(key=lambda one: -one[1][0][0])
    return lists
