"""Short names for everything in one position, always seen from the lab that is to act."""

import math
from collections.abc import Iterable
from typing import Self

import msgspec

from arena.gpu_market.dialect.books import Books, hours_of, memberships
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.scenario import HOUSE

MOST_MINE, MOST_THEIRS, MOST_JOBS, MOST_OFFERS, MOST_POOLS, MOST_LABS = 12, 24, 6, 12, 8, 5
"""Names of each kind; what comes after them has none and cannot be spoken of."""


class Names(msgspec.Struct, frozen=True):
    """Ids by short name: ``m0`` own blocks, ``x0`` those of others, ``j0`` jobs, and so on.

    ``l0`` is the house that auctions blocks; ``o0`` is an open
    offer from or to this lab, ``c0`` an open coalition.

    Attributes:
        ids: all of them, by short name.
        blocks: short names by id; so are ``jobs``, ``offers``, ``pools`` and ``labs``, each kind
            by itself, for a lab may have the id of a block.
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
        """Give the short names of those blocks that have one."""
        return [self.blocks[id_] for id_ in blocks if id_ in self.blocks]


def _mine(seen: Observation, sums: Books) -> list[str]:
    planned = [block.id for fill in sums.fills for block in fill.blocks]
    spare = [block.id for block in sums.spare]
    rest = [one for one in seen.own_blocks if hours_of(seen, one)]
    return [*planned, *spare, *(block.id for block in rest)]


def _labs(seen: Observation, sums: Books) -> list[str]:
    """List the house, labs whose blocks would help, then the others in the order of turns."""
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
