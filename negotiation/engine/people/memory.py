"""What a seller remembers of a game, read off the prices named so far."""

import itertools
from collections.abc import Sequence

import msgspec

PROGRESS = 0.005
"""A buyer who comes up by less than this share of the opening ask has stood still."""


class Memory(msgspec.Struct, frozen=True, gc=False):
    """The past of a game as a seller sees it when a bid is on the table.

    Attributes:
        named: prices the seller named after the opening ask (asks that came down).
        stalled: rounds in a row, this one included, in which the buyer stood still.
        insults: bids so far, this one included, that were insults.
        step: how far the buyer came up this round, as a share of the opening ask; 0 for the first.
    """

    named: int
    stalled: int
    insults: int
    step: float


def remember(asks: Sequence[int], bids: Sequence[int], insult: float) -> Memory:
    """Sum the past up.

    Args:
        asks: of the seller in paise, beginning with the opening ask.
        bids: of the buyer in paise, the standing one last.
        insult: bids below this share of the opening ask are insults.
    """
    anchor = asks[0]
    named = sum(after < before for before, after in itertools.pairwise(asks))
    stalled = 0
    for before, after in itertools.pairwise(bids):
        stalled = 0 if after - before >= PROGRESS * anchor else stalled + 1
    insults = sum(bid < insult * anchor for bid in bids)
    step = (bids[-1] - bids[-2]) / anchor if len(bids) > 1 else 0.0
    return Memory(named, stalled, insults, max(step, 0.0))
