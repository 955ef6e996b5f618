"""A position as a small model is told it: what the lab's own books say, and short names.

Sums go over what the lab sees: no guess, no look ahead. Gains are in hundredths of a credit.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Self

import msgspec

from bazaarbatna.market.blocks import Block, Offer, hours_left
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.planning import Fill, plan, plan_value
from bazaarbatna.market.policies.views import (
    Help,
    blocks_named,
    helps,
    memberships,
    open_jobs,
    own_plan,
    spare_blocks,
    tradeable_blocks,
    usable_blocks,
)
from bazaarbatna.market.scenario import HOUSE

MOST_HELP = 6
"""So many blocks of others are shown, those that would help most."""

MOST_MINE, MOST_THEIRS, MOST_JOBS, MOST_OFFERS, MOST_POOLS, MOST_LABS = 12, 24, 6, 12, 8, 5


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


def pooled(seen: Observation) -> list[Block]:
    """List the blocks of others that lie in the own coalitions."""
    mine = {one.id for one in memberships(seen)}
    return [
        block
        for block in seen.blocks
        if block.pool in mine and block.status == "committed" and block.owner != seen.lab
    ]


def _first(seen: Observation, fill: Fill) -> tuple[bool, int]:
    loses = seen.windows and any(block.start <= seen.round for block in fill.blocks)
    return not loses, -fill.net


def _best(found: Sequence[Help]) -> tuple[Help, ...]:
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


class Names(msgspec.Struct, frozen=True):
    """Ids by short name: ``m0`` own blocks, ``x0`` those of others, ``j0`` jobs, and so on.

    ``l0`` is the house that auctions blocks; ``o0`` is an open offer from or to this lab, ``c0`` an
    open coalition.

    ``blocks``, ``jobs``, ``offers``, ``pools`` and ``labs`` are short names by id, each kind by
    itself, for a lab may have the id of a block.
    """

    ids: dict[str, str]
    blocks: dict[str, str]
    jobs: dict[str, str]
    offers: dict[str, str]
    pools: dict[str, str]
    labs: dict[str, str]

    @classmethod
    def of(cls, seen: Observation, sums: Books) -> Self:
        """Name what still counts in a position, what its books put first before the rest.

        So ``j0`` is the job to run first and ``m0`` a block for it, ``o0`` the offer that adds
        most, ``x0`` the block of somebody else that would help most: a small model learns what to
        do long before it learns to copy any name from anywhere.
        """
        labs = _labs(seen, sums)
        planned = [fill.job.id for fill in sums.fills]
        inside = [one.id for one in memberships(seen)]
        kinds = (
            _numbered("m", MOST_MINE, _mine(seen, sums))
            | _numbered("x", MOST_THEIRS, _theirs(seen, sums, labs)),
            _numbered("j", MOST_JOBS, [*planned, *(j.id for j in seen.jobs if not j.done)]),
            _numbered("o", MOST_OFFERS, _offers(seen, sums)),
            _numbered("c", MOST_POOLS, [*inside, *(c.id for c in seen.coalitions if c.open)]),
            _numbered("l", MOST_LABS, labs),
        )
        ids = {short: id_ for kind in kinds for short, id_ in kind.items()}
        return cls(ids, *({id_: short for short, id_ in kind.items()} for kind in kinds))

    def known(self, blocks: Iterable[str]) -> list[str]:
        """Return the short names of those blocks that have one."""
        return [self.blocks[id_] for id_ in blocks if id_ in self.blocks]


def _mine(seen: Observation, sums: Books) -> list[str]:
    planned = [block.id for fill in sums.fills for block in fill.blocks]
    spare = [block.id for block in sums.spare]
    rest = [one for one in seen.own_blocks if hours_of(seen, one)]
    return [*planned, *spare, *(block.id for block in rest)]


def _labs(seen: Observation, sums: Books) -> list[str]:
    order = [lab.id for lab in seen.labs]
    me = order.index(seen.lab)
    turns = [*order[me + 1 :], *order[:me]]
    return list(dict.fromkeys([HOUSE, *(one.block.owner for one in sums.helps), *turns]))


def _theirs(seen: Observation, sums: Books, labs: list[str]) -> list[str]:
    first = [one.block.id for one in (*sums.draws, *sums.helps)]
    rest = [one for one in seen.blocks if one.owner in labs and hours_of(seen, one)]
    rest.sort(key=lambda block: labs.index(block.owner))
    return [*first, *(block.id for block in rest)]


def _offers(seen: Observation, sums: Books) -> list[str]:
    gains = {id_: -math.inf if gain is None else gain for id_, gain in sums.gains.items()}
    best = sorted(gains, key=lambda id_: -gains[id_])
    return [*best, *(one.id for one in seen.offers if one.status == "open")]


def _numbered(letter: str, most: int, ids: Iterable[str]) -> dict[str, str]:
    different = dict.fromkeys(ids)
    return {f"{letter}{place}": id_ for place, id_ in zip(range(most), different, strict=False)}
