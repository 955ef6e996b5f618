"""Prices in files are read exactly or refused with a reason."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.catalogue.formats import Skip, Skipped, read_price


def paise(field: object, currency: str = "INR") -> int:
    return read_price(field, currency, Skip.NO_LIST_PRICE)


def reason(field: object, currency: str = "INR") -> Skip:
    with pytest.raises(Skipped) as skipped:
        paise(field, currency)
    return skipped.value.reason


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("₹399", 39_900),
        ("₹1,09,900", 1_09_900_00),
        ("₹ 1,09,900.50", 1_09_900_50),
        ("Rs. 2,899", 2_899_00),
        ("Rs 45", 45_00),
        ("INR 1099", 1_099_00),
        ("â‚¹1,099", 1_099_00),
        ("1,234,567", 1_234_567_00),
        ("  450 ", 450_00),
        (450, 450_00),
        (349.99, 349_99),
        ("19.995", 20_00),
    ],
)
def test_rupees_are_read_in_every_common_form(field: object, expected: int) -> None:
    assert paise(field) == expected


@pytest.mark.parametrize(
    ("field", "currency", "expected"),
    [
        ("$1,099.99", "USD", 1_099_99),
        ("US$ 20", "USD", 20_00),
        ("$20", "CAD", 20_00),
        ("CAD 20", "CAD", 20_00),
        ("€12", "EUR", 12_00),
        ("£12.50", "GBP", 12_50),
    ],
)
def test_other_currencies_are_read_with_their_signs(
    field: str, currency: str, expected: int
) -> None:
    assert paise(field, currency) == expected


@pytest.mark.parametrize(
    "field",
    ["ask us", "₹", "12,50", "1.099,00", "₹299 - ₹499", "-5", "₹-5", "1e5", "NaN", "inf", "1,2,3",
     "12 000", "5%", "₹5/kg", True, [5], {"a": 1}, -5, float("nan"), float("inf"), 10**400,
     "9" * 5000, "1,000,000,001"],
    ids=lambda field: f"{type(field).__name__} {field!s:.12}",
)  # fmt: skip
def test_what_is_no_clear_price_is_refused(field: object) -> None:
    assert reason(field) is Skip.UNREADABLE_PRICE


@pytest.mark.parametrize("field", [None, "", "   "])
def test_an_absent_price_has_the_reason_of_its_field(field: object) -> None:
    assert reason(field) is Skip.NO_LIST_PRICE


@pytest.mark.parametrize(
    ("field", "currency"), [("$20", "INR"), ("₹20", "USD"), ("€20", "USD"), ("$20", "EUR")]
)
def test_a_price_in_another_currency_is_not_taken_for_ours(field: str, currency: str) -> None:
    assert reason(field, currency) is Skip.OTHER_CURRENCY


@pytest.mark.parametrize("field", [0, "₹0.99", "0.10", 0.5, 5e-324])
def test_prices_below_one_are_too_small_to_bargain(field: object) -> None:
    assert reason(field) is Skip.TOO_CHEAP


@given(st.integers(min_value=100, max_value=100_000_000_000))
def test_every_price_comes_back_as_it_was_written(amount: int) -> None:
    assert paise(f"₹{amount // 100:,}.{amount % 100:02d}") == amount


@given(st.one_of(st.text(max_size=40), st.floats(), st.integers(), st.none(), st.binary()))
def test_nothing_but_a_price_or_a_reason_comes_out(field: object) -> None:
    with suppress(Skipped):
        assert 100 <= paise(field) <= 100_000_000_000
