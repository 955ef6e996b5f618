"""Arrays of many games at once, and the engine's rounding for all of them."""

import numpy as np
import numpy.typing as npt

from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Seeds = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]

Number = Floats | Ints | float


def to_seeds(values: npt.ArrayLike) -> Seeds:
    """Read seeds: one number, a list, an array.

    Raises:
        ValueError: one of them is no whole number from 0 to 2**64 - 1; cut off or wrapped around it
            would be another game.
    """
    seeds = np.atleast_1d(np.asarray(values))
    if seeds.dtype.kind not in "iu" or (seeds.dtype.kind == "i" and (seeds < 0).any()):
        raise ValueError("Seeds are whole numbers from 0 up.")
    return seeds.astype(np.uint64, copy=False)


def clamp_prices(paise: Floats, low: Number = MIN_PRICE) -> Floats:
    """Round computed prices to whole paise and hold them in ``low..MAX_PRICE``.

    The same as ``quantities.clamp_price`` for each of them: prices are at most 1e11, which a
    float64 holds exactly.
    """
    rounded = np.floor(paise + 0.5)
    np.maximum(rounded, low, out=rounded)
    return np.minimum(rounded, MAX_PRICE, out=rounded)
