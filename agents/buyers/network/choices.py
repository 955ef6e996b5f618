"""The moves that the network chooses among: prices between the own bid and what could be paid."""

import numpy as np

from agents.buyers.network.features import Floats, Positions

OPENINGS = (
    0.25, 0.31, 0.37, 0.43, 0.48, 0.53, 0.58, 0.63, 0.68, 0.73, 0.78, 0.83, 0.88, 0.92, 0.96,
)  # fmt: skip
"""First bids as shares of what could be paid at once."""
STEPS = (
    0.0, 0.03, 0.06, 0.1, 0.14, 0.19, 0.25, 0.32, 0.4, 0.48, 0.56, 0.65, 0.75, 0.85, 0.94,
)  # fmt: skip
"""Later bids as parts of the way from the own bid to what could be paid at once."""
CHOICES = len(STEPS) + 1
"""The last choice pays what is asked, or bids all of the budget where that is less."""


def prices(seen: Positions) -> Floats:
    """Return the price of every choice as a share of the opening ask, (rows, choices).

    Bids are named in round prices, never below the own last one; the last choice is exact.
    """
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
