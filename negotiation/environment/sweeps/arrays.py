"""Arrays of many games at once, and the engine's rounding for all of them."""

import numpy as np
import numpy.typing as npt

from negotiation.engine.quantities import MAX_PRICE, MIN_PRICE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Seeds = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]

Number = Floats | Ints | float
"""One number for all games, or one for each."""


def clamp_prices(paise: Floats, low: Number = MIN_PRICE) -> Floats:
    """Round computed prices to whole paise and hold them in ``low..MAX_PRICE``.

    The same as ``quantities.clamp_price`` for each of them: prices are at most 1e11, which a
    float64 holds exactly.

    >>> clamp_prices(np.array([1234.6, -3.0]), 100).tolist()
    [1235.0, 100.0]
    """
    rounded = np.floor(paise + 0.5)
    np.maximum(rounded, low, out=rounded)
    return np.minimum(rounded, MAX_PRICE, out=rounded)
