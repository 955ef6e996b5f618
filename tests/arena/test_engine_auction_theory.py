"""Known values of auction theory, checked against exact formulas and against simulation."""

from fractions import Fraction
from random import Random

import pytest

from bazaarbatna.auction import auction_theory as theory
from bazaarbatna.auction.making import budget_range
from tests.support.matches import a_full_match, a_match

HALF = Fraction(1, 2)
DRAWS = 60_000


def second_price_revenue(bidders: int, reserve: Fraction) -> Fraction:
    """The expected revenue with values drawn evenly from 0..1.

    One value alone above the reserve pays the reserve, of several the highest pays the second.
    """
    n, r = bidders, reserve
    alone = n * (1 - r) * r**n
    several = n * (n - 1) * ((1 - r**n) / Fraction(n) - (1 - r ** (n + 1)) / Fraction(n + 1))
    return alone + several


@pytest.mark.parametrize("bidders", [1, 2, 3, 4, 7])
def test_the_best_reserve_and_the_best_posted_price_are_those_of_the_books(bidders: int) -> None:
    reserve = Fraction(theory.best_reserve_in(0, 1, 0))
    price = theory.best_price_in(0, 1, 0, bidders)
    assert reserve == HALF
    assert price == pytest.approx((bidders + 1) ** (-1 / bidders), abs=1e-6)
    best = second_price_revenue(bidders, reserve)
    assert price * (1 - price**bidders) <= best
    for percent in range(101):
        assert second_price_revenue(bidders, Fraction(percent, 100)) <= best


def test_four_bidders_pay_what_the_books_say() -> None:
    assert second_price_revenue(4, Fraction(0)) == Fraction(3, 5)
    assert second_price_revenue(4, HALF) == Fraction(6125, 10_000)
    price = theory.best_price_in(0, 1, 0, 4)
    assert price * (1 - price**4) == pytest.approx(0.53499, abs=5e-6)


@pytest.mark.parametrize(("bidders", "reserve"), [(2, 0.0), (3, 0.4), (4, 0.0), (4, 0.5)])
def test_simulated_auctions_bring_the_exact_revenue(bidders: int, reserve: float) -> None:
    dice = Random(20260)
    total = 0.0
    for _ in range(DRAWS):
        total += theory.sold_at([dice.random() for _ in range(bidders)], reserve) or 0.0
    exact = float(second_price_revenue(bidders, Fraction(reserve)))
    assert total / DRAWS == pytest.approx(exact, abs=0.005)


def test_the_best_price_of_a_match_is_the_best_on_its_own_budgets() -> None:
    scenario = a_full_match(3)
    low, high = budget_range(scenario)
    worth = scenario.sealed.reservation
    price = theory.best_price_in(low, high, worth, 4)

    def gain(asked: float) -> float:
        return (asked - worth) * (1 - ((asked - low) / (high - low)) ** 4)

    steps = [worth + (high - worth) * step / 500 for step in range(501)]
    assert gain(price) >= max(map(gain, steps))
    assert worth < price < high


def test_reference_lines_are_prices_somebody_here_could_pay() -> None:
    unsold = 0
    for number in range(300):
        scenario = a_match(number)
        sealed = scenario.sealed
        lines = theory.reference_lines(scenario)
        low, high = budget_range(scenario)
        assert all(low - 1 <= budget <= high + 1 for budget in sealed.budgets)
        for price in lines.values():
            assert sealed.reservation <= round(price * 100) <= max(sealed.budgets) + 1
        second = sorted(sealed.budgets)[-2]
        if second >= sealed.reservation:
            assert lines[theory.SECOND_PRICE] == second / 100
        unsold += theory.POSTED_PRICE not in lines
    assert 0 < unsold < 300


def test_budgets_that_cannot_differ_have_one_price() -> None:
    assert theory.best_price_in(5.0, 5.0, 3.0, 2) == 5.0
    assert theory.best_reserve_in(5.0, 5.0, 3.0) == 5.0


def test_on_the_budgets_of_matches_the_ways_of_selling_come_in_the_order_of_the_books() -> None:
    gains = dict.fromkeys((theory.POSTED_PRICE, theory.SECOND_PRICE, theory.WITH_RESERVE), 0.0)
    for number in range(600):
        scenario = a_full_match(number)
        reservation = scenario.sealed.reservation / 100
        width = scenario.anchor / 100 - reservation
        lines = theory.reference_lines(scenario)
        for name in gains:
            gains[name] += (lines.get(name, reservation) - reservation) / width
    assert list(gains) == sorted(gains, key=lambda name: gains[name])
