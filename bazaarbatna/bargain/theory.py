"""What theory says about two sides who split a zone: the reference lines beside every game.

Shares are parts of the zone of possible agreement, 0..1; prices are in paise inside.
"""

import math
from collections.abc import Callable

from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.scenario import Scenario

NASH = "Nash point and equal split"
"""Name of the line that charts draw too."""

KALAI, RUBINSTEIN = "Kalai–Smorodinsky", "Rubinstein"
SELLER_FIRST, BUYER_FIRST = "Seller's take-it-or-leave-it", "Buyer's take-it-or-leave-it"
NAMES = (NASH, KALAI, RUBINSTEIN, SELLER_FIRST, BUYER_FIRST)
"""What the lines are called; Rubinstein's also says the number of rounds."""

DISCOUNT = 0.9
"""How much a share is worth one round later, for the split shown beside a game."""

Utility = Callable[[float], float]
"""Utility of an agreement ``x`` in 0..1, concave, not negative."""

_GOLDEN = (math.sqrt(5) - 1) / 2
_STEPS = 80
"""Halvings of the search interval; 40 reach the precision of a float on 0..1."""


def finite_share(rounds: int, discount: float = DISCOUNT) -> float:
    """Split a pie by alternating offers that end after ``rounds`` offers with nothing for both.

    Solved backwards: the last proposer keeps all, and each proposer before leaves the other just
    what that one would get a step later. Returned is the share of whoever proposes first.

    Sources: Ståhl (1972), Bargaining theory; with ever more offers it comes to the share of
    Rubinstein (1982), Perfect equilibrium in a bargaining model: ``1 / (1 + discount)``.
    """
    share = 1.0
    for _ in range(rounds - 1):
        share = 1 - discount * share
    return share


def nash_point(seller: Utility, buyer: Utility) -> float:
    """Return the agreement, 0..1, with the largest product of gains.

    Utilities are 0 without a deal; the seller's rises in the agreement, the buyer's falls.

    Source: Nash (1950), The bargaining problem.
    """
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if seller(left) * buyer(left) < seller(right) * buyer(right):
            low = left
        else:
            high = right
    return (low + high) / 2


def kalai_smorodinsky_point(seller: Utility, buyer: Utility) -> float:
    """Return the agreement, 0..1, where both get the same part of the most they could hope for.

    Source: Kalai and Smorodinsky (1975), Other solutions to Nash's bargaining problem.
    """
    best_seller, best_buyer = seller(1.0), buyer(0.0)
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if seller(middle) * best_buyer < buyer(middle) * best_seller:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def reference_lines(scenario: Scenario) -> dict[str, float]:
    """Return the prices in rupees that theory names for a game whose sealed values are open.

    Both sides are taken as risk-neutral, so the Nash point, the equal split and the point of Kalai
    and Smorodinsky are one price. In Rubinstein's split the buyer proposes first, as in the game,
    once per round, and a round's delay costs a tenth. Empty without a zone of possible agreement.
    """
    zone, sealed = scenario.zopa, scenario.sealed
    if zone <= 0:
        return {}

    def price(seller_share: float) -> float:
        return to_rupees(round(sealed.reservation + seller_share * zone))

    nash = nash_point(_same, _rest)
    return {
        NASH: price(nash),
        KALAI: price(kalai_smorodinsky_point(_same, _rest)),
        f"{RUBINSTEIN}, {scenario.max_rounds} rounds": price(1 - finite_share(scenario.max_rounds)),
        SELLER_FIRST: price(1.0),
        BUYER_FIRST: price(0.0),
    }


def _same(share: float) -> float:
    return share


def _rest(share: float) -> float:
    return 1 - share
