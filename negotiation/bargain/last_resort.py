"""What the house does when its policy fails: never an error for the person, never a free game."""

from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import BuyerObservation, SellerObservation
from negotiation.engine.quantities import clamp_price

BACKEND = "last-resort"
VERSION = "last-resort@1"

FIRST_BID = 0.5
"""First bid as a part of the standing ask, when the policy has made none."""


def hold(observation: BuyerObservation | SellerObservation) -> Move:
    """Repeat the own last price; a buyer without one opens at half the ask, budget permitting."""
    if isinstance(observation, SellerObservation):
        return Offer(observation.standing_ask, "Let me think. My price stays.")
    bid = observation.own_last_bid
    if bid is not None:
        return Offer(bid, "Let me think. My price stays.")
    half = clamp_price(FIRST_BID * observation.standing_ask, high=observation.budget)
    return Offer(half, "Let me start here.")
