"""Which kind of line fits a move."""

from random import Random

from negotiation.engine.moves import Accept, Move, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise
from negotiation.engine.tells import Tells

HARD_PRESSED = 0.45
"""Verbal urgency from which the buyer answers with sympathy, not with pressure."""

BLUFFING = 0.40
"""Deception cue from which the buyer points to the market."""

STALLED = 0.006
"""A seller who came down by less than this share of the ask has not moved."""

NEARLY = 0.06
"""A gap below this share of the ask is worth closing."""

COMPARES_P = 0.30


def strategy_of(observation: BuyerObservation, move: Move, dice: Random) -> str:
    """Name the pool of lines for a guarded move."""
    if isinstance(move, Accept):
        return "accepting"
    if isinstance(move, Walk):
        return "walking"
    if not observation.bids:
        return "opening"
    if observation.rounds_left < 2 or _nearly_there(observation, move.price):
        return "closing"
    if move.price == observation.own_last_bid:
        return "holding"
    return _concession(observation, dice)


def _concession(observation: BuyerObservation, dice: Random) -> str:
    tells = observation.tells or Tells()
    if (tells.verbal_urgency or 0.0) >= HARD_PRESSED:
        return "empathy"
    if (tells.verbal_deception_cue or 0.0) >= BLUFFING:
        return "comparison"
    if observation.last_concession < STALLED * observation.standing_ask:
        return "pressure" if dice.random() > COMPARES_P else "comparison"
    return "concession" if dice.random() > COMPARES_P else "comparison"


def _nearly_there(observation: BuyerObservation, price: Paise) -> bool:
    return observation.standing_ask - price < NEARLY * observation.standing_ask
