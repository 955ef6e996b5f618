"""What no model, rule or trick may make a seller do. Applied last, after everything else.

1. never accept below the reservation price; 2. a bid at or above it is accepted, by patient sellers
(``pricing``) in the last round at the latest; 3. every counter is at or above it; 4. counters move
toward the buyer, never up. And no early walk.
"""

from agents.guards import words_of
from agents.sellers.faith import may_walk
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import SellerObservation
from negotiation.engine.quantities import Paise
from negotiation.purchases import SUITE


def guard(observation: SellerObservation, move: Move) -> Move:
    """Turn any proposed move into one that keeps the seller's rules.

    A price that is none, an acceptance below the reservation price and a walk without cause become
    "hold": the seller names its standing ask again. The reservation price is the outer ``max``, so
    that no other bound can drag a counter below it.

    Args:
        observation: a live position in which it is the seller's turn.
        move: what the policy wants; anything at all, even what is no move.

    Returns:
        A move that is legal in the position, with the text of ``move`` where the game can carry it.
    """
    ask, bid, reservation = (
        observation.standing_ask,
        observation.standing_bid,
        observation.reservation,
    )
    text = words_of(move)
    wish: object = move.price if isinstance(move, Offer) else ask
    counter = Paise(max(reservation, min(wish if type(wish) is int else ask, ask)))
    if bid is not None and bid >= reservation:
        can_wait = is_patient(observation) and observation.round < observation.max_rounds
        if not can_wait or counter <= bid or isinstance(move, Accept):
            return Accept(text)
        return Offer(counter, text)
    if isinstance(move, Walk) and may_walk(observation):
        return Walk(text)
    return Offer(counter, text)


def is_patient(observation: SellerObservation) -> bool:
    """Tell whether steps are answered by steps here; games of older suites are played as they were.

    Opposite people, a share of the gap in every round sold for the price of three careless bids.
    """
    return observation.suite == SUITE
