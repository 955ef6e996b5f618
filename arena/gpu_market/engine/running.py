"""Giving blocks to jobs, holding them back, and taking them back from a pool."""

from collections.abc import Sequence

import msgspec

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.blocks import Block, Job, hours_left, yield_of
from arena.gpu_market.engine.errors import Refused
from arena.gpu_market.engine.events import (
    BlocksReleased,
    BlocksReserved,
    JobRun,
    PromiseBroken,
)
from arena.gpu_market.engine.pooling import credit, withdraw
from arena.gpu_market.engine.quantities import COALITION_NUMBERS, LAB_IDS, BlockId
from arena.gpu_market.engine.state import Draft, find_blocks, find_own, put

TRUST_OF_BREACH = -0.12


def allocate(draft: Draft, lab: int, action: MarketAction) -> None:
    """Run a job on own blocks, and on those that a coalition lets the lab use.

    Raises:
        Refused: the job is not open, a block is not the lab's to use, or they do not suffice.
    """
    job = _find_job(draft, lab, action.job_id)
    if not action.block_ids:
        raise Refused("empty_block_list", "Name at least one block.")
    blocks = find_blocks(draft, action.block_ids)
    _check_usable(draft, lab, blocks)
    _check_agreed(draft, lab, job, blocks)
    for block in blocks:
        if block.reliability < job.min_reliability:
            raise Refused(
                "low_reliability", f"{job.id} needs {job.min_reliability}, not {block.reliability}."
            )
    hours = sum(hours_left(block, draft.round, windows=draft.windows) for block in blocks)
    if hours < job.hours and not job.partial:
        raise Refused("insufficient_capacity", f"{job.id} needs {job.hours} hours, not {hours}.")
    run_job(draft, lab, job, blocks)


def run_job(draft: Draft, lab: int, job: Job, blocks: list[Block]) -> None:
    """Run a job, unchecked: its blocks are used up and it is closed."""
    earned = yield_of(job, blocks, draft.round, windows=draft.windows)
    for block in blocks:
        put(draft, msgspec.structs.replace(block, status="used", job=job.id))
    draft.jobs[lab] = tuple(
        msgspec.structs.replace(one, done=True) if one.id == job.id else one
        for one in draft.jobs[lab]
    )
    draft.count(lab, value=earned.value, energy=earned.energy, finished=1)
    draft.events.append(
        JobRun(
            LAB_IDS[lab],
            draft.round,
            job.id,
            tuple(block.id for block in blocks),
            earned.hours,
            earned.completion,
            earned.late,
            earned.value,
            earned.energy,
        )
    )


def reserve(draft: Draft, lab: int, action: MarketAction) -> None:
    """Take own blocks out of the market.

    Raises:
        Refused: a block is not free.
    """
    blocks = find_own(draft, LAB_IDS[lab], action.block_ids)
    for block in blocks:
        put(draft, msgspec.structs.replace(block, status="reserved"))
    draft.events.append(BlocksReserved(LAB_IDS[lab], draft.round, action.block_ids))


def release(draft: Draft, lab: int, action: MarketAction) -> None:
    """Make own blocks available again; taking one out of a pool breaks a promise.

    Raises:
        Refused: a block is neither reserved nor committed by this lab.
    """
    if not action.block_ids:
        raise Refused("empty_block_list", "Name at least one block.")
    blocks = find_blocks(draft, action.block_ids)
    for block in blocks:
        if block.owner != LAB_IDS[lab]:
            raise Refused("unowned_block", f"{block.id} does not belong to you.")
        if block.status not in ("reserved", "committed"):
            raise Refused("unavailable_block", f"{block.id} is {block.status}.")
    free(draft, lab, blocks)


def free(draft: Draft, lab: int, blocks: list[Block]) -> None:
    """Make blocks available again, unchecked."""
    broken: dict[str, set[BlockId]] = {}
    for block in blocks:
        if block.pool:
            broken.setdefault(block.pool, set()).add(block.id)
        put(draft, msgspec.structs.replace(block, status="available", pool=""))
    names = tuple(block.id for block in blocks)
    draft.events.append(BlocksReleased(LAB_IDS[lab], draft.round, names))
    for name, taken in broken.items():
        withdraw(draft, draft.coalitions[COALITION_NUMBERS[name]], LAB_IDS[lab], taken)
        break_promise(draft, lab, tuple(sorted(taken)), name)


def keeps_agreements(draft: Draft, lab: int, job: Job, blocks: Sequence[Block]) -> bool:
    """Whether a lab may run a job on own blocks by the contracts they came with."""
    try:
        _check_agreed(draft, lab, job, blocks)
    except Refused:
        return False
    return True


def break_promise(draft: Draft, lab: int, blocks: tuple[BlockId, ...], coalition: str = "") -> None:
    """Record that a lab did not do what it had agreed to."""
    draft.trust(lab, TRUST_OF_BREACH)
    draft.count(lab, breaches=1)
    draft.events.append(PromiseBroken(LAB_IDS[lab], draft.round, blocks, coalition))


def _find_job(draft: Draft, lab: int, name: str) -> Job:
    for job in draft.jobs[lab]:
        if job.id == name:
            if job.done:
                raise Refused("job_completed", f"{name} has been run.")
            return job
    raise Refused("unknown_job", f"You have no job {name!r}.")


def overdrawn(draft: Draft, lab: int, blocks: Sequence[Block]) -> Block | None:
    """Name a block that a lab may not take out of a pool, for it would leave too few to others.

    What it pooled itself counts as well: used by its owner it is no gift any more.
    """
    taken: dict[str, list[Block]] = {}
    for block in blocks:
        if block.pool:
            taken.setdefault(block.pool, []).append(block)
    for name, row in taken.items():
        left = credit(draft, draft.coalitions[COALITION_NUMBERS[name]], LAB_IDS[lab])
        if len(row) > left:
            return row[0]
    return None


def _check_usable(draft: Draft, lab: int, blocks: list[Block]) -> None:
    owner = LAB_IDS[lab]
    for block in blocks:
        if block.status == "used":
            raise Refused("duplicate_allocation", f"{block.id} has run another job.")
        if not hours_left(block, draft.round, windows=draft.windows):
            raise Refused("unavailable_block", f"The window of {block.id} has closed.")
        if block.owner == owner:
            continue
        if not block.pool or not draft.scenario.rules.pooling:
            raise Refused("unowned_block", f"{block.id} does not belong to you.")
        if owner not in draft.coalitions[COALITION_NUMBERS[block.pool]].members:
            raise Refused("not_coalition_member", f"{block.pool} pools that block, without you.")
    if not draft.scenario.rules.pooling:
        return
    missing = overdrawn(draft, lab, blocks)
    if missing is not None:
        raise Refused(
            "unavailable_block" if missing.owner == owner else "unowned_block",
            "Leave a block in the pool for each that you take out of it: commit one more.",
        )


def _check_agreed(draft: Draft, lab: int, job: Job, blocks: Sequence[Block]) -> None:
    """What was agreed when a block was traded still binds."""
    for block in blocks:
        if not block.terms or block.owner != LAB_IDS[lab]:
            continue
        if "coalition_only" in block.terms and not block.pool:
            raise Refused("unavailable_block", f"You agreed to use {block.id} in a coalition only.")
        first = min(one.deadline for one in draft.jobs[lab] if not one.done)
        if "deadline_priority" in block.terms and job.deadline > first:
            raise Refused(
                "unavailable_block", f"You agreed to give {block.id} to your most urgent job."
            )
