"""Blocks at work: pooled in coalitions, given to jobs, held back and taken back."""

from collections.abc import Sequence

import msgspec

from bazaarbatna.market.actions import MarketAction
from bazaarbatna.market.blocks import (
    LASTS_ROUNDS,
    Block,
    Coalition,
    Job,
    Pledge,
    hours_left,
    yield_of,
)
from bazaarbatna.market.errors import Refused
from bazaarbatna.market.events import (
    Answered,
    BlocksReleased,
    BlocksReserved,
    CoalitionEnded,
    Committed,
    Invited,
    JobRun,
    PromiseBroken,
)
from bazaarbatna.market.quantities import (
    COALITION_IDS,
    COALITION_NUMBERS,
    LAB_IDS,
    LAB_NUMBERS,
    BlockId,
    LabId,
)
from bazaarbatna.market.state import Draft, find_blocks, find_lab, find_own, put


def form_coalition(draft: Draft, lab: int, action: MarketAction) -> None:
    """Found a coalition, or invite one more lab into one; the message is its purpose.

    Blocks that are named with it are committed at once.
    """
    _check_enabled(draft)
    target = find_lab(draft, action.target_lab_id)
    if target == lab:
        raise Refused("invalid_coalition_target", "A coalition needs another lab.")
    invited = LAB_IDS[target]
    blocks = find_own(draft, LAB_IDS[lab], action.block_ids) if action.block_ids else []
    if action.coalition_id:
        coalition = find_coalition(draft, action.coalition_id)
        _check_member(coalition, lab)
        if invited in (*coalition.members, *coalition.invited):
            raise Refused("invalid_coalition_target", f"{invited} has been asked already.")
    else:
        if len(draft.coalitions) == len(COALITION_IDS):
            raise Refused("invalid_coalition_target", "There are too many coalitions.")
        coalition = _found(draft, lab, action.message)
    store(draft, msgspec.structs.replace(coalition, invited=(*coalition.invited, invited)))
    draft.events.append(Invited(draft.round, coalition.id, LAB_IDS[lab], invited, action.message))
    draft.count(lab, formed=1)
    if blocks:
        pool(draft, lab, draft.coalitions[COALITION_NUMBERS[coalition.id]], blocks)
    if not draft.scenario.rules.consent:
        answer(draft, target, coalition.id, consents=True)


def answer_invitation(draft: Draft, lab: int, action: MarketAction, *, consents: bool) -> None:
    """Consent to be a member, or decline."""
    _check_enabled(draft)
    coalition = find_coalition(draft, action.coalition_id)
    if LAB_IDS[lab] not in coalition.invited:
        raise Refused("not_coalition_member", f"You were not asked into {coalition.id}.")
    answer(draft, lab, coalition.id, consents=consents)


def commit(draft: Draft, lab: int, action: MarketAction) -> None:
    """Put own blocks into the pool."""
    _check_enabled(draft)
    coalition = find_coalition(draft, action.coalition_id)
    _check_member(coalition, lab)
    pool(draft, lab, coalition, find_own(draft, LAB_IDS[lab], action.block_ids))


def find_coalition(draft: Draft, name: str) -> Coalition:
    """Look an open coalition up."""
    number = COALITION_NUMBERS.get(name, len(draft.coalitions))
    if number >= len(draft.coalitions) or not draft.coalitions[number].open:
        raise Refused("unknown_coalition", f"There is no open coalition {name!r}.")
    return draft.coalitions[number]


def answer(draft: Draft, lab: int, name: str, *, consents: bool) -> None:
    """Let an invited lab join or decline, unchecked."""
    coalition = draft.coalitions[COALITION_NUMBERS[name]]
    asked = tuple(one for one in coalition.invited if one != LAB_IDS[lab])
    members = (*coalition.members, LAB_IDS[lab]) if consents else coalition.members
    store(
        draft,
        msgspec.structs.replace(
            coalition, invited=asked, members=members, trust=_mean_trust(draft, members)
        ),
    )
    draft.events.append(Answered(draft.round, name, LAB_IDS[lab], consents))


