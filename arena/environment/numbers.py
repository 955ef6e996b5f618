"""One buyer's view as numbers, and numbers as a legal move."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction

from arena.auction.engine.moves import ArenaMove, Bid, Hold, Leave, Signal, Take
from arena.auction.engine.observe import ArenaObservation
from arena.environment.spaces import MOVES, SIGNS
from negotiation.engine.quantities import clamp_price
from negotiation.environment.gymnasium_numbers import (
    Observation,
    price_share,
    tell_numbers,
    whole_number,
)
from negotiation.environment.gymnasium_spaces import MOST_BUDGETS, PERSONAS

BID, TAKE, HOLD, LEAVE = range(len(MOVES))


def to_numbers(seen: ArenaObservation) -> Observation:
    """Tell a buyer's view in numbers: prices in units of its own budget."""
    prices = (seen.standing_ask, seen.asks[0], seen.own_bid or 0)
    return {
        "prices": np.array(
            [min(price / seen.budget, MOST_BUDGETS) for price in prices], np.float32
        ),
        "budget": np.array([np.log10(seen.budget / 100)], np.float32),
        "clock": np.array([seen.round / seen.max_rounds, seen.rounds_left], np.float32),
        "rivals": np.array(
            [
                seen.rivals,
                seen.outbid,
                seen.outbid_rounds,
                seen.signals.count("cooperate"),
                seen.signals.count("compete"),
            ],
            np.float32,
        ),
        "persona": np.int64(PERSONAS.index(seen.persona)),
        **tell_numbers(seen.tells),
    }


def to_move(action: Any, seen: ArenaObservation, grid: int | None) -> ArenaMove:
    """Read an action and make it legal: what no rule allows becomes the nearest thing that is.

    A bid above the budget is held there, a bid below the own standing one and a price that is no
    number hold the bid, an acceptance beyond the budget does too.

    Args:
        action: a mapping with ``move``, ``price`` and ``signal``, or two numbers of the grid.
        seen: the buyer's view.
        grid: as in ``action_space``.

    Raises:
        InvalidAction: it is no action of the space.
    """
    move, share, signal = _read(action, grid)
    if move == TAKE:
        return Take("", signal) if seen.standing_ask <= seen.budget else Hold("", signal)
    if move == LEAVE:
        return Leave("", signal)
    if move == HOLD or not math.isfinite(share):
        return Hold("", signal)
    price = clamp_price(min(max(share, 0.0), 1.0) * seen.budget, high=seen.budget)
    if seen.own_bid is not None and price <= seen.own_bid:
        return Hold("", signal)
    return Bid(price, "", signal)


def action_mask(seen: ArenaObservation, grid: int | None) -> Any:
    """Flag what a buyer may do, in the form that ``sample`` of the action space takes."""
    bids = 1 if grid is None else grid
    moves, signals = np.ones(bids + len(MOVES) - 1, np.int8), np.ones(len(SIGNS), np.int8)
    moves[bids] = seen.standing_ask <= seen.budget
    if grid is not None:
        return moves, signals
    return {"move": moves, "price": None, "signal": signals}


def _read(action: Any, grid: int | None) -> tuple[int, float, Signal | None]:
    if grid is None:
        if not isinstance(action, Mapping):
            raise InvalidAction(
                "An action is {'move': 0 to 3, 'price': [share], 'signal': 0 to 3}."
            )
        share = price_share(action.get("price", ()))
        move, sign = whole_number(action.get("move")), whole_number(action.get("signal"))
    else:
        if np.shape(action) != (2,):
            raise InvalidAction("An action of the grid is two numbers: a bid or move, a signal.")
        number, sign = (whole_number(part) for part in action)
        share = (number + 1) / grid
        move = BID if 0 <= number < grid else number - grid + 1
    if not 0 <= move < len(MOVES) or not 0 <= sign < len(SIGNS):
        raise InvalidAction(
            f"A move is 0..{len(MOVES) - 1} and a signal 0..{len(SIGNS) - 1}; "
            f"this action says {move} and {sign}."
        )
    return move, share, SIGNS[sign]
