"""What every group of some labs is worth in a position: solved where that is soon done.

The solver is exact, but takes seconds for the groups of five labs early in a market. A table is of
one kind, so that no group looks poor beside another only because it was asked otherwise.
"""

import time
from collections.abc import Sequence
from itertools import combinations
from math import inf

import msgspec

from arena.gpu_market.engine.blocks import hours_left
from arena.gpu_market.engine.planning import plan, plan_value
from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.engine.state import State
from arena.gpu_market.planner import TooLong, group_value

Group = frozenset[str]


class Worths(msgspec.Struct, frozen=True):
    """Worth of every group, in hundredths of a credit; ``exact`` where the solver gave them all."""

    members: tuple[str, ...]
    of: dict[Group, int]
    exact: bool


def worths_of(state: State, members: Sequence[str], until_s: float = inf) -> Worths:
    """Tell what each group of some labs is worth.

    Args:
        state: the position.
        members: ids of the labs.
        until_s: when the solver must have answered, as ``time.monotonic`` tells the time; later
            the quick planner of the engine answers for all groups.
    """
    groups = [
        frozenset(group)
        for size in range(1, len(members) + 1)
        for group in combinations(members, size)
    ]
    try:
        return Worths(
            tuple(members), {group: _solved(state, group, until_s) for group in groups}, exact=True
        )
    except TooLong:
        quick: dict[Group, int] = {}
        for group in groups:
            # The quick planner may do worse with more to choose from: then the parts play alone.
            apart = (quick[part] + quick[group - part] for part in quick if part < group)
            quick[group] = max([_planned(state, group), *apart])
        return Worths(tuple(members), quick, exact=False)


def _solved(state: State, group: Group, until_s: float) -> int:
    left_s = until_s - time.monotonic()
    if left_s <= 0:
        raise TooLong("No time is left.")
    return group_value(state, group, left_s)


def _planned(state: State, group: Group) -> int:
    """What a group makes of its blocks and jobs, by the engine's quick planner."""
    windows = state.scenario.rules.windows
    blocks = [
        block
        for block in state.blocks
        if block.owner in group and hours_left(block, state.round, windows=windows)
    ]
    jobs = [job for member in sorted(group) for job in state.jobs[LAB_NUMBERS[member]]]
    return plan_value(plan(jobs, blocks, state.round, windows=windows))
