"""What the buyer does when its policy fails: never an error for the seller, never a free game."""

from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import clamp_price

BACKEND = "last-resort"
VERSION = "last-resort@1"

FIRST_BID = 0.5
"""First bid as a part of the standing ask, when the policy has made none."""


def hold(observation: BuyerObservation) -> Move:
    """Repeat the own last bid; without one, open at half the ask or at what the budget allows."""
    bid = observation.own_last_bid
    if bid is not None:
        return Offer(bid, "Let me think. My price stays.")
    half = clamp_price(FIRST_BID * observation.standing_ask, high=observation.budget)
    return Offer(half, "Let me start here.")
