"""A match in numbers: its spaces, one buyer's view written into them, moves read from them."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction

from arena.auction.engine.moves import SIGNALS, ArenaMove, Bid, Hold, Leave, Signal, Take
from arena.auction.engine.observe import ArenaObservation
from negotiation.engine.quantities import clamp_price
from negotiation.environment.gymnasium_spaces import (
    LOG_PRICES,
    MOST_BUDGETS,
    MOST_ROUNDS,
    PERSONAS,
    Observation,
    box,
    check_grid,
    held,
    price_share,
    tell_numbers,
    tell_spaces,
    whole_number,
)

MOVES = ("bid", "take", "hold", "leave")
"""What ``move`` counts through."""

SIGNS: tuple[Signal | None, ...] = (None, *SIGNALS)
"""What ``signal`` counts through."""


def observation_space() -> spaces.Dict:
    """Return the space of what one buyer sees: never another's bid or budget."""
    return spaces.Dict(
        {
            "prices": box(0.0, MOST_BUDGETS, 3),
            "budget": box(*LOG_PRICES, 1),
            "clock": box(0.0, MOST_ROUNDS, 2),
            "rivals": box(0.0, MOST_ROUNDS, 5),
            "persona": spaces.Discrete(len(PERSONAS)),
            **tell_spaces(),
        }
    )


def action_space(grid: int | None) -> spaces.Space[Any]:
    """Return the space of what one buyer may put into its envelope.

    Args:
        grid: None for a free price; else how many bids are laid out evenly up to the budget,
            before take, hold and leave.

    Raises:
        ValueError: the grid has no bid.
    """
    if grid is None:
        price = spaces.Box(0.0, 1.0, (1,), np.float64)
        move, signal = spaces.Discrete(len(MOVES)), spaces.Discrete(len(SIGNS))
        return spaces.Dict({"move": move, "price": price, "signal": signal})
    check_grid(grid)
    return spaces.MultiDiscrete([grid + len(MOVES) - 1, len(SIGNS)])


BID, TAKE, HOLD, LEAVE = range(len(MOVES))


def to_numbers(seen: ArenaObservation) -> Observation:
    """Write a buyer's view as numbers: prices in units of its own budget."""
    prices = (seen.standing_ask, seen.asks[0], seen.own_bid or 0)
    return {
        "prices": held([price / seen.budget for price in prices], MOST_BUDGETS),
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
    """Return what a buyer may do, in the form that ``sample`` of the action space takes."""
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
