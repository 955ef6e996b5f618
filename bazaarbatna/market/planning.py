"""Which blocks for which job: quick answers for scripted labs, policies and rewards.

No optimum: the ceiling of a seed comes from a solver elsewhere.
"""

from collections.abc import Sequence
from itertools import combinations

import msgspec

from bazaarbatna.market.blocks import LATE_SHARE, Block, Job, hours_left

MOST_BLOCKS = 3
"""No plan gives a job more blocks than this."""


class Fill(msgspec.Struct, frozen=True, gc=False):
    """A job and blocks for it; ``net`` in hundredths of a credit."""

    job: Job
    blocks: tuple[Block, ...]
    net: int


def cheapest_cover(
    job: Job, blocks: Sequence[Block], round_: int, *, windows: bool
) -> tuple[Block, ...] | None:
    """Find one or two blocks that finish a job whole and in time for the least energy.

    None when no two of them suffice or the energy eats the value.
    """
    fit = []
    need, last, reliable = job.hours, job.deadline, job.min_reliability
    for block in blocks:
        end = block.start + block.duration
        if block.reliability < reliable or (end > last if windows else round_ > last):
            continue
        left = hours_left(block, round_, windows=windows)
        if left:
            fit.append((left, left * block.energy, block))
    best: tuple[Block, ...] | None = None
    cost = job.base_value * job.urgency
    for hours, energy, block in fit:
        if hours >= need and energy < cost:
            best, cost = (block,), energy
    if best is None:
        for one, other in combinations(fit, 2):
            if one[0] + other[0] >= need and one[1] + other[1] < cost:
                best, cost = (one[2], other[2]), one[1] + other[1]
    return best


def best_fill(job: Job, blocks: Sequence[Block], round_: int, *, windows: bool) -> Fill | None:
    """Find the blocks that make a job worth most, late or partial too; None: nothing pays."""
    # The arithmetic of ``yield_of`` without its values: this is asked for every few blocks.
    fit = []
    for block in blocks:
        left = hours_left(block, round_, windows=windows)
        if left and block.reliability >= job.min_reliability:
            end = block.start + block.duration if windows else round_
            fit.append((left, left * block.energy, end > job.deadline, block))
    need, value, partial = job.hours, job.base_value * job.urgency, job.partial
    best: tuple[tuple[int, int, bool, Block], ...] = ()
    most = 0
    for size in range(1, min(MOST_BLOCKS, len(fit)) + 1):
        for chosen in combinations(fit, size):
            hours = energy = 0
            late = False
            for left, cost, after, _ in chosen:
                hours += left
                energy += cost
                late = late or after
            if hours < need and not partial:
                continue
            worth = value * (hours / need) if hours < need else value
            net = int(worth * (LATE_SHARE if late else 1.0) + 0.5) - energy
            if net > most:
                best, most = chosen, net
    return Fill(job, tuple([row[3] for row in best]), most) if best else None


def plan(
    jobs: Sequence[Job], blocks: Sequence[Block], round_: int, *, windows: bool = True
) -> tuple[Fill, ...]:
    """Return the most valuable fill its blocks, then the next, until nothing pays any more."""
    free = list(blocks)
    fills = [best_fill(job, free, round_, windows=windows) for job in jobs if not job.done]
    open_ = [fill for fill in fills if fill]
    chosen: list[Fill] = []
    while open_:
        best = max(open_, key=lambda fill: fill.net)
        chosen.append(best)
        free = [block for block in free if block not in best.blocks]
        # Only what lost a block to the best one must be thought over.
        again = [
            fill
            if not any(block in best.blocks for block in fill.blocks)
            else best_fill(fill.job, free, round_, windows=windows)
            for fill in open_
            if fill is not best
        ]
        open_ = [fill for fill in again if fill]
    return tuple(chosen)


def plan_value(fills: Sequence[Fill]) -> int:
    """Add up what a plan brings, in hundredths of a credit."""
    return sum(fill.net for fill in fills)
