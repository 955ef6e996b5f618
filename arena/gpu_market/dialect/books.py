"""What a lab's own books say of a position: sums over what it sees, no guess and no look ahead.

Gains are in hundredths of a credit.
"""

from collections.abc import Sequence

import msgspec

from arena.gpu_market.engine.agreements import Coalition, Offer
from arena.gpu_market.engine.blocks import Block, hours_left
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.planning import Fill, plan, plan_value
from arena.gpu_market.policies.helping import Help, helps, spare_blocks
from arena.gpu_market.policies.views import (
    blocks_named,
    open_jobs,
    own_plan,
    tradeable_blocks,
    usable_blocks,
)

MOST_HELP = 6
"""So many blocks of others are shown, those that would help most."""


class Books(msgspec.Struct, frozen=True):
    """The sums of a position.

    Attributes:
        fills: what the own blocks could do for the own jobs; first what loses hours by waiting,
            then what is worth most.
        spare: own blocks that this leaves over and that may be given away, the smallest first.
        helps: blocks of others that would help a job in the next round, the best first.
        draws: the same for pooled blocks that may be used now.
        gains: what each open offer to this lab would change, its payment counted; None for one
            that can no longer be kept.
    """

    fills: tuple[Fill, ...]
    spare: tuple[Block, ...]
    helps: tuple[Help, ...]
    draws: tuple[Help, ...]
    gains: dict[str, int | None]


def books(seen: Observation) -> Books:
    """Sum a position up."""
    fills = tuple(sorted(own_plan(seen), key=lambda fill: _first(seen, fill)))
    spare = spare_blocks(seen, fills)
    others = [lab.id for lab in seen.labs if lab.id != seen.lab and not lab.finished]
    free = [block for lab in others for block in tradeable_blocks(seen, lab)]
    worth = plan_value(fills)
    return Books(
        fills,
        tuple(spare),
        _best(helps(seen, fills, spare, free, seen.round + 1))
        if seen.round + 1 < seen.rounds
        else (),
        _best(helps(seen, fills, spare, pooled(seen), seen.round)),
        {offer.id: _gain(seen, offer, worth) for offer in seen.offers_to_me},
    )


def memberships(seen: Observation) -> list[Coalition]:
    """List the open coalitions that this lab belongs to."""
    return [one for one in seen.coalitions if one.open and seen.lab in one.members]


def pooled(seen: Observation) -> list[Block]:
    """List the blocks of others that lie in the own coalitions."""
    mine = {one.id for one in memberships(seen)}
    return [
        block
        for block in seen.blocks
        if block.pool in mine and block.status == "committed" and block.owner != seen.lab
    ]


def credit(seen: Observation, coalition: Coalition) -> int:
    """Count the blocks of others that this lab may still take out of a pool."""
    own = {job.id for job in seen.jobs}
    given = taken = 0
    for block in seen.blocks:
        if block.pool == coalition.id:
            given += block.owner == seen.lab and block.job not in own
            taken += block.owner != seen.lab and block.job in own
    return given - taken


def _first(seen: Observation, fill: Fill) -> tuple[bool, int]:
    loses = seen.windows and any(block.start <= seen.round for block in fill.blocks)
    return not loses, -fill.net


def _best(found: Sequence[Help]) -> tuple[Help, ...]:
    """Keep the best of each block and job; of equal ones the first."""
    good = [one for one in found if one.gain > 0]
    return tuple(sorted(good, key=lambda one: -one.gain)[:MOST_HELP])


def _gain(seen: Observation, offer: Offer, worth: int) -> int | None:
    mine = {block.id for block in tradeable_blocks(seen, seen.lab)}
    theirs = {block.id for block in tradeable_blocks(seen, offer.sender)}
    if not (mine.issuperset(offer.requested) and theirs.issuperset(offer.offered)):
        return None
    coming = blocks_named(seen, offer.offered)
    stays = [block for block in usable_blocks(seen) if block.id not in offer.requested]
    fills = plan(open_jobs(seen), [*stays, *coming], seen.round, windows=seen.windows)
    return plan_value(fills) - worth + offer.payment


def hours_of(seen: Observation, block: Block) -> int:
    """Count the GPU-hours a block still has."""
    return hours_left(block, seen.round, windows=seen.windows)
