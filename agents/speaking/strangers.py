"""Things that have no place in a sale: a lamp is not praised as a guitar."""

import re
from functools import cache

from agents.speaking.speaker import thing_of
from negotiation.catalogue.stock import read_stock
from negotiation.engine.scenario import Item

_WORD = re.compile(r"[a-z]+")
LEAST = 4
"""Letters of a thing's name; shorter ones are too often something else."""


def names_other_goods(text: str, item: Item, said: str) -> bool:
    """Tell whether a line names goods that are not sold here, and that nobody has spoken of.

    Args:
        text: her words.
        item: what is sold.
        said: the seller's words.
    """
    known = f"{item.title} {said}".lower()
    named = _things().intersection(_WORD.findall(text.lower()))
    return any(thing not in known and thing.removesuffix("s") not in known for thing in named)


@cache
def _things() -> frozenset[str]:
    names = (thing_of(one.title).lower() for shelf in read_stock() for one in shelf.listing)
    return frozenset(name for name in names if name.isalpha() and len(name) >= LEAST)
