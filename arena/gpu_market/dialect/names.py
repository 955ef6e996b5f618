"""Short names for everything in one position, always seen from the lab that is to act."""

from collections.abc import Iterable
from typing import Self

import msgspec

from arena.gpu_market.engine.blocks import Block, hours_left
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.quantities import BLOCK_NUMBERS, LAB_NUMBERS
from arena.gpu_market.engine.scenario import HOUSE

MOST_MINE, MOST_THEIRS, MOST_JOBS, MOST_OFFERS, MOST_POOLS, MOST_LABS = 12, 24, 6, 12, 8, 5
"""Names of each kind; what comes after them has none and cannot be spoken of."""


class Names(msgspec.Struct, frozen=True):
    """Ids by short name: ``m0`` own blocks, ``x0`` those of others, ``j0`` jobs, and so on.

    ``l0`` is the house that auctions blocks, ``l1`` the lab that acts next; ``o0`` is an open
    offer from or to this lab, ``c0`` an open coalition.
    """

    ids: dict[str, str]
    shorts: dict[str, str]

    @classmethod
    def of(cls, seen: Observation) -> Self:
        """Name what still counts in a position: blocks with hours left, what is open."""
        live = [one for one in seen.blocks if hours_left(one, seen.round, windows=seen.windows)]
        mine = sorted(
            (one for one in live if one.owner == seen.lab),
            key=lambda one: (hours_left(one, seen.round, windows=seen.windows), _number(one)),
        )
        labs = _others(seen)
        theirs = sorted(
            (one for one in live if one.owner in labs),
            key=lambda one: (labs.index(one.owner), _number(one)),
        )
        ids = _numbered("m", MOST_MINE, (one.id for one in mine))
        ids |= _numbered("x", MOST_THEIRS, (one.id for one in theirs))
        ids |= _numbered("j", MOST_JOBS, (one.id for one in seen.jobs if not one.done))
        ids |= _numbered("o", MOST_OFFERS, (one.id for one in seen.offers if one.status == "open"))
        ids |= _numbered("c", MOST_POOLS, (one.id for one in seen.coalitions if one.open))
        ids |= _numbered("l", MOST_LABS, labs)
        return cls(ids, {id_: short for short, id_ in ids.items()})

    def known(self, ids: Iterable[str]) -> list[str]:
        """Give the short names of those that have one."""
        return [self.shorts[id_] for id_ in ids if id_ in self.shorts]


def _number(block: Block) -> int:
    return BLOCK_NUMBERS[block.id]


def _others(seen: Observation) -> list[str]:
    """List the house, then the other labs in the order in which they act after this one."""
    count, me = len(seen.labs), LAB_NUMBERS[seen.lab]
    return [HOUSE, *(seen.labs[(me + step) % count].id for step in range(1, count))]


def _numbered(letter: str, most: int, ids: Iterable[str]) -> dict[str, str]:
    return {f"{letter}{place}": id_ for place, id_ in zip(range(most), ids, strict=False)}
