"""Opens low, hardly moves, leaves early."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Accept, Move, Walk
from negotiation.engine.observe import BuyerObservation

OPEN_OF_ASK = 0.55
STEP_OF_ASK = 0.03
MOST_OF_BUDGET = 0.85
GOOD_OF_ASK = 0.72
PATIENCE = 0.6
BEARABLE_OF_ASK = 0.80


class Aggressive(RuleBuyer):
    """Bids 55 % of the opening ask and 3 % more a round, up to 85 % of the budget.

    Takes an ask under 72 % of the opening one. After 60 % of the rounds it leaves a seller who
    still asks more than 80 %.
    """

    name = "rules:aggressive"
    title = "Aggressive"
    parameters = {
        "open": OPEN_OF_ASK,
        "step": STEP_OF_ASK,
        "most": MOST_OF_BUDGET,
        "good": GOOD_OF_ASK,
        "patience": PATIENCE,
        "bearable": BEARABLE_OF_ASK,
    }

    def propose(self, observation: BuyerObservation) -> Move:
        """Bid a little more than before, or leave."""
        anchor, ask = observation.opening_ask, observation.standing_ask
        if observation.bids and ask <= GOOD_OF_ASK * anchor:
            return Accept()
        if observation.round > PATIENCE * observation.max_rounds and ask > BEARABLE_OF_ASK * anchor:
            return Walk()
        share = OPEN_OF_ASK + STEP_OF_ASK * len(observation.bids)
        return bid(min(share * anchor, MOST_OF_BUDGET * observation.budget))
