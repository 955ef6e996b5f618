"""Prices as people say them."""

from random import Random

import pytest

from agents.text.rounding import people_price


@pytest.mark.parametrize(
    ("price", "ask", "said"),
    [
        (133.4, 180, 130),
        (571, 850, 570),
        (1349, 1800, 1300),
        (3333, 5200, 3300),
        (40_777, 68_500, 40_000),
        (233_333, 350_000, 230_000),
        (0.5, 0.9, 0.5),
    ],
)
def test_a_first_price_is_said_in_the_usual_steps(price: float, ask: float, said: float) -> None:
    assert people_price(100 * price, round(100 * ask)) == round(100 * said)


def test_a_small_change_is_said_in_fine_steps() -> None:
    assert people_price(133_333, 180_000, change=3_333) == 133_000
    assert people_price(133_333, 180_000, change=33_333) == 130_000


def test_rounding_never_raises_a_price_and_never_gives_nothing() -> None:
    dice = Random(3)
    for _ in range(2_000):
        ask = round(10 ** dice.uniform(0, 11))
        price = ask * dice.random() + 1
        said = people_price(price, ask, dice.choice((None, price * dice.random())))
        assert 1 <= said <= price
