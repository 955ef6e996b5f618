"""What no proposal, model or steering may break. Applied last, after everything else.

Each guard is a ``max`` or ``min`` with the invariant as the outer call: a ceiling that fell below
the buyer's own last bid cannot drag the bid down with it.
"""

from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import MIN_PRICE, Paise


def guard(observation: BuyerObservation, move: Move) -> Move:
    """Turn any proposed move into one that keeps the buyer's promises.

    An ask at or below the own last bid is taken: that price is agreed. Nothing above the budget is
    bid or accepted. A bid never falls. A bid that reaches the ask is an acceptance.

    Args:
        observation: a live position in which it is the buyer's turn.
        move: what the policy wants; its price may be any integer, or nonsense.

    Returns:
        A move that is legal in the position, with the text of ``move``.
    """
    ask, last, budget = observation.standing_ask, observation.own_last_bid, observation.budget
    if last is not None and ask <= last:
        return Accept(move.text)
    if isinstance(move, Walk):
        return move
    if isinstance(move, Accept) and ask <= budget:
        return move
    least = last if last is not None else MIN_PRICE
    wish: object = move.price if isinstance(move, Offer) else least
    price = wish if type(wish) is int else least
    price = max(least, min(price, budget))
    if price >= ask:
        return Accept(move.text)
    return Offer(Paise(price), move.text)