def pool(draft: Draft, lab: int, coalition: Coalition, blocks: list[Block]) -> None:
    """Commit free blocks of a member, unchecked."""
    for block in blocks:
        put(draft, msgspec.structs.replace(block, status="committed", pool=coalition.id))
    names = tuple(block.id for block in blocks)
    owner = LAB_IDS[lab]
    others = tuple(pledge for pledge in coalition.pledges if pledge.lab != owner)
    mine = Pledge(owner, (*coalition.pledged(owner), *names))
    store(draft, msgspec.structs.replace(coalition, pledges=(*others, mine)))
    draft.events.append(Committed(draft.round, coalition.id, owner, names))
    draft.count(lab, pooled=1)


def withdraw(draft: Draft, coalition: Coalition, owner: LabId, names: set[BlockId]) -> None:
    """Strike blocks from the pledge of their owner."""
    kept = tuple(name for name in coalition.pledged(owner) if name not in names)
    others = tuple(pledge for pledge in coalition.pledges if pledge.lab != owner)
    pledges = (*others, Pledge(owner, kept)) if kept else others
    store(draft, msgspec.structs.replace(coalition, pledges=pledges, breach="breached"))


def credit(draft: Draft, coalition: Coalition, lab: LabId) -> int:
    """Count the blocks of others that a member may still use: one for each it leaves to them."""
    prefix = f"job_{LAB_NUMBERS[lab]}_"
    given = 0
    for block in draft.blocks:
        if block.pool == coalition.id:
            # What its owner used itself was no gift; what it took from others is to be matched.
            mine, by_me = block.owner == lab, block.job.startswith(prefix)
            given += (mine and not by_me) - (by_me and not mine)
    return given


def end_coalition(draft: Draft, coalition: Coalition) -> None:
    """Close an expired coalition and give unused blocks back to their owners' hands."""
    for block in draft.blocks:
        if block.pool == coalition.id and block.status == "committed":
            put(draft, msgspec.structs.replace(block, status="available", pool=""))
    store(draft, msgspec.structs.replace(coalition, open=False, invited=()))
    draft.events.append(CoalitionEnded(draft.round, coalition.id, coalition.breach))


def store(draft: Draft, coalition: Coalition) -> None:
    """Put a changed coalition in its place."""
    draft.coalitions[COALITION_NUMBERS[coalition.id]] = coalition


def _found(draft: Draft, lab: int, purpose: str) -> Coalition:
    coalition = Coalition(
        COALITION_IDS[len(draft.coalitions)],
        LAB_IDS[lab],
        (LAB_IDS[lab],),
        (),
        purpose,
        (),
        draft.reputations[lab],
        draft.round,
        draft.round + LASTS_ROUNDS,
    )
    draft.coalitions.append(coalition)
    return coalition


def _mean_trust(draft: Draft, members: tuple[LabId, ...]) -> float:
    return round(sum(draft.reputations[LAB_NUMBERS[one]] for one in members) / len(members), 3)


def _check_enabled(draft: Draft) -> None:
    if not draft.scenario.coalitions:
        raise Refused("coalitions_disabled", "This task has no coalitions.")


def _check_member(coalition: Coalition, lab: int) -> None:
    if LAB_IDS[lab] not in coalition.members:
        raise Refused("not_coalition_member", f"You are no member of {coalition.id}.")


TRUST_OF_BREACH = -0.12


def allocate(draft: Draft, lab: int, action: MarketAction) -> None:
    """Run a job on own blocks, and on those that a coalition lets the lab use."""
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
    """Take own blocks out of the market."""
    blocks = find_own(draft, LAB_IDS[lab], action.block_ids)
    for block in blocks:
        put(draft, msgspec.structs.replace(block, status="reserved"))
    draft.events.append(BlocksReserved(LAB_IDS[lab], draft.round, action.block_ids))


def release(draft: Draft, lab: int, action: MarketAction) -> None:
    """Make own blocks available again; taking one out of a pool breaks a promise."""
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
