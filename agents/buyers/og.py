"""The first Sauda: a fixed schedule of prices and a narrator."""

import msgspec

from agents.buyers.base import RuleBuyer, bid
from agents.coherence import first_coherent
from negotiation.engine.moves import Accept, Move, Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import to_rupees
from negotiation.money import rupees_text

SCHEDULE = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class Og(RuleBuyer):
    """Bids 0.5 to 1.0 of its budget over six turns, whatever the seller does."""

    name = "rules:og"
    title = "OG"
    parameters = {"schedule": SCHEDULE}

    def act(self, observation: BuyerObservation) -> Move:
        """Choose the scheduled price and let the narrator tell it."""
        move = super().act(observation)
        return msgspec.structs.replace(move, text=_narrate(observation, move))

    def propose(self, observation: BuyerObservation) -> Move:
        """Bid the next share of the schedule."""
        turn = min(len(observation.bids), len(SCHEDULE) - 1)
        return bid(SCHEDULE[turn] * observation.budget)


def _narrate(observation: BuyerObservation, move: Move) -> str:
    price = observation.standing_ask if isinstance(move, Accept) else observation.own_last_bid
    if isinstance(move, Offer):
        price = move.price
    amount = rupees_text(to_rupees(price or 0), observation.item.currency)
    verb = "takes" if isinstance(move, Accept) else "offers"
    return first_coherent(
        (f"The buyer {verb} {amount}.", f"The buyer {verb} a price."), observation, move
    )
