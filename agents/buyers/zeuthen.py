"""Concedes when it has more to lose from a breakdown than the seller."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation

OPEN_OF_ASK = 0.55
COST_OF_ASK = 0.5


class Zeuthen(RuleBuyer):
    """Compares both sides' risk limits, with the seller's cost guessed as half the opening ask.

    The side whose limit is lower concedes just enough to turn that round, which is where both
    proposals have the same product of gains: ``(B - p)(p - c) = (B - ask)(ask - c)``, so
    ``p = B + c - ask`` (Harsanyi 1956). While the ask is beyond the budget there is nothing to
    lose, and it waits.
    """

    name = "rules:zeuthen"
    title = "Zeuthen"
    parameters = {"open": OPEN_OF_ASK, "cost": COST_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Concede to equal risk, or wait."""
        ask, budget = observation.standing_ask, observation.budget
        cost = COST_OF_ASK * observation.opening_ask
        opening = OPEN_OF_ASK * observation.opening_ask
        last = observation.own_last_bid
        if last is None or ask > budget:
            return bid(last if last is not None else opening)
        return bid(max(last, budget + cost - ask))
