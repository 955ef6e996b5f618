"""The sensible baseline: a fair opening, then halfway, then an end."""

from agents.buyers.base import RuleBuyer, bid
from negotiation.engine.moves import Accept, Move
from negotiation.engine.observe import BuyerObservation

OPEN_OF_ASK = 0.65
HALFWAY = 0.5
MOST_OF_BUDGET = 0.92
SMALL_GAP = 0.03


class Smart(RuleBuyer):
    """Opens at 65 % of the ask (or of the budget) and then meets the seller halfway.

    Bids at most 92 % of the budget before the last round; takes an ask that is within 3 % of its
    next bid, and in the last round any ask within the budget.
    """

    name = "rules:smart"
    title = "Smart heuristic"
    parameters = {
        "open": OPEN_OF_ASK,
        "halfway": HALFWAY,
        "most": MOST_OF_BUDGET,
        "small_gap": SMALL_GAP,
    }

    def propose(self, observation: BuyerObservation) -> Move:
        """Meet halfway, below the own budget."""
        ask, last, budget = (
            observation.standing_ask,
            observation.own_last_bid,
            observation.budget,
        )
        if last is None:
            return bid(OPEN_OF_ASK * min(ask, budget))
        price = min(last + HALFWAY * (ask - last), MOST_OF_BUDGET * budget)
        close = ask - price <= SMALL_GAP * ask
        if ask <= budget and (close or observation.rounds_left == 0):
            return Accept()
        return bid(price)
