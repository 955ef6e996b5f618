"""Takes the second price it hears, as an untrained chat model does."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Accept, Move
from negotiation.engine.observe import BuyerObservation

OPEN_OF_ASK = 0.7


class Agreeable(RuleBuyer):
    """Bids 70 % of the ask, then accepts in round two; bids its budget if it cannot."""

    name = "rules:agreeable"
    title = "Agreeable"
    parameters = {"open": OPEN_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Say a price once, then yes."""
        if not observation.bids:
            return bid(OPEN_OF_ASK * observation.standing_ask)
        if observation.standing_ask <= observation.budget:
            return Accept()
        return bid(observation.budget)
