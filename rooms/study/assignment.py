"""Balanced random assignment: permuted blocks, drawn in advance from a seed. Pure.

The order of arms is a list without end that the seed fixes: blocks of a stated size, each of which
holds every arm equally often in a random order. A participant takes the next place of that list
and keeps it. Filled up to any place, two arms differ by at most block size / number of arms: by
one with the usual block, which holds each arm once.

Source: permuted-block randomisation as in ICH E9, section 2.3.2.
"""

import random
from collections.abc import Sequence


def block_size(arms: int, stated: int) -> int:
    """Return the size of a block: the stated one, or one place for each arm."""
    return stated or arms


def arm_at(slot: int, arms: Sequence[str], stated: int, seed: int, stream: str = "") -> str:
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
    block = list(arms) * (size // len(arms))
    random.Random(f"{seed}:{stream}:{number}").shuffle(block)
    return block[place]
