"""What no proposal, model or steering may break. Applied last, after everything else.

Each guard is a ``max`` or ``min`` with the invariant as the outer call: a ceiling that fell below
the buyer's own last bid cannot drag the bid down with it.
"""

from negotiation.engine.episode import MAX_TEXT
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import MIN_PRICE, Paise


def guard(observation: BuyerObservation, move: Move) -> Move:
    """Turn any proposed move into one that keeps the buyer's promises.

    An ask at or below the own last bid is taken: that price is agreed. Nothing above the budget is
    bid or accepted. A bid never falls. A bid that reaches the ask is an acceptance.

    Args:
        observation: a live position in which it is the buyer's turn.
        move: what the policy wants; anything at all, even what is no move.

    Returns:
        A move that is legal in the position, with the text of ``move`` where the game can carry it.
    """
    ask, last, budget = observation.standing_ask, observation.own_last_bid, observation.budget
    text = words_of(move)
    if last is not None and ask <= last:
        return Accept(text)
    if isinstance(move, Walk):
        return Walk(text)
    if isinstance(move, Accept) and ask <= budget:
        return Accept(text)
    least = last if last is not None else MIN_PRICE
    wish: object = move.price if isinstance(move, Offer) else least
    price = max(least, min(wish if type(wish) is int else least, budget))
    return Accept(text) if price >= ask else Offer(Paise(price), text)


def words_of(proposal: object) -> str:
    """Give the text of a proposal if it has one that the game can carry, else nothing."""
    text = getattr(proposal, "text", "")
    return text if isinstance(text, str) and len(text) <= MAX_TEXT else ""
