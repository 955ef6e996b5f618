"""How a buyer that knows the two-sided game plays a match."""

from arena.engine.moves import ArenaMove, Bid, Hold, Leave, Take
from arena.engine.observe import ArenaObservation
from negotiation.engine.moves import Accept, Move, Offer
from negotiation.engine.quantities import Paise, clamp_price

RAISE_OF_ASK = 0.02
"""How much an outbid buyer that would not move on its own raises its bid, as a share of the ask."""


def contested(seen: ArenaObservation, move: Move) -> ArenaMove:
    """Turn a move of the two-sided game into one of a match.

    A bid never goes down. Whoever has been outbid and still wants the item raises a little.
    """
    own, most = seen.own_bid, min(seen.budget, seen.standing_ask)
    if isinstance(move, Accept):
        return Take(move.text) if seen.standing_ask <= seen.budget else Hold(move.text)
    if not isinstance(move, Offer):
        return Leave(move.text)
    price = move.price
    if seen.outbid and own is not None and price <= own:
        price = clamp_price(own + RAISE_OF_ASK * seen.standing_ask)
    price = Paise(max(min(price, most), own or 0))
    return Hold(move.text) if price == own else Bid(price, move.text)
