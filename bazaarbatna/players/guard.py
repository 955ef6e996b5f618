"""What no proposal, model or steering may make a side do. Applied last, after everything else.

Each guard is a ``max`` or ``min`` with the invariant as the outer call: a ceiling that fell below
the buyer's own last bid cannot drag the bid down with it.
"""

from bazaarbatna.bargain.episode import MAX_TEXT
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, Observation, SellerObservation
from bazaarbatna.bargain.quantities import MIN_PRICE, Paise
from bazaarbatna.bargain.scenario import PURCHASE, SECOND_PURCHASE

BAD_FAITH = 0.5
"""A bid below this share of the ask that stood then is in bad faith."""

OFFENCES = 3
"""So many bids in bad faith, and this one too, and the seller may leave."""


def guard(seen: Observation, move: Move) -> Move:
    """Turn any proposed move into a legal one that keeps the promises of its side."""
    if isinstance(seen, SellerObservation):
        return _sellers(seen, move)
    return _buyers(seen, move)


def words_of(proposal: object) -> str:
    """Return the text of a proposal if it has one that the game can carry, else nothing."""
    text = getattr(proposal, "text", "")
    return text if isinstance(text, str) and len(text) <= MAX_TEXT else ""


def _buyers(seen: BuyerObservation, move: Move) -> Move:
    """Keep a buyer's promises: an agreed price is taken, no bid falls or passes the budget."""
    ask, last, budget = seen.standing_ask, seen.own_last_bid, seen.budget
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


def _sellers(seen: SellerObservation, move: Move) -> Move:
    """Keep a seller's rules.

    1. Nothing below the reservation price is accepted; 2. a bid at or above it is, by patient
    sellers in the last round at the latest; 3. every counter is at or above it; 4. counters move
    toward the buyer, never up. A price that is none, an acceptance below the reservation price and
    a walk without cause become "hold": the seller names its standing ask again.
    """
    ask, bid, reservation = seen.standing_ask, seen.standing_bid, seen.reservation
    text = words_of(move)
    wish: object = move.price if isinstance(move, Offer) else ask
    counter = Paise(max(reservation, min(wish if type(wish) is int else ask, ask)))
    if bid is not None and bid >= reservation:
        can_wait = is_patient(seen) and seen.round < seen.max_rounds
        if not can_wait or counter <= bid or isinstance(move, Accept):
            return Accept(text)
        return Offer(counter, text)
    if isinstance(move, Walk) and may_walk(seen):
        return Walk(text)
    return Offer(counter, text)


def is_patient(seen: SellerObservation) -> bool:
    """Whether steps are answered by steps here; games of older suites are played as they were."""
    return seen.suite in (PURCHASE, SECOND_PURCHASE)


def is_lowball(seen: SellerObservation) -> bool:
    """Whether the standing bid is in bad faith."""
    bid = seen.standing_bid
    return bid is not None and bid < BAD_FAITH * seen.standing_ask


def may_walk(seen: SellerObservation, after: int = OFFENCES) -> bool:
    """Whether the seller has been offended often enough, and is again by this bid."""
    offences = sum(bid < BAD_FAITH * ask for bid, ask in zip(seen.bids, seen.asks, strict=False))
    return is_lowball(seen) and offences >= max(after, OFFENCES)
