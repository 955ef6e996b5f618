"""Balanced random assignment: permuted blocks, drawn in advance from a seed. Pure.

The order of arms is a list without end that the seed fixes: blocks of a stated size, each of which
holds every arm equally often in a random order. A participant takes the next place of that list
and keeps it. Filled up to any place, two arms differ by at most block size / number of arms: by
one with the usual block, which holds each arm once.

Within an arm the order of conditions is drawn in the same way, from orders of its own: in a Latin
square each condition has each place equally often, and follows each other one equally often.

Sources: permuted-block randomisation as in ICH E9, section 2.3.2; Williams (1949), Experimental
designs balanced for the estimation of residual effects of treatments, 10.1071/CH9490149.
"""

import itertools
import random
from collections.abc import Sequence
from typing import Literal, TypeVar

Order = Literal["latin", "all", "listed"]
"""In which orders people play conditions: a Latin square in which each follows each equally often,
all there are, or one, as the design has it."""
One = TypeVar("One")


def block_size(arms: int, stated: int) -> int:
    """Return the size of a block: the stated one, or one place for each arm."""
    return stated or arms


def arm_at(slot: int, arms: Sequence[One], stated: int, seed: int, stream: str = "") -> One:
    """Return the arm of a place in the drawn order.

    Args:
        slot: the place, from 0.
        arms: the names of the arms, in the order in which the design has them.
        stated: the size of a block, a multiple of the number of arms; 0 for one of each.
        seed: fixes the order.
        stream: another order of the same seed, e.g. that of a pilot.

    >>> sorted(arm_at(slot, ("a", "b"), 4, seed=7) for slot in range(4))
    ['a', 'a', 'b', 'b']
    """
    size = block_size(len(arms), stated)
    number, place = divmod(slot, size)
    return _block(number, arms, size, seed, stream)[place]


def place_in_arm(slot: int, arms: Sequence[str], stated: int, seed: int, stream: str = "") -> int:
    """Return how many earlier places of the drawn order have the arm of this one."""
    size = block_size(len(arms), stated)
    number, place = divmod(slot, size)
    block = _block(number, arms, size, seed, stream)
    return number * (size // len(arms)) + block[:place].count(block[place])


def orders(names: Sequence[str], order: Order) -> list[tuple[str, ...]]:
    """Return the orders in which conditions are played, each drawn equally often.

    >>> orders(("a", "b"), "latin")
    [('a', 'b'), ('b', 'a')]
    """
    if order == "listed":
        return [tuple(names)]
    if order == "all":
        return list(itertools.permutations(names))
    count = len(names)
    zigzag = [(place + 1) // 2 if place % 2 else -(place // 2) for place in range(count)]
    rows = [tuple(names[(first + step) % count] for step in zigzag) for first in range(count)]
    # Of an odd number, each follows each equally often only with all rows the other way round.
    return rows + [row[::-1] for row in rows] if count % 2 and count > 1 else rows


def _block(number: int, arms: Sequence[One], size: int, seed: int, stream: str) -> list[One]:
    block = list(arms) * (size // len(arms))
    random.Random(f"{seed}:{stream}:{number}").shuffle(block)
    return block
