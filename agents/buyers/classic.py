"""The older rule buyers: sensible, the first Sauda, and a hard one."""

import msgspec

from agents.output_guard.coherence import first_coherent
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.money import rupees_text
from bazaarbatna.players.base import RuleBuyer, bid
from bazaarbatna.players.simple import Scheduled

SMART_OPEN_OF_ASK = 0.65
HALFWAY = 0.5
SMART_MOST_OF_BUDGET = 0.92
SMART_SMALL_GAP = 0.03


class Smart(RuleBuyer):
    """Opens at 65 % of the ask (or of the budget) and then meets the seller halfway.

    Bids at most 92 % of the budget before the last round; takes an ask that is within 3 % of its
    next bid, and in the last round any ask within the budget.
    """

    name = "rules:smart"
    title = "Smart heuristic"
    parameters = {
        "open": SMART_OPEN_OF_ASK,
        "halfway": HALFWAY,
        "most": SMART_MOST_OF_BUDGET,
        "small_gap": SMART_SMALL_GAP,
    }

    def propose(self, observation: BuyerObservation) -> Move:
        """Meet halfway, below the own budget."""
        seen = observation
        ask, last, budget = seen.standing_ask, seen.own_last_bid, seen.budget
        if last is None:
            return bid(SMART_OPEN_OF_ASK * min(ask, budget))
        price = min(last + HALFWAY * (ask - last), SMART_MOST_OF_BUDGET * budget)
        close = ask - price <= SMART_SMALL_GAP * ask
        if ask <= budget and (close or observation.rounds_left == 0):
            return Accept()
        return bid(price)


class Og(Scheduled):
    """Tells the scheduled bids in a narrator's words."""

    name = "rules:og"
    title = "OG"

    def act(self, observation: BuyerObservation) -> Move:
        """Choose the scheduled price and let the narrator tell it."""
        move = super().act(observation)
        return msgspec.structs.replace(move, text=_narrate(observation, move))


def _narrate(observation: BuyerObservation, move: Move) -> str:
    price = observation.standing_ask if isinstance(move, Accept) else observation.own_last_bid
    if isinstance(move, Offer):
        price = move.price
    amount = rupees_text(to_rupees(price or 0), observation.item.currency)
    verb = "takes" if isinstance(move, Accept) else "offers"
    return first_coherent(
        (f"The buyer {verb} {amount}.", f"The buyer {verb} a price."), observation, move
    )


AGGRESSIVE_OPEN_OF_ASK = 0.55
STEP_OF_ASK = 0.03
AGGRESSIVE_MOST_OF_BUDGET = 0.85
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
        "open": AGGRESSIVE_OPEN_OF_ASK,
        "step": STEP_OF_ASK,
        "most": AGGRESSIVE_MOST_OF_BUDGET,
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
        share = AGGRESSIVE_OPEN_OF_ASK + STEP_OF_ASK * len(observation.bids)
        return bid(min(share * anchor, AGGRESSIVE_MOST_OF_BUDGET * observation.budget))
