"""What the policies ask of an observation, in one place."""

from collections.abc import Callable, Sequence

import msgspec

from bazaarbatna.market.actions import MarketAction
from bazaarbatna.market.blocks import Block, Coalition, Job, hours_left
from bazaarbatna.market.observe import LabSeen, Observation
from bazaarbatna.market.planning import Fill, cheapest_cover, plan

Policy = Callable[[Observation], MarketAction]


def open_jobs(seen: Observation) -> list[Job]:
    """Return the own jobs that can still be run."""
    return [job for job in seen.jobs if not job.done]


def own_lab(seen: Observation) -> LabSeen:
    """Return the own lab as everybody sees it."""
    return next(lab for lab in seen.labs if lab.id == seen.lab)


def blocks_named(seen: Observation, names: Sequence[str]) -> list[Block]:
    """Return blocks by their ids, in that order, without those that are not in view."""
    known = {block.id: block for block in seen.blocks}
    return [known[name] for name in names if name in known]


def usable_blocks(seen: Observation) -> list[Block]:
    """Return own blocks that may be given to a job now; what a contract binds is left aside."""
    return [
        block
        for block in seen.own_blocks
        if block.status in ("available", "reserved")
        and not block.terms
        and hours_left(block, seen.round, windows=seen.windows)
    ]


def tradeable_blocks(seen: Observation, owner: str) -> list[Block]:
    """Return blocks that a lab could give away now."""
    return [block for block in seen.blocks if block.owner == owner and has_worth(seen, block)]


def has_worth(seen: Observation, block: Block) -> bool:
    """Whether a block may change hands and would still deliver something."""
    return block.is_tradeable and hours_left(block, seen.round, windows=seen.windows) > 0


def memberships(seen: Observation) -> list[Coalition]:
    """Return the open coalitions that the own lab belongs to."""
    return [one for one in seen.coalitions if one.open and seen.lab in one.members]


def pool_credit(seen: Observation, coalition: Coalition) -> int:
    """Return how many blocks of others the own lab may still take out of a pool."""
    own = {job.id for job in seen.jobs}
    given = taken = 0
    for block in seen.blocks:
        if block.pool == coalition.id:
            given += block.owner == seen.lab and block.job not in own
            taken += block.owner != seen.lab and block.job in own
    return given - taken


def own_plan(seen: Observation) -> tuple[Fill, ...]:
    """Return what to do with one's own blocks and nothing else."""
    return plan(open_jobs(seen), usable_blocks(seen), seen.round, windows=seen.windows)


def allocate(fill: Fill) -> MarketAction:
    """Return a job the blocks that were planned for it."""
    names = tuple(block.id for block in fill.blocks)
    return MarketAction("allocate_to_job", job_id=fill.job.id, block_ids=names)


def most_pressing(seen: Observation, fills: tuple[Fill, ...]) -> Fill:
    """Return what loses most by waiting a round, then what is worth most."""

    def loses(fill: Fill) -> int:
        return seen.windows and any(block.start <= seen.round for block in fill.blocks)

    return max(fills, key=lambda fill: (loses(fill), fill.net))


class Help(msgspec.Struct, frozen=True, gc=False):
    """A job, the block that helps it, all blocks it would run on, and the gain of that.

    ``gain`` is in hundredths of a credit, over what the plan without the block brings.
    """

    job: Job
    block: Block
    cover: tuple[Block, ...]
    gain: int


def spare_blocks(seen: Observation, fills: tuple[Fill, ...]) -> list[Block]:
    """Return own blocks that the plan leaves over, the smallest first."""
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
    """Return what each of ``blocks`` could do, with what is spare, had one it in ``round_``."""
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
