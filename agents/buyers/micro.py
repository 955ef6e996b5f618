"""The minimal concession strategy: one small step for each new price of the other side."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation

LOW_OF_ASK = 0.5


class Micro(RuleBuyer):
    """Makes a new bid only while it has made no more different ones than the seller.

    The bids are an even ladder from half the opening ask to the budget, one rung a round. De
    Jonge (2022): no model of the opponent, no clock.
    """

    name = "rules:micro"
    title = "MiCRO"
    parameters = {"low": LOW_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Take the next rung, or wait on this one."""
        budget = observation.budget
        low = min(LOW_OF_ASK * observation.opening_ask, budget)
        rung = (budget - low) / observation.max_rounds
        own, theirs = len(set(observation.bids)), len(set(observation.asks))
        rungs = own if own <= theirs else own - 1
        return bid(low + rungs * rung)
