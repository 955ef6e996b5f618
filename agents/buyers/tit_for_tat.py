"""Gives exactly what it gets."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Accept, Move
from negotiation.engine.observe import BuyerObservation

OPEN_OF_ASK = 0.55


class TitForTat(RuleBuyer):
    """Opens at 55 % of the ask and then adds what the seller's last ask came down.

    In the last round it takes any ask within the budget.
    """

    name = "rules:tit-for-tat"
    title = "Tit for tat"
    parameters = {"open": OPEN_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Mirror the seller's last concession."""
        last = observation.own_last_bid
        if last is None:
            return bid(OPEN_OF_ASK * observation.standing_ask)
        if observation.rounds_left == 0:
            return Accept()
        return bid(last + max(observation.last_concession, 0))
