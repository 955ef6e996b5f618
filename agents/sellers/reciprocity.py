"""A step for a step: what the buyer's steps have earned of a seller opposite people.

Faratin, Sierra and Jennings (1998), behaviour-dependent tactics: a concession answers the size of
the other side's, and not that there was one.
"""

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.scenario import PURCHASE
from bazaarbatna.players.guard import BAD_FAITH

ENOUGH = 0.03
"""A step below this share of the gap is none; small ones add up until they are."""


def is_reciprocal(seen: SellerObservation) -> bool:
    """Whether steps are answered by their size here; older games are played as they were."""
    return seen.suite == PURCHASE


def earned(seen: SellerObservation, enough: float = ENOUGH) -> int:
    """Return the buyer's step in paise, small ones added up until they are one; else 0.

    One is at least the share ``enough`` of the gap. What was one has had its answer, so that
    standing still earns nothing later. The first begins at half of the opening ask: below it no bid
    is in good faith.
    """
    base, step = round(BAD_FAITH * seen.asks[0]), 0
    for bid, ask in zip(seen.bids, seen.asks, strict=True):
        base, step = base + step, 0
        if bid - base >= enough * (ask - base):
            step = bid - base
    return step
