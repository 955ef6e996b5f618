"""Spaces of the arena's environment: what each number of a buyer's view and action means."""

from typing import Any

import numpy as np
from gymnasium import spaces

from arena.auction.engine.moves import SIGNALS, Signal
from negotiation.environment.gymnasium_spaces import (
    LOG_PRICES,
    MOST_BUDGETS,
    MOST_ROUNDS,
    PERSONAS,
    box,
    tell_spaces,
)

MOVES = ("bid", "take", "hold", "leave")
"""What ``move`` counts through."""

SIGNS: tuple[Signal | None, ...] = (None, *SIGNALS)
"""What ``signal`` counts through."""


def observation_space() -> spaces.Dict:
    """Describe what one buyer sees: never another's bid or budget."""
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
    """Describe what one buyer may put into its envelope.

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
    if grid < 1:
        raise ValueError("A grid needs at least one bid; leave it out for free prices.")
    return spaces.MultiDiscrete([grid + len(MOVES) - 1, len(SIGNS)])
