"""The moves that a played move is compared with: all kinds, and prices a person would say."""

import math
from collections.abc import Iterable, Sequence

from agents.text.rounding import STEPS
from negotiation.engine.episode import State, highest_ask, legal_moves
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.quantities import MAX_PRICE, MIN_PRICE, Paise, Side, clamp_price

GRID = 9
"""Prices spread evenly over the sensible range."""

AROUND = (-0.06, -0.02, 0.02, 0.06)
"""More prices beside the played one, as parts of the standing ask."""

LOWEST_OPENING = 0.35
"""The lowest first bid that is tried, as a part of the standing ask."""


def candidates(state: State, played: Move) -> tuple[Move, ...]:
    """Return what the side to move could do, the played move first; all legal and wordless.

    Of two moves that the rules take for one and the same (a bid at the ask is an acceptance) only
    one is listed.
    """
    side = state.to_move
    assert side is not None
    low, high = sensible_range(state, side)
    gap = (high - low) / (GRID - 1)
    wanted = [low + gap * step for step in range(GRID)]
    if isinstance(played, Offer):
        wanted += [played.price + part * state.standing_ask for part in AROUND]
    own = state.standing_bid if side == "buyer" else state.standing_ask
    # Where both prices are one, to hold is to accept.
    hold = [Offer(own)] if own and state.standing_bid != state.standing_ask else []
    moves: list[Move] = [without_words(played), Accept(), Walk(), *hold, *offers(state, wanted)]
    legal = legal_moves(state, side)
    kept = (move for move in moves if not isinstance(move, Accept) or "accept" in legal)
    return tuple(dict.fromkeys(kept))


def nearby(state: State, leader: Move, field: Sequence[Move]) -> list[Move]:
    """Return offers halfway between a leading offer and its neighbours in the field."""
    if not isinstance(leader, Offer):
        return []
    prices = [move.price for move in field if isinstance(move, Offer)]
    return list(dict.fromkeys(offers(state, halfway(leader.price, prices))))


def halfway(price: Paise, prices: Iterable[Paise]) -> list[float]:
    """Return the middles between a price of a field and its next neighbours below and above.

    >>> halfway(Paise(300), [Paise(300), Paise(100), Paise(340), Paise(200)])
    [250.0, 320.0]
    """
    ranked = sorted(set(prices))
    at = ranked.index(price)
    beside = (*ranked[max(at - 1, 0) : at], *ranked[at + 1 : at + 2])
    return [(price + other) / 2 for other in beside]


def offers(state: State, wanted: list[float]) -> list[Offer]:
    """Return legal offers near wished prices in paise, in round numbers that close nothing."""
    side = state.to_move
    assert side is not None
    low, high = sensible_range(state, side)
    step = price_step(state.standing_ask)
    rounded = (clamp_price(round(price / step) * step, low, high) for price in wanted)
    return [Offer(price) for price in rounded] if low <= high else []


def sensible_range(state: State, side: Side) -> tuple[Paise, Paise]:
    """Return the lowest and highest price in paise worth trying; none where low > high.

    A bid stays a step below the standing ask and does not fall below the own last one; an ask
    stays a step above the standing bid: at those prices it would be an acceptance. Limits that
    are no round prices are rounded to their own side.
    """
    ask, bid, sealed = state.standing_ask, state.standing_bid, state.scenario.sealed
    step = price_step(ask)
    if side == "buyer":
        lowest = bid if bid is not None else _up(LOWEST_OPENING * ask, step)
        return max(lowest, MIN_PRICE), Paise(min(ask - step, sealed.budget // step * step))
    least = sealed.reservation if bid is None else max(sealed.reservation, bid + step)
    return _up(least, step), Paise(min(highest_ask(state), MAX_PRICE))


def without_words(move: Move) -> Move:
    """Return the same move, silent."""
    match move:
        case Offer(price):
            return Offer(price)
        case Accept():
            return Accept()
        case Walk():
            return Walk()


def _up(price: float, step: int) -> Paise:
    return Paise(math.ceil(price / step) * step)


def price_step(ask: int) -> int:
    """Return the finest step of prices in paise that people use for such a thing."""
    return next(100 * fine for below, _, fine in STEPS if ask < 100 * below)
