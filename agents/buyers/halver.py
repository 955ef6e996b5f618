"""Halves the gap three times, as people do, and then stands."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Accept, Move
from negotiation.engine.observe import BuyerObservation

OPEN_OF_ASK = 0.6
HALF = 0.5
MOST_MOVES = 3
SMALL_GAP = 0.03


class Halver(RuleBuyer):
    """Opens at 60 % of the ask and goes half the way to the standing ask, at most three times.

    Takes an ask within 3 % of its next bid, and in the last round any ask within the budget.
    """

    name = "rules:halver"
    title = "Halver"
    parameters = {
        "open": OPEN_OF_ASK,
        "half": HALF,
        "most_moves": MOST_MOVES,
        "small_gap": SMALL_GAP,
    }

    def propose(self, observation: BuyerObservation) -> Move:
        """Halve the gap, or stand."""
        ask, last, budget = (
            observation.standing_ask,
            observation.own_last_bid,
            observation.budget,
        )
        if last is None:
            return bid(OPEN_OF_ASK * ask)
        has_moves = len(observation.bids) <= MOST_MOVES
        price = last + HALF * (ask - last) if has_moves else last
        is_close = ask - price <= SMALL_GAP * ask
        if ask <= budget and (is_close or observation.rounds_left == 0):
            return Accept()
        return bid(price)
