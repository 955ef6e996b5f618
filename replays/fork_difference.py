"""What another move changes on average: paired continuations, and an interval around the mean."""

from collections.abc import Sequence

import msgspec

from negotiation.engine.moves import Move
from negotiation.statistics import DECIMALS, paired_interval
from replays.continuation import Crossroads

PAIRS = 100
"""Paired continuations: both moves meet the same luck, another one in each pair."""


class Difference(msgspec.Struct, frozen=True):
    """The mover's share with the other move minus its share with its own, -1..1.

    ``low`` and ``high`` bound the mean's 95 % bootstrap interval; ``n`` counts pairs; ``side`` is
    whose share it is.
    """

    side: str
    mean: float
    low: float
    high: float
    n: int


def difference(at: Crossroads, move: Move, pairs: int = PAIRS) -> Difference:
    """Compare a legal move with the one that was made.

    Args:
        at: the position.
        move: the other move.
        pairs: how many continuations of each.
    """
    if at.is_made(move):
        return Difference(at.side, 0.0, 0.0, 0.0, pairs)
    luck = range(1, pairs + 1)
    gained = [at.share(move, number) - at.share(at.made, number) for number in luck]
    return summed_up(at.side, gained, at.record.setting.sealed.seed)


def summed_up(side: str, gained: Sequence[float], seed: int) -> Difference:
    """Give mean and interval of paired differences.

    Args:
        side: whose share.
        gained: one difference per pair, at least one.
        seed: of the bootstrap.
    """
    found = paired_interval(gained, seed)
    mean, low, high = (round(one, DECIMALS) for one in (found.mean, found.low, found.high))
    return Difference(side, mean, low, high, len(gained))
