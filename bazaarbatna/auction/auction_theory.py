"""What auction theory says about a match: reference lines for its pages.

Private values are drawn independently and evenly. Sources: Vickrey (1961), Counterspeculation,
auctions, and competitive sealed tenders; Myerson (1981), Optimal auction design.
"""

from collections.abc import Callable, Sequence

from bazaarbatna.auction.making import budget_range
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.quantities import to_rupees

SECOND_PRICE = "Second-price auction"
WITH_RESERVE = "Second-price auction with the best reserve"
POSTED_PRICE = "Best posted price"

_STEPS = 80  # more than the precision of a float needs


def sold_at(values: Sequence[float], reserve: float = 0.0) -> float | None:
    """Return the price of one second-price auction; None when nobody reaches the reserve.

    >>> sold_at((0.2, 0.9, 0.6)), sold_at((0.2, 0.9, 0.6), 0.7), sold_at((0.2,), 0.7)
    (0.6, 0.7, None)
    """
    ordered = sorted(values, reverse=True)
    if ordered[0] < reserve:
        return None
    return max(ordered[1], reserve) if len(ordered) > 1 else reserve


def reference_lines(scenario: ArenaScenario) -> dict[str, float]:
    """Return what each way of selling would have brought in a finished match, in rupees by name.

    The second-price auction has the seller's reservation price as its reserve. The best reserve
    and the best posted price are those of a seller who knows from where budgets are drawn, but
    no budget. A way that would not have sold is left out.
    """
    sealed = scenario.sealed
    reserve = best_reserve_in(*budget_range(scenario), sealed.reservation)
    posted = best_price_in(*budget_range(scenario), sealed.reservation, len(sealed.budgets))
    prices = {
        SECOND_PRICE: sold_at(sealed.budgets, sealed.reservation),
        WITH_RESERVE: sold_at(sealed.budgets, reserve),
        POSTED_PRICE: posted if max(sealed.budgets) >= posted else None,
    }
    return {name: to_rupees(round(price)) for name, price in prices.items() if price is not None}


def best_reserve_in(low: float, high: float, worth: float) -> float:
    """Return the best reserve for budgets drawn evenly from ``low..high``: half-way from worth up.

    >>> best_reserve_in(0, 1, 0), best_reserve_in(0.8, 1, 0)
    (0.5, 0.8)
    """
    return max(low, worth, (worth + high) / 2)


def best_price_in(low: float, high: float, worth: float, bidders: int) -> float:
    """Return the best posted price for ``bidders`` budgets drawn evenly from ``low..high``.

    It maximises ``(p - worth) * (1 - F(p) ** n)``, which rises to one peak and falls.

    >>> round(best_price_in(0, 1, 0, 4), 5)
    0.66874
    """
    if high <= low:
        return max(low, worth)

    def gain(price: float) -> float:
        return (price - worth) * (1 - ((price - low) / (high - low)) ** bidders)

    return _peak(gain, max(low, worth), high)


def _peak(gain: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(_STEPS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if gain(left) < gain(right):
            low = left
        else:
            high = right
    return (low + high) / 2
