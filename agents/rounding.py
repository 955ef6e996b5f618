"""Prices as people say them: to the next round step, coarse for big things, finer at the end."""

from negotiation.engine.quantities import Paise

STEPS = (
    (100, 1),
    (250, 5),
    (1_250, 10),
    (2_500, 50),
    (12_500, 100),
    (25_000, 500),
    (125_000, 1_000),
    (1_250_000, 5_000),
    (100_000_000, 100_000),
)
"""Rows of (asks below this many rupees, step in rupees): a step is 1 % to 4 % of the price."""

FINE = 5
"""How many times finer the step is when the two prices are nearly equal."""

NEAR = 6
"""Prices this many steps apart or less are nearly equal."""


def step_of(ask: int) -> int:
    """Give the usual step of prices around ``ask``, both in paise.

    >>> step_of(180_000)
    5000
    """
    rupees = ask / 100
    for below, step in STEPS:
        if rupees < below:
            return step * 100
    return STEPS[-1][1] * 100


def people_price(price: float, ask: int) -> Paise:
    """Round a computed bid in paise down to a price that a person would say.

    Args:
        price: the computed bid.
        ask: the standing ask, which sets the size of the steps.

    Returns:
        A multiple of the step; a price below one step comes back whole, at least 1 paisa.

    >>> people_price(133_333, 180_000)
    130000
    """
    step = step_of(ask)
    if ask - price <= NEAR * step:
        step = max(step // FINE, 100)
    rounded = int(price // step) * step
    return Paise(rounded if rounded > 0 else max(int(price), 1))
