"""The best plan of one lab, found fast: exact, and in far less time than a general solver takes.

A conflict-based search. Each job is first planned as if it were alone, which is a small knapsack.
Where two jobs want the same block, or several too few rounds, every joint plan has to deny that to
one of them: each denial is a branch, in which only that job is planned again. What the jobs make
with so much denied bounds what they can make together; so the first plan without a conflict, the
highest bound first, is the best of all. Same arithmetic and same value as ``model``, to the
hundredth.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations
from math import inf

import msgspec

from bazaarbatna.market.blocks import LATE_SHARE, Job, hours_left
from bazaarbatna.market.planner.model import Ahead, Outlook

MOST_TRIED = 2000
"""Branches after which the search gives up; a world of our tasks takes 6 on average, 109 at most
of 600."""

Supply = tuple[int, int, int]
"""A block that may serve a job: energy in hundredths of a credit, hours up to what the job needs,
and its bit."""

_Live = tuple[int, int, float, int, int]
"""A block in one round: its energy, hours, reliability, end, and bit."""

Bans = tuple[int, int]
"""The bits of the blocks, and of the rounds, that a job is denied."""


class Row(msgspec.Struct, frozen=True, gc=False):
    """A job in one round, with what may serve it, in time or late.

    Attributes:
        bound: no blocks make more of it, in hundredths of a credit.
        round: in which it would be run.
        need: the hours of all of it.
        worths: what it pays for ``need`` hours, and before that for fewer where it may have fewer.
        supplies: the blocks that fit.
    """

    bound: float
    round: int
    need: int
    worths: tuple[int, ...]
    supplies: list[Supply]


class Alone(msgspec.Struct, frozen=True, gc=False):
    """The best of one job by itself: what it nets, on which blocks, in which round."""

    net: int = 0
    blocks: int = 0
    round: int = 0


def best_value(outlook: Outlook) -> int | None:
    """Return one lab's best plan's worth; None where too many jobs are in each other's way."""
    search = _Search(outlook)
    bans: tuple[Bans, ...] = ((0, 0),) * len(search.rows)
    plans = tuple(search.alone(job, (0, 0)) for job in range(len(bans)))
    # Equal bounds leave the heap in the order in which they came: the bans never get compared.
    open_ = [(-sum(one.net for one in plans), 0, bans, plans)]
    known = {bans}
    for _ in range(MOST_TRIED):
        bound, _, bans, plans = heappop(open_)
        denials = search.conflict(plans, bans)
        if not denials:
            return -bound
        for job, blocks, rounds in denials:
            denied = bans[job][0] | blocks, bans[job][1] | rounds
            less = (*bans[:job], denied, *bans[job + 1 :])
            if less not in known:
                known.add(less)
                again = (*plans[:job], search.alone(job, denied), *plans[job + 1 :])
                heappush(open_, (-sum(one.net for one in again), len(known), less, again))
    return None


class _Search:
    """The jobs of a lab by number, and what each can make alone; ``rows`` best bound first."""

    def __init__(self, outlook: Outlook) -> None:
        self.rows = _rows_of(outlook)
        self._known: dict[tuple[int, Bans], Alone] = {}

    def alone(self, job: int, bans: Bans) -> Alone:
        """Find the best of a job that is denied something, and has nobody beside it."""
        found = self._known.get((job, bans))
        if found is None:
            found = self._known[job, bans] = self._plan(job, bans)
        return found

    def conflict(self, plans: Sequence[Alone], bans: Sequence[Bans]) -> list[tuple[int, int, int]]:
        """Find what cannot be done together; empty where all of it can.

        Returns:
            A job, a block's bit and the bits of rounds, several times: every plan of all jobs does
            without these in one of them.
        """
        running = [job for job, plan in enumerate(plans) if plan.net]
        for one, other in combinations(running, 2):
            shared = plans[one].blocks & plans[other].blocks
            if shared:
                block = shared & -shared
                return [(one, block, 0), (other, block, 0)]
        if len({plans[job].round for job in running}) == len(running):
            return []
        could = {job: self._rounds(job, plans[job], bans[job]) for job in running}
        for size in range(2, len(running) + 1):
            for jobs in combinations(running, size):
                rounds = 0
                for job in jobs:
                    rounds |= could[job]
                if rounds.bit_count() < size:
                    return [(job, 0, rounds) for job in jobs]
        # Enough rounds for any of them are enough for all: Hall's theorem.
        return []

    def _plan(self, job: int, bans: Bans) -> Alone:
        best = Alone()
        for row in self.rows[job]:
            if row.bound <= best.net:
                break
            if bans[1] >> row.round & 1:
                continue
            costs, chosen = _cheapest(row, bans[0])
            first = row.need + 1 - len(row.worths)
            for hours, worth in enumerate(row.worths, first):
                if worth - costs[hours] > best.net:
                    best = Alone(int(worth - costs[hours]), chosen[hours], row.round)
        return best

    def _rounds(self, job: int, plan: Alone, bans: Bans) -> int:
        rounds = 0
        for row in self.rows[job]:
            if row.bound >= plan.net and not bans[1] >> row.round & 1:
                serving = [one for one in row.supplies if one[2] & plan.blocks]
                hours = min(sum(one[1] for one in serving), row.need)
                place = hours - row.need + len(row.worths) - 1
                if len(serving) == plan.blocks.bit_count() and place >= 0:
                    net = row.worths[place] - sum(one[0] for one in serving)
                    rounds |= (net == plan.net) << row.round
        return rounds


