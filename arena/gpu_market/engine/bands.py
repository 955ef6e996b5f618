"""What everybody may know of private numbers: low, medium or high."""

from collections.abc import Sequence
from typing import Literal

from arena.gpu_market.engine.blocks import Block, hours_left
from arena.gpu_market.engine.jobs import Job
from arena.gpu_market.engine.quantities import Cents

Band = Literal["low", "medium", "high"]

BUDGET_BANDS = (6000, 11500)
"""Budgets from here on are medium and high, in hundredths of a credit."""
DEMAND_BANDS = (0.7, 1.4)
"""Open need over own live supply."""
PRESSURE_BANDS = (0.8, 1.5)
"""Open need of all labs over all live supply."""


def budget_band(budget: Cents) -> Band:
    """Name a budget's band.

    >>> budget_band(Cents(11499))
    'medium'
    """
    low, high = BUDGET_BANDS
    return "low" if budget < low else "medium" if budget < high else "high"


def ratio_band(need: int, supply: int, bounds: tuple[float, float]) -> Band:
    """Name the band of need over supply, both in GPU-hours; need without supply is high.

    >>> ratio_band(7, 10, DEMAND_BANDS)
    'medium'
    """
    if not need:
        return "low"
    low, high = bounds
    return "low" if need < low * supply else "medium" if need < high * supply else "high"


def open_need(jobs: Sequence[Job]) -> int:
    """Add up the GPU-hours of open jobs."""
    return sum([job.hours for job in jobs if not job.done])


def live_supply(
    blocks: Sequence[Block], labs: Sequence[str], round_: int, *, windows: bool
) -> list[int]:
    """Add up the GPU-hours that each lab's blocks can still deliver: one number per lab."""
    hours = dict.fromkeys(labs, 0)
    for block in blocks:
        if block.owner in hours:
            hours[block.owner] += hours_left(block, round_, windows=windows)
    return list(hours.values())
