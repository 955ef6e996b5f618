"""Splits the difference, always."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Accept, Move
from negotiation.engine.observe import BuyerObservation

SMALL_GAP = 0.02


class Split(RuleBuyer):
    """Bids the middle of the two standing prices, beginning with half the ask.

    Naive: a seller who never moves gets its price. Takes an ask within 2 % of its next bid.
    """

    name = "rules:split"
    title = "Split the difference"
    parameters = {"small_gap": SMALL_GAP}

    def propose(self, observation: BuyerObservation) -> Move:
        """Bid the middle."""
        ask = observation.standing_ask
        price = ((observation.own_last_bid or 0) + ask) / 2
        return Accept() if ask - price <= SMALL_GAP * ask else bid(price)
