"""A network without manners: any opening, any step, the budget in view.

So are best responses searched: they are bounds, and nobody sits opposite them.
"""

import numpy as np

from agents.buyers.positions import (
    Bools,
    Floats,
    Positions,
    columns_of_clock,
    columns_of_paths,
    steps_of,
    still_for,
)

VERSION = "features-1"
OPENINGS = (
    0.25, 0.31, 0.37, 0.43, 0.48, 0.53, 0.58, 0.63, 0.68, 0.73, 0.78, 0.83, 0.88, 0.92, 0.96,
)  # fmt: skip
STEPS = (
    0.0, 0.03, 0.06, 0.1, 0.14, 0.19, 0.25, 0.32, 0.4, 0.48, 0.56, 0.65, 0.75, 0.85, 0.94,
)  # fmt: skip
CHOICES = len(STEPS) + 1
"""The last choice pays what is asked, or bids all of the budget where that is less."""


def features(seen: Positions) -> Floats:
    """Write positions as numbers, (rows, features)."""
    ask, last, budget = seen.ask, seen.last, seen.budget
    rows = len(budget)
    came_down, came_up = steps_of(-seen.asks, rows), steps_of(seen.bids, rows)
    columns = [
        *columns_of_clock(seen),
        budget,
        np.clip(budget - ask, -1.0, 1.0),
        (ask <= budget).astype(float),
        np.clip(ask / budget - 1, -1.0, 1.5),
        budget - last,
        1 - ask,
        seen.unit * 20,
        seen.bids[:, 0] if seen.bids.shape[1] else np.zeros(rows),
        still_for(came_down, seen.asks.shape[1] - 1) / 4,
        still_for(came_up, seen.bids.shape[1] - 1) / 4,
        *columns_of_paths(seen, came_down, came_up),
    ]
    # np.stack() does the same, and took a tenth of a whole continuation.
    return np.ascontiguousarray(np.array(columns).T)


def worth_features(seen: Positions) -> Floats:
    """Return what the tower of worth sees: the same."""
    return features(seen)


def prices(seen: Positions) -> Floats:
    """Return the price of every choice as a share of the opening ask, (rows, choices)."""
    most = seen.most[:, None]
    if seen.round == 1:
        wanted = most * np.array(OPENINGS)
    else:
        last = seen.last[:, None]
        wanted = last + np.maximum(most - last, 0.0) * np.array(STEPS)
    unit = seen.unit[:, None]
    said = np.maximum(np.floor(wanted / unit + 0.5) * unit, seen.last[:, None])
    said = np.minimum(np.maximum(said, unit), np.maximum(most, seen.last[:, None]))
    return np.concatenate([said, np.maximum(most, seen.last[:, None])], axis=1)


def allowed(seen: Positions) -> Bools:
    """Return which choices there are, (rows, choices): all."""
    return np.ones((len(seen.budget), CHOICES), dtype=bool)
