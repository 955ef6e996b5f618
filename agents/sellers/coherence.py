"""What a message of the seller may say: its own price, never its limit, one plain line.

The reservation price must not appear even where a counter happens to equal it: such a counter is
spoken without any number (the price still stands in the move itself).
"""

from collections.abc import Iterable

from agents.coherence import LIKE_A_PRICE, amounts_in, is_plain, tidy
from agents.disguises import hides_number
from agents.intent import read_intent
from agents.leaks import names_secret
from negotiation.engine.moves import Accept, Move, Offer
from negotiation.engine.observe import SellerObservation

MAX_MESSAGE = 320
"""Characters of a message."""


def prices_in(text: str, observation: SellerObservation) -> frozenset[int]:
    """Give the numbers of a text that may be meant as prices, in paise.

    Numbers of the item's title, and numbers too small to be a price, are left out.
    """
    title = amounts_in(observation.item.title)
    least = LIKE_A_PRICE * observation.standing_ask
    return frozenset(a for a in amounts_in(text) if a >= least and a not in title)


def names_price(text: str, observation: SellerObservation, move: Move) -> bool:
    """Tell whether the prices in a text are those of the move.

    An offer with prices in its text names its own; beside it only the standing bid may stand. An
    acceptance names the bid, a walk the bid or the own last ask.
    """
    said, bid = prices_in(text, observation), observation.standing_bid
    if isinstance(move, Offer):
        return not said or (move.price in said and said <= {move.price, bid})
    if isinstance(move, Accept):
        return said <= {bid}
    return said <= {bid, observation.standing_ask}


def is_coherent(text: str, observation: SellerObservation, move: Move) -> bool:
    """Tell whether a message may be sent with a move."""
    return (
        _is_fit(text, observation, move.price if isinstance(move, Offer) else None)
        and names_price(text, observation, move)
        and not (isinstance(move, Offer) and says_yes(text, observation))
    )


def is_mere_talk(text: str, observation: SellerObservation) -> bool:
    """Tell whether a message may be sent without a move: it names no price and takes none."""
    return (
        _is_fit(text, observation)
        and not prices_in(text, observation)
        and not says_yes(text, observation)
    )


def is_talk(text: str, observation: SellerObservation) -> bool:
    """Tell whether words without a move may be said that may repeat the prices on the table."""
    standing = {observation.standing_ask, observation.standing_bid}
    return (
        _is_fit(text, observation)
        and prices_in(text, observation) <= standing
        and not says_yes(text, observation)
    )


def says_yes(text: str, observation: SellerObservation) -> bool:
    """Tell whether the words take the standing bid, as a buyer would hear them."""
    ask, bid = observation.standing_ask, observation.standing_bid
    return read_intent(text, ask, bid, observation.item.currency).kind == "accept"


def first_coherent(texts: Iterable[str], observation: SellerObservation, move: Move) -> str:
    """Give the first text that may be sent with the move; no words if none may.

    Args:
        texts: wordings from the preferred to the safest, made only as far as needed.
        observation: the position before the move.
        move: what is played.
    """
    return next((t for t in map(tidy, texts) if is_coherent(t, observation, move)), "")


def _is_fit(text: str, observation: SellerObservation, price: int | None = None) -> bool:
    known = {*observation.asks, *observation.bids, *prices_in(text, observation)}
    known |= set() if price is None else {price}
    return (
        bool(text)
        and is_plain(text, MAX_MESSAGE)
        and not names_secret(text, observation.reservation)
        and not hides_number(text, observation.reservation, observation.item, frozenset(known))
    )
