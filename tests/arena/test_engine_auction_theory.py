"""Known values of auction theory, checked against exact formulas and against simulation."""

from fractions import Fraction
from random import Random

import pytest

from arena.auction.engine import auction_theory as theory
from arena.auction.engine.making import budget_range
from tests.support.matches import a_full_match, a_match

HALF = Fraction(1, 2)
DRAWS = 60_000


def test_four_bidders_pay_what_the_books_say() -> None:
    assert theory.second_price_revenue(4) == Fraction(3, 5)
    assert theory.second_price_revenue(4, HALF) == Fraction(6125, 10_000)
    price = theory.best_posted_price(4)
    assert price == pytest.approx(0.66874, abs=5e-6)
    assert theory.posted_revenue(4, price) == pytest.approx(0.53499, abs=5e-6)


@pytest.mark.parametrize("bidders", [1, 2, 3, 4, 7])
def test_no_reserve_and_no_posted_price_beats_the_best_ones(bidders: int) -> None:
    best = theory.second_price_revenue(bidders, theory.best_reserve())
    price = theory.best_posted_price(bidders)
    for percent in range(101):
        other = Fraction(percent, 100)
        assert theory.second_price_revenue(bidders, other) <= best
        assert theory.posted_revenue(bidders, percent / 100) <= theory.posted_revenue(
            bidders, price
        )
    assert theory.posted_revenue(bidders, price) <= best


def test_without_a_reserve_the_revenue_is_the_second_highest_value() -> None:
    for bidders in range(1, 12):
        assert theory.second_price_revenue(bidders) == Fraction(bidders - 1, bidders + 1)


@pytest.mark.parametrize(("bidders", "reserve"), [(2, 0.0), (3, 0.4), (4, 0.0), (4, 0.5)])
def test_simulated_auctions_bring_the_exact_revenue(bidders: int, reserve: float) -> None:
    dice = Random(20260)
    total = 0.0
    for _ in range(DRAWS):
        total += theory.sold_at([dice.random() for _ in range(bidders)], reserve) or 0.0
    exact = float(theory.second_price_revenue(bidders, Fraction(reserve)))
    assert total / DRAWS == pytest.approx(exact, abs=0.005)


def test_simulated_posted_prices_and_first_price_bids_bring_the_exact_revenue() -> None:
    dice = Random(7)
    price = theory.best_posted_price(4)
    posted = first = 0.0
    for _ in range(DRAWS):
        best = max(dice.random() for _ in range(4))
        posted += price if best >= price else 0.0
        first += theory.first_price_bid(best, 4)
    assert posted / DRAWS == pytest.approx(0.53499, abs=0.005)
    assert first / DRAWS == pytest.approx(0.6, abs=0.005)


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
