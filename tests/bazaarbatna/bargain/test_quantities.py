"""Money in and out of the game."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazaarbatna.bargain import InvalidPrice, to_paise, to_rupees
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, clamp_price, other


@pytest.mark.parametrize(
    ("rupees", "paise"),
    [(170, 17000), (0.01, 1), (99.995, 10000), (1e9, 10**11), (0.005, 1), (1.005, 101)],
)
def test_rupees_become_paise(rupees: float, paise: int) -> None:
    assert to_paise(rupees) == paise


@pytest.mark.parametrize(
    "bad",
    [
        0,
        -1,
        0.004,
        1e9 + 1,
        1e300,
        math.nan,
        math.inf,
        -math.inf,
        True,
        "170",
        None,
        10**400,
        -(10**400),
    ],
    ids=lambda bad: repr(bad)[:12],
)
def test_what_is_no_price_is_refused(bad: object) -> None:
    with pytest.raises(InvalidPrice):
        to_paise(bad)  # type: ignore[arg-type]


@given(st.integers(MIN_PRICE, MAX_PRICE))
def test_paise_survive_the_way_to_rupees_and_back(paise: int) -> None:
    assert to_paise(to_rupees(paise)) == paise


@pytest.mark.parametrize(
    ("computed", "held"), [(1234.5, 1200), (99.4, 100), (150.5, 151), (150.49, 150)]
)
def test_a_computed_price_is_rounded_and_held(computed: float, held: int) -> None:
    assert clamp_price(computed, 100, 1200) == held


def test_a_table_has_two_sides() -> None:
    assert (other("buyer"), other("seller")) == ("seller", "buyer")
