"""The rule that turns a move of the two-sided game into one among rivals, for every buyer."""

from random import Random

from agents.buyers.steering import believe
from agents.text.rounding import people_price
from arena.engine.moves import ArenaMove, Bid, Hold, Leave, Signal, Take
from arena.engine.observe import ArenaObservation
from arena.manners import PLAIN, Manner
from negotiation.engine.moves import Accept, Move, Offer
from negotiation.engine.quantities import Paise, clamp_price

CALM_RAISE, URGENT_RAISE = 1.25, 0.75
"""Factors on the raise of a buyer who reads the seller: believed urgency 0, and 1."""

LEAST_RAISE = 0.01
"""Of the ask: what an outbid buyer adds at least, if it would pay that much."""


def contested(
    seen: ArenaObservation, move: Move, manner: Manner = PLAIN, seed: int = 0
) -> ArenaMove:
    """Turn a move of the two-sided game into one of a match, with the words it had.

    A bid never goes down and never passes the budget or the ask. Whoever leads makes a part of
    its planned step, whoever was outbid goes a part of the way to the most it would pay, and in
    the last round all of it.

    Args:
        seen: what the buyer sees of the match.
        move: what it would do with the seller alone.
        manner: how it behaves among rivals.
        seed: of the buyer; the same seed, round and view give the same move.
    """
    bluffs = _bluffs(seen, manner, seed)
    signal = "bluff" if bluffs else _sign(seen, manner)
    if _takes(seen, move, manner):
        return Take(move.text, signal)
    if not isinstance(move, Accept | Offer) or _is_fed_up(seen, manner):
        return Leave(move.text)
    own, most = seen.own_bid, min(seen.budget, seen.standing_ask)
    wish = own if bluffs and own is not None else _price(seen, move, manner)
    price = Paise(max(min(wish, most), own or 0))
    return Hold(move.text, signal) if price == own else Bid(price, move.text, signal)


def _bluffs(seen: ArenaObservation, manner: Manner, seed: int) -> bool:
    if not manner.bluffs or not seen.outbid or seen.own_bid is None or seen.rounds_left == 0:
        return False
    return Random(f"{seed}:{seen.round}:bluff").random() < manner.bluffs


def _sign(seen: ArenaObservation, manner: Manner) -> Signal | None:
    if seen.own_bid is None:
        return manner.opens
    return manner.trails if seen.outbid else manner.leads


def _takes(seen: ArenaObservation, move: Move, manner: Manner) -> bool:
    if isinstance(move, Accept) and seen.standing_ask <= seen.budget:
        return True
    return seen.outbid and seen.standing_ask <= manner.takes * seen.budget


def _is_fed_up(seen: ArenaObservation, manner: Manner) -> bool:
    out_of_reach = seen.standing_ask > manner.most * seen.budget
    return manner.patience is not None and seen.outbid_rounds >= manner.patience and out_of_reach


def _price(seen: ArenaObservation, move: Accept | Offer, manner: Manner) -> Paise:
    own, planned = seen.own_bid, move.price if isinstance(move, Offer) else seen.budget
    if own is None:
        return _said(seen, planned, manner)
    if seen.leads:
        return _said(seen, own + manner.keeps * (planned - own), manner)
    limit = min(manner.most * seen.budget, seen.standing_ask)
    if seen.rounds_left == 0:
        return clamp_price(max(planned, limit))
    step = min(manner.raises * _factor(seen, manner), 1.0) * (limit - own)
    raised = own + max(step, min(LEAST_RAISE * seen.standing_ask, limit - own))
    return _said(seen, max(planned, raised), manner)


def _factor(seen: ArenaObservation, manner: Manner) -> float:
    factor = 1.0
    if "compete" in seen.signals:
        factor *= manner.heeds
    elif seen.signals.count("cooperate") >= max(seen.rivals, 1):
        factor *= manner.returns
    if manner.reads:
        conceded = seen.asks[-2] - seen.asks[-1] if len(seen.asks) > 1 else 0
        urgency = believe(seen.tells, seen.persona, conceded, seen.standing_ask).urgency
        factor *= CALM_RAISE + (URGENT_RAISE - CALM_RAISE) * urgency
    return factor


def _said(seen: ArenaObservation, price: float, manner: Manner) -> Paise:
    """Name a price as this buyer does; who speaks in round numbers makes no odd little steps."""
    if not manner.says_round:
        return clamp_price(price)
    own = seen.own_bid
    rounded = people_price(price, seen.standing_ask, None if own is None else price - own)
    return rounded if own is None else max(rounded, own)
