"""Which policies nobody beats in both: share of closed deals and deal rate."""

from collections.abc import Sequence

import msgspec

from negotiation.statistics import Interval


class Spot(msgspec.Struct, frozen=True):
    """A policy on the chart: deals per winnable bargain and its share of those deals, 0..1."""

    name: str
    deals: Interval
    share: Interval


def frontier(spots: Sequence[Spot]) -> tuple[Spot, ...]:
    """Give the spots that no other beats in one and equals in the other, from left to right.

    >>> one, two = Interval(0.5, 0.4, 0.6), Interval(0.9, 0.8, 1.0)
    >>> [spot.name for spot in frontier([Spot("a", one, one), Spot("b", two, one)])]
    ['b']
    """
    kept = [spot for spot in spots if not any(_beats(other, spot) for other in spots)]
    return tuple(sorted(kept, key=lambda spot: (spot.deals.mean, -spot.share.mean)))


def _beats(one: Spot, other: Spot) -> bool:
    deals, share = one.deals.mean - other.deals.mean, one.share.mean - other.share.mean
    return deals >= 0 and share >= 0 and deals + share > 0
