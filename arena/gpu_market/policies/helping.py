"""Which block of another lab would help which own job, and by how much."""

from collections.abc import Sequence

import msgspec

from arena.gpu_market.engine.blocks import Block, Job, hours_left
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.planning import Fill, cheapest_cover
from arena.gpu_market.policies.views import open_jobs, tradeable_blocks


class Help(msgspec.Struct, frozen=True, gc=False):
    """A job, the block that helps it, all blocks it would run on, and the gain of that.

    ``gain`` is in hundredths of a credit, over what the plan without the block brings.
    """

    job: Job
    block: Block
    cover: tuple[Block, ...]
    gain: int


def spare_blocks(seen: Observation, fills: tuple[Fill, ...]) -> list[Block]:
    """Own blocks that the plan leaves over, the smallest first."""
    used = {block.id for fill in fills for block in fill.blocks}
    spare = [one for one in tradeable_blocks(seen, seen.lab) if one.id not in used]
    spare.sort(key=lambda block: hours_left(block, seen.round, windows=seen.windows))
    return spare


def helps(
    seen: Observation,
    fills: tuple[Fill, ...],
    spare: Sequence[Block],
    blocks: Sequence[Block],
    round_: int,
) -> list[Help]:
    """List what each of ``blocks`` could do, with what is spare, had one it in ``round_``."""
    earns = {fill.job.id: fill for fill in fills}
    found = []
    for job in open_jobs(seen):
        has = earns.get(job.id)
        # What finishes whole and in time already needs no help worth a turn.
        if has is not None and has.net > 0.8 * job.value:
            continue
        mine = [*spare, *(has.blocks if has else ())]
        for block in blocks:
            if block.reliability < job.min_reliability:
                continue
            cover = cheapest_cover(job, [*mine, block], round_, windows=seen.windows)
            if cover is None or block not in cover:
                continue
            energy = sum(
                hours_left(one, round_, windows=seen.windows) * one.energy for one in cover
            )
            gain = int(job.value) - energy - (has.net if has else 0)
            found.append(Help(job, block, cover, gain))
    return found
