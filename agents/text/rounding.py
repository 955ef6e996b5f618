"""Prices as people say them: round steps, coarse for big things, finer when little is left."""

from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise

STEPS = (
    (100, 1, 1),
    (250, 5, 1),
    (1_250, 10, 5),
    (2_500, 50, 10),
    (12_500, 100, 50),
    (25_000, 500, 100),
    (125_000, 1_000, 500),
    (1_250_000, 5_000, 1_000),
    (12_500_000, 50_000, 10_000),
    (1_000_000_001, 500_000, 100_000),
)
"""Rupees: asks below the first are said in the usual step (1 % to 4 %), or in the fine one."""


def people_price(price: float, ask: int, change: float | None = None) -> Paise:
    """Round a computed bid in paise down to a price that a person would say, at least 1.

    The standing ask sets the steps; a small ``change`` from the last bid is said in fine ones.

    >>> people_price(133_333, 180_000)
    130000
    >>> people_price(133_333, 180_000, change=3_500)
    133000
    """
    rupees = ask / 100
    usual, fine = next(row[1:] for row in STEPS if rupees < row[0])
    step = 100 * (fine if change is not None and change < 200 * usual else usual)
    rounded = int(price // step) * step
    return Paise(rounded if rounded > 0 else max(int(price), 1))


def as_people_say(observation: BuyerObservation, price: Paise) -> Paise:
    """Round a bid meant in thousandths, as people do; the ask and the own last bid stay exact."""
    last, ask = observation.own_last_bid, observation.standing_ask
    if price in (ask, last):
        return price
    change = None if last is None else price - last
    return max(people_price(price, ask, change=change), last or Paise(0))


def in_round_numbers(observation: BuyerObservation, move: Move) -> Move:
    """Round the price of a bid as people do; other moves stay as they are."""
    if not isinstance(move, Offer):
        return move
    last, ask = observation.own_last_bid, observation.standing_ask
    change = None if last is None else move.price - last
    return Offer(people_price(move.price, ask, change=change), move.text)
