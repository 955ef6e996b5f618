"""Plays any legal move: the floor of every table."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Accept, Move, Walk
from negotiation.engine.observe import BuyerObservation

ACCEPT_P = 0.15
WALK_P = 0.03


class RandomBuyer(RuleBuyer):
    """Accepts with 15 %, walks with 3 %, else bids evenly between its last bid and its budget."""

    name = "rules:random"
    title = "Random"
    parameters = {"accept": ACCEPT_P, "walk": WALK_P}

    def propose(self, observation: BuyerObservation) -> Move:
        """Throw the dice."""
        dice = self.dice(observation)
        chance = dice.random()
        if chance < ACCEPT_P:
            return Accept()
        if chance < ACCEPT_P + WALK_P:
            return Walk()
        return bid(dice.uniform(observation.own_last_bid or 0, observation.budget))
