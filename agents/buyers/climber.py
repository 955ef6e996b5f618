"""Climbs in a straight line, blind to the seller."""

from typing import ClassVar

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Accept, Move
from negotiation.engine.observe import BuyerObservation

FIRST_OF_ASK, LAST_OF_ASK = 0.5, 0.7


class Climber(RuleBuyer):
    """Bids 50 % of the opening ask and climbs evenly to 70 % in the game's last round.

    Takes an ask that its next bid reaches, and in the last round any ask within the budget.
    Another line is a subclass with its own ``first``, ``last`` and ``parameters``.
    """

    name = "rules:climber"
    title = "Climber"
    first: ClassVar[float] = FIRST_OF_ASK
    last: ClassVar[float] = LAST_OF_ASK
    parameters = {"first": FIRST_OF_ASK, "last": LAST_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Bid what the line says."""
        if observation.rounds_left == 0 and observation.standing_ask <= observation.budget:
            return Accept()
        gone = (observation.round - 1) / max(observation.max_rounds - 1, 1)
        return bid((self.first + gone * (self.last - self.first)) * observation.opening_ask)
