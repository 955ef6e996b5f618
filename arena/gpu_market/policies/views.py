"""What the policies ask of an observation, in one place."""

from collections.abc import Callable, Sequence

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.blocks import Block, Job, hours_left
from arena.gpu_market.engine.observe import LabSeen, Observation
from arena.gpu_market.engine.planning import Fill, plan

Policy = Callable[[Observation], MarketAction]


def open_jobs(seen: Observation) -> list[Job]:
    """The own jobs that can still be run."""
    return [job for job in seen.jobs if not job.done]


def own_lab(seen: Observation) -> LabSeen:
    """The own lab as everybody sees it."""
    return next(lab for lab in seen.labs if lab.id == seen.lab)


def blocks_named(seen: Observation, names: Sequence[str]) -> list[Block]:
    """Blocks by their ids, in that order; what is not in the view is left out."""
    known = {block.id: block for block in seen.blocks}
    return [known[name] for name in names if name in known]


def usable_blocks(seen: Observation) -> list[Block]:
    """Own blocks that may be given to a job now; what a contract binds is left aside."""
    return [
        block
        for block in seen.own_blocks
        if block.status in ("available", "reserved")
        and not block.terms
        and hours_left(block, seen.round, windows=seen.windows)
    ]


def tradeable_blocks(seen: Observation, owner: str) -> list[Block]:
    """Blocks that a lab could give away now."""
    return [block for block in seen.blocks if block.owner == owner and has_worth(seen, block)]


def has_worth(seen: Observation, block: Block) -> bool:
    """Tell whether a block may change hands and would still deliver something."""
    return block.is_tradeable and hours_left(block, seen.round, windows=seen.windows) > 0


def own_plan(seen: Observation) -> tuple[Fill, ...]:
    """What to do with one's own blocks and nothing else."""
    return plan(open_jobs(seen), usable_blocks(seen), seen.round, windows=seen.windows)


def allocate(fill: Fill) -> MarketAction:
    """Give a job the blocks that were planned for it."""
    names = tuple(block.id for block in fill.blocks)
    return MarketAction("allocate_to_job", job_id=fill.job.id, block_ids=names)


def most_pressing(seen: Observation, fills: tuple[Fill, ...]) -> Fill:
    """Of a plan take first what loses most by waiting a round, then what is worth most."""

    def loses(fill: Fill) -> int:
        return seen.windows and any(block.start <= seen.round for block in fill.blocks)

    return max(fills, key=lambda fill: (loses(fill), fill.net))
