"""Which bids are no real bids, and when a seller may take offence."""

from negotiation.engine.observe import SellerObservation

BAD_FAITH = 0.5
"""A bid below this share of the ask that stood then is in bad faith."""

OFFENCES = 3
"""No seller leaves before so many bids in bad faith."""


def bad_faith_bids(observation: SellerObservation) -> int:
    """Count the bids that were below half of the ask they answered."""
    pairs = zip(observation.bids, observation.asks, strict=False)
    return sum(bid < BAD_FAITH * ask for bid, ask in pairs)


def is_lowball(observation: SellerObservation) -> bool:
    """Tell whether the standing bid is in bad faith."""
    bid = observation.standing_bid
    return bid is not None and bid < BAD_FAITH * observation.standing_ask


def may_walk(observation: SellerObservation, after: int = OFFENCES) -> bool:
    """Tell whether the seller has been offended often enough, and is again by this bid."""
    return is_lowball(observation) and bad_faith_bids(observation) >= max(after, OFFENCES)


def buyers_step(observation: SellerObservation) -> int:
    """Give the paise by which the standing bid is above the one before; 0 for a first bid.

    A bid in bad faith counts as half the ask that it answered: who begins with a rupee has not
    come far with a hundred.
    """
    if len(observation.bids) < 2:
        return 0
    asks, bids = observation.asks, observation.bids
    before = max(bids[-2], BAD_FAITH * asks[len(bids) - 2])
    return max(0, round(bids[-1] - before))
