"""Private jobs and what running one on given blocks is worth."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from arena.gpu_market.engine.blocks import Block, hours_left
from arena.gpu_market.engine.quantities import Cents

Note = Literal["paper deadline", "customer incident", "benchmark run"]
LATE_SHARE = 0.35
"""What is left of the value of a job that finishes after its deadline."""


class Job(msgspec.Struct, frozen=True, gc=False):
    """Work that only its own lab knows of.

    Attributes:
        id: for example ``job_0_1``.
        hours: GPU-hours needed.
        deadline: the round by which the last hours must have been delivered.
        base_value: hundredths of a credit.
        urgency: multiplies the value, 1.0 or more.
        min_reliability: no block below this may run it.
        partial: fewer hours than needed earn their share.
        note: what it is for.
        done: it has been run, and closed.
    """

    id: str
    hours: int
    deadline: int
    base_value: Cents
    urgency: float
    min_reliability: float
    partial: bool
    note: Note
    done: bool = False

    @property
    def value(self) -> float:
        """Hundredths of a credit for finishing it whole and in time."""
        return self.base_value * self.urgency


class Yield(msgspec.Struct, frozen=True, gc=False):
    """What a job brings on given blocks; ``value`` and ``energy`` in hundredths of a credit."""

    hours: int
    completion: float
    late: bool
    value: Cents
    energy: Cents

    @property
    def net(self) -> int:
        """Value less energy."""
        return self.value - self.energy


def yield_of(job: Job, blocks: Sequence[Block], round_: int, *, windows: bool) -> Yield:
    """Say what ``job`` would bring if ``blocks`` were given to it in ``round_``.

    A job finishes when the window of its last block closes, and pays the energy of all hours its
    blocks still had, needed or not.

    Args:
        job: an open job.
        blocks: at least one.
        round_: the current round, from 0.
        windows: start and duration count; without, a job finishes at once.
    """
    hours = energy = end = 0
    for block in blocks:
        left = hours_left(block, round_, windows=windows)
        hours += left
        energy += left * block.energy
        end = max(end, block.start + block.duration)
    late = (end if windows else round_) > job.deadline
    completion = min(1.0, hours / job.hours)
    value = job.base_value * job.urgency * completion * (LATE_SHARE if late else 1.0)
    return Yield(hours, completion, late, Cents(int(value + 0.5)), Cents(energy))
