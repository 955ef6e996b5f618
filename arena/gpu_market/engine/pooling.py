"""Coalitions: invite, consent, commit blocks to the pool, take them back."""

import msgspec

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.agreements import LASTS_ROUNDS, Coalition, Pledge
from arena.gpu_market.engine.blocks import Block
from arena.gpu_market.engine.errors import Refused
from arena.gpu_market.engine.events import Answered, CoalitionEnded, Committed, Invited
from arena.gpu_market.engine.quantities import (
    COALITION_IDS,
    COALITION_NUMBERS,
    LAB_IDS,
    LAB_NUMBERS,
    BlockId,
    LabId,
)
from arena.gpu_market.engine.state import Draft, find_lab, find_own, put


def form_coalition(draft: Draft, lab: int, action: MarketAction) -> None:
    """Found a coalition, or invite one more lab into one; the message is its purpose.

    Blocks that are named with it are committed at once.

    Raises:
        Refused: coalitions are off, this lab cannot be invited, or the blocks are not free.
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
    """Consent to be a member, or decline.

    Raises:
        Refused: coalitions are off, or this lab was not asked.
    """
    _check_enabled(draft)
    coalition = find_coalition(draft, action.coalition_id)
    if LAB_IDS[lab] not in coalition.invited:
        raise Refused("not_coalition_member", f"You were not asked into {coalition.id}.")
    answer(draft, lab, coalition.id, consents=consents)


def commit(draft: Draft, lab: int, action: MarketAction) -> None:
    """Put own blocks into the pool.

    Raises:
        Refused: no member, or the blocks are not free.
    """
    _check_enabled(draft)
    coalition = find_coalition(draft, action.coalition_id)
    _check_member(coalition, lab)
    pool(draft, lab, coalition, find_own(draft, LAB_IDS[lab], action.block_ids))


def find_coalition(draft: Draft, name: str) -> Coalition:
    """Look an open coalition up.

    Raises:
        Refused: ``unknown_coalition``.
    """
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
