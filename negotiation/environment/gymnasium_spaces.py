"""Spaces of ``Bazaar-v0``: what each number of an observation or an action means."""

from typing import Any, get_args

import numpy as np
from gymnasium import spaces

from negotiation.engine.sellers import SELLERS
from negotiation.engine.tells import CONDITIONS, Eyes, Pattern, Posture, Rounding, Speed

MOVES = ("offer", "accept", "walk")
"""What ``move`` counts through."""

PERSONAS = (None, *SELLERS)
"""What ``persona`` counts through; None: hidden."""

LEVELS = (
    "verbal_urgency",
    "verbal_confidence",
    "verbal_deception_cue",
    "fidget_level",
    "emotional_escalation",
)
COUNTS = ("repeat_phrases", "topic_changes")
GOODS = ("condition_score", "depreciation_score")
"""Tells that are numbers, in the order of ``levels``, ``counts`` and ``goods``."""

CATEGORIES: dict[str, tuple[str, tuple[str | None, ...]]] = {
    "rounding": ("price_rounding", (None, *get_args(Rounding))),
    "speed": ("offer_speed", (None, *get_args(Speed))),
    "pattern": ("concession_pattern", (None, *get_args(Pattern))),
    "eyes": ("eye_contact", (None, *get_args(Eyes))),
    "posture": ("posture", (None, *get_args(Posture))),
    "condition": ("condition_label", (None, *CONDITIONS)),
}
"""Key of the observation -> the tell it shows, and what it counts through; None: not observable."""

NOT_OBSERVABLE = -1.0
MOST_BUDGETS = 100.0
"""Prices are told in budgets, up to so many."""
MOST_ROUNDS = 1000.0
MOST_COUNTED = 1000.0
LOG_PRICES = (-2.0, 9.0)
"""Common logarithms of the lowest and the highest price in rupees."""


def observation_space() -> spaces.Dict:
    """Describe what a buyer sees as numbers."""
    return spaces.Dict(
        {
            "prices": box(-MOST_BUDGETS, MOST_BUDGETS, 4),
            "budget": box(*LOG_PRICES, 1),
            "clock": box(-MOST_ROUNDS, MOST_ROUNDS, 4),
            "career": box(NOT_OBSERVABLE, MOST_COUNTED, 4),
            "persona": spaces.Discrete(len(PERSONAS)),
            **tell_spaces(),
        }
    )


def tell_spaces() -> dict[str, spaces.Space[Any]]:
    """Describe the tells of a turn."""
    return {
        "levels": box(NOT_OBSERVABLE, 1.0, len(LEVELS)),
        "counts": box(NOT_OBSERVABLE, MOST_COUNTED, len(COUNTS)),
        "goods": box(NOT_OBSERVABLE, 1.0, len(GOODS)),
        **{key: spaces.Discrete(len(values)) for key, (_, values) in CATEGORIES.items()},
    }


def action_space(grid: int | None) -> spaces.Space[Any]:
    """Describe what a buyer may do.

    Args:
        grid: None for a move and a free price; else how many bids are laid out evenly from
            ``budget / grid`` to the budget, before the two actions accept and walk.

    Raises:
        ValueError: the grid has no bid.
    """
    if grid is None:
        return spaces.Dict(
            {"move": spaces.Discrete(len(MOVES)), "price": spaces.Box(0.0, 1.0, (1,), np.float64)}
        )
    if grid < 1:
        raise ValueError("A grid needs at least one bid; leave it out for free prices.")
    return spaces.Discrete(grid + 2)


def box(low: float, high: float, size: int) -> spaces.Box:
    """Describe so many numbers of one range."""
    return spaces.Box(low, high, (size,), np.float32)
