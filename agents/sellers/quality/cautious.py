"""Buyers as a bazaar knows them: the same tempers, opening low and climbing slowly."""

from random import Random

from agents.buyers.base import RuleBuyer
from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise

OPENING = (0.33, 0.48)
"""The first bid is at most this share of the ask, drawn for each game."""

PACE = 0.35
"""A later bid goes at most this share of the way to what the buyer would have bid."""


class Cautious:
    """Plays as another buyer would, but never names the good price at once."""

    def __init__(self, buyer: RuleBuyer) -> None:
        self.buyer = buyer

    def act(self, observation: BuyerObservation) -> Move:
        """Hold the other buyer's bid back; its acceptances and walks stand."""
        move = self.buyer.act(observation)
        if not isinstance(move, Offer):
            return move
        last = observation.own_last_bid
        if last is None:
            share = Random(f"opening:{self.buyer.seed}").uniform(*OPENING)
            return Offer(Paise(max(min(move.price, round(share * observation.standing_ask)), 1)))
        return Offer(Paise(last + round(PACE * (move.price - last))))
