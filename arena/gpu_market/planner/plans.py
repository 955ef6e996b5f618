"""A plan: which jobs run in which round on which blocks, and what that brings."""

import msgspec

from arena.gpu_market.engine.blocks import Block, Job


class Run(msgspec.Struct, frozen=True, gc=False):
    """One job on its blocks; ``net`` is value less energy in hundredths of a credit.

    ``job`` and ``blocks`` are as they are in ``round``, the round in which the job is to be run.
    """

    lab: int
    round: int
    job: Job
    blocks: tuple[Block, ...]
    net: int


class Plan(msgspec.Struct, frozen=True, gc=False):
    """Runs in order of their rounds; ``value`` adds their nets up, in hundredths of a credit."""

    runs: tuple[Run, ...] = ()
    value: int = 0

    def of(self, lab: int) -> int:
        """Return what one lab's own runs bring, in hundredths of a credit."""
        return sum(run.net for run in self.runs if run.lab == lab)
