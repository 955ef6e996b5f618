import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazaarbatna.bargain.price_grid import BIDDERS, Deal, Grid, grid_table
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from bazaarbatna.bargain.theory import (
    finite_share,
    kalai_smorodinsky_point,
    nash_point,
    reference_lines,
)


def a_sale(reservation: int = 1000_00, budget: int = 2000_00) -> Scenario:
    sealed = SealedValues(Paise(reservation), Paise(reservation), Paise(budget), seed=1)
    return Scenario("sell@1", Item("Lamp"), 10, Paise(3000_00), sealed, "salt")


def test_ten_offers_split_as_solved_backwards() -> None:
    assert finite_share(10, 0.9) == pytest.approx(0.342801, abs=5e-7)


def test_many_offers_come_close_to_endless_ones() -> None:
    assert finite_share(401, 0.9) == pytest.approx(1 / 1.9, abs=1e-12)


def test_a_single_offer_takes_everything() -> None:
    assert finite_share(1) == 1.0


def test_curved_utilities_move_the_nash_point() -> None:
    assert nash_point(lambda p: p, lambda p: math.sqrt(1 - p)) == pytest.approx(2 / 3, abs=1e-7)


def test_curved_utilities_move_the_point_of_kalai_and_smorodinsky() -> None:
    point = kalai_smorodinsky_point(lambda p: p, lambda p: math.sqrt(1 - p))
    assert point == pytest.approx(0.618034, abs=5e-7)


@given(scale=st.floats(0.01, 100))
def test_units_of_utility_do_not_matter(scale: float) -> None:
    plain = nash_point(lambda p: p, lambda p: math.sqrt(1 - p))
    assert nash_point(lambda p: scale * p, lambda p: math.sqrt(1 - p)) == pytest.approx(
        plain, abs=1e-6
    )
    fair = kalai_smorodinsky_point(lambda p: p, lambda p: math.sqrt(1 - p))
    scaled = kalai_smorodinsky_point(lambda p: scale * p, lambda p: math.sqrt(1 - p))
    assert scaled == pytest.approx(fair, abs=1e-9)


def test_of_36_pairs_on_the_grid_four_deal() -> None:
    table = grid_table()
    assert len(table) == 36
    assert {pair: deal for pair, deal in table.items() if deal} == {
        ("linear", "linear"): Deal(49, 10),
        ("linear", "conceder"): Deal(55, 9),
        ("conceder", "linear"): Deal(43, 9),
        ("conceder", "conceder"): Deal(49, 6),
    }


@given(
    st.sampled_from(sorted(BIDDERS)),
    st.sampled_from(sorted(BIDDERS)),
    st.integers(1, 60),
    st.integers(10, 90),
    st.integers(10, 90),
)
def test_no_bidder_deals_beyond_its_limit(
    seller: str, buyer: str, steps: int, cost: int, value: int
) -> None:
    deal = grid_table(Grid(cost=cost, value=value, steps=steps))[seller, buyer]
    assert deal is None or cost <= deal.price <= value


def test_reference_lines_stand_between_the_limits() -> None:
    lines = reference_lines(a_sale())
    assert lines["Nash point and equal split"] == 1500
    assert lines["Kalai–Smorodinsky"] == 1500
    assert lines["Seller's take-it-or-leave-it"] == 2000
    assert lines["Buyer's take-it-or-leave-it"] == 1000
    # The buyer proposes first and keeps 0.342801 of 1,000 below its budget.
    assert lines["Rubinstein, 10 rounds"] == pytest.approx(1657.20, abs=0.01)


def test_without_a_zone_theory_names_no_price() -> None:
    assert reference_lines(a_sale(budget=900_00)) == {}
