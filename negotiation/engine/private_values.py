"""What trade can achieve when each side knows only its own value, drawn uniformly from 0..1.

Exact fractions: the buyer's value is v, the seller's cost is c, and trade gains v - c.
"""

from fractions import Fraction

import msgspec

ONE = Fraction(1)


class LinearBids(msgspec.Struct, frozen=True):
    """Linear strategies of a sealed-bid double auction at the mean of both bids.

    The buyer bids ``slope * v + buyer_start``, the seller asks ``slope * c + seller_start``.
    """

    slope: Fraction
    buyer_start: Fraction
    seller_start: Fraction

    @property
    def least_gain(self) -> Fraction:
        """The gap v - c from which the bids meet."""
        return (self.seller_start - self.buyer_start) / self.slope


def linear_equilibrium() -> LinearBids:
    """Solve for the linear equilibrium of the split-the-difference double auction.

    Against linear asks that start at ``s`` the best bid is ``2/3 v + s/3``; against linear bids
    that end at ``b`` the best ask is ``2/3 c + b/3``. With ``s = b/3`` and ``b = 2/3 + s/3`` both
    are best answers to each other.

    Source: Chatterjee and Samuelson (1983), Bargaining under incomplete information.
    """
    slope = Fraction(2, 3)
    highest_bid = slope / (1 - Fraction(1, 9))
    lowest_ask = highest_bid / 3
    return LinearBids(slope, lowest_ask / 3, lowest_ask)


def gain_above(least_gain: Fraction) -> Fraction:
    """Integrate the gain from trade over all pairs with ``v - c`` of at least ``least_gain``.

    The difference of two uniform values has the density ``1 - d`` for d in 0..1.

    >>> gain_above(Fraction(0))
    Fraction(1, 6)
    """
    return _antiderivative(ONE) - _antiderivative(least_gain)


def first_best() -> Fraction:
    """Return the expected gain if everyone who should trade did."""
    return gain_above(Fraction(0))


def second_best() -> Fraction:
    """Return the most that any mechanism without subsidy can reach.

    The linear equilibrium attains it: Myerson and Satterthwaite (1983), Efficient mechanisms for
    bilateral trading.
    """
    return gain_above(linear_equilibrium().least_gain)


def posted_price(price: Fraction) -> Fraction:
    """Return the expected gain at one posted price that both may take or leave.

    Trade happens when v > price > c; then v is (1 + price) / 2 and c is price / 2 on average.

    >>> posted_price(Fraction(1, 2))
    Fraction(1, 8)
    """
    trades = price * (1 - price)
    return trades * ((1 + price) / 2 - price / 2)


def _antiderivative(d: Fraction) -> Fraction:
    return d**2 / 2 - d**3 / 3