def _cheapest(row: Row, denied: int) -> tuple[list[float], list[int]]:
    """Return the least energy, and the blocks, for so many hours or more: 0, 1 ... all of them."""
    need, least, whole = row.need, inf, 0
    some = []
    for energy, hours, bit in row.supplies:
        if bit & denied:
            continue
        if hours < need:
            some.append((energy, hours, bit))
        elif energy < least:
            least, whole = energy, bit
    costs: list[float] = [0.0, *[least] * need]
    chosen = [0, *[whole] * need]
    for energy, hours, bit in some:
        if energy < least:
            # From the top down, for each block serves once.
            for got in range(need, 0, -1):
                rest = got - hours if got > hours else 0
                cost = costs[rest] + energy
                if cost < costs[got]:
                    costs[got], chosen[got] = cost, chosen[rest] | bit
    return costs, chosen


def _rows_of(outlook: Outlook) -> list[list[Row]]:
    rows: dict[str, list[Row]] = {}
    bits: dict[str, int] = {}
    for ahead in outlook.rounds:
        (jobs,) = ahead.jobs.values()
        live = _live(ahead, bits, windows=outlook.windows)
        for job in jobs:
            if live and not job.done:
                rows.setdefault(job.id, []).extend(_of_job(job, ahead.round, live))
    kept = [found for found in rows.values() if found]
    for found in kept:
        found.sort(key=lambda row: -row.bound)
    return kept


def _live(ahead: Ahead, bits: dict[str, int], *, windows: bool) -> list[_Live]:
    found = []
    for block in ahead.blocks:
        left = hours_left(block, ahead.round, windows=windows)
        if left:
            end = block.start + block.duration if windows else ahead.round
            bit = bits.setdefault(block.id, 1 << len(bits))
            found.append((left * block.energy, left, block.reliability, end, bit))
    return found


def _of_job(job: Job, round_: int, live: Sequence[_Live]) -> Iterator[Row]:
    need, least, due, value = job.hours, job.min_reliability, job.deadline, job.value
    timely: list[Supply] = []
    late: list[Supply] = []
    for energy, hours, reliability, end, bit in live:
        if reliability >= least and energy < value:
            supply = energy, hours if hours < need else need, bit
            (late if end > due else timely).append(supply)
    if timely:
        yield from _row(round_, need, _worths(job, 1.0), timely)
    if late:
        yield from _row(round_, need, _worths(job, LATE_SHARE), timely + late)


def _row(round_: int, need: int, worths: tuple[int, ...], supplies: list[Supply]) -> Iterator[Row]:
    rate = min([energy / hours for energy, hours, _ in supplies])
    # Fewer hours leave no more: worth and energy both shrink with them. The hundredth on top is
    # for rounding.
    bound = worths[-1] - need * rate + 1
    if bound > 1:
        yield Row(bound, round_, need, worths, supplies)


@lru_cache(maxsize=64)
def _worths(job: Job, share: float) -> tuple[int, ...]:
    # The expression of ``yield_of``, in its order: not a hundredth may be lost in between.
    return tuple(
        int(job.base_value * job.urgency * min(1.0, hours / job.hours) * share + 0.5)
        for hours in range(1 if job.partial else job.hours, job.hours + 1)
    )
