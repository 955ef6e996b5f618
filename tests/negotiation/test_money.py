"""Prices as people read them."""

import pytest
from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

from bazaarbatna.money import rupees_text


@pytest.mark.parametrize(
    ("rupees", "text"),
    [
        (0, "₹0"),
        (7, "₹7"),
        (999, "₹999"),
        (1000, "₹1,000"),
        (99999.0, "₹99,999"),
        (100000, "₹1,00,000"),
        (235000, "₹2,35,000"),
        (1e9, "₹1,00,00,00,000"),
        (170.5, "₹170.50"),
        (0.01, "₹0.01"),
        (1.005, "₹1.01"),
        (-1250, "\N{MINUS SIGN}₹1,250"),
    ],
)
def test_rupees_are_grouped_the_indian_way(rupees: float, text: str) -> None:
    assert rupees_text(rupees) == text


def test_dollars_are_grouped_in_threes() -> None:
    assert rupees_text(1234567.5, "USD") == "$1,234,567.50"


def test_an_unknown_currency_is_named_by_its_code() -> None:
    assert rupees_text(1200, "AED") == "AED 1,200"


@given(st.integers(min_value=0, max_value=10**11))
def test_no_digit_is_lost_or_invented(paise: int) -> None:
    digits = rupees_text(paise / 100).removeprefix("₹").replace(",", "")
    assert float(digits) == paise / 100


def render(source: str, **context: object) -> str:
    return Template("{% load money %}" + source).render(Context(context))


def test_templates_write_prices_and_shares() -> None:
    written = render(
        "{{ price|rupees:currency }} · {{ part|share }}", price=235000.0, currency="USD", part=0.634
    )
    assert written == "$235,000 · 63\N{NO-BREAK SPACE}%"


def test_templates_write_a_dash_where_there_is_no_price() -> None:
    assert render("{{ price|rupees }}{{ part|share }}", price=None, part="") == "——"
