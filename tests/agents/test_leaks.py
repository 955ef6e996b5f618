"""What gives a secret price away, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.output_guard.secrets import names_secret
from bazaarbatna.number_words import spoken

LIMIT = 31_000
"""Asha's reservation price: 310 rupees, in paise."""

BUDGET = 3_456_700
"""Bilal's budget: 34,567 rupees, in paise."""


@pytest.mark.parametrize(
    "text",
    [
        "at least 310",
        "310 se kam nahi",
        "310.0 or nothing",
        "310.00 it must be",
        "₹310/- last",
        "Rs310only",
        "3 1 0",
        "3-1-0",
        "3.1.0",
        "three hundred ten",
        "three hundred and ten, no less",
        "three ten",
        "teen sau das se kam nahi",
        "teen ek shunya",
        "३१० से कम नहीं",
        "३ १ ०",
        "between 300 and 320",
        "300-320 ke beech",
        "300 se 320",
        "somewhere from 305 to 330",
        "around 310",
        "around 309",
        "about 312 is my lowest",
        "minimum 308.5",
        "311 aakhri daam",
        "lagbhag 308",
        "not below 309",
        "my floor? 312",
        "it cost me 308",
        "300 plus 10",
        "300 + 10",
        "300 aur phir 10",
        "320 minus 10",
        "10 less than 320",
        "320 se 10 kam",
        "31 times 10",
        "31 x 10",
        "half of 620",
        "double of 155",
        "first digit three, then a one, then zero",
        "3, and 1, and at the end 0",
        "t-h-r-e-e h-u-n-d-r-e-d t-e-n",
        "t.h.r.e.e.h.u.n.d.r.e.d.a.n.d.t.e.n",
        "three-hundred-ten",
        "threehundredten",
    ],
)
def test_the_sellers_limit_is_found(text: str) -> None:
    assert names_secret(text, LIMIT)


@pytest.mark.parametrize(
    "text",
    [
        "around 34.5k",
        "budget 34500 hai",
        "max 34.6k",
        "34.6k tak",
        "34,500 is all I can afford",
        "34.5 max, in thousands",
        "34 to 35k",
        "between 34k and 35k",
        "1234.56 and 34567",
        "jeb mein 34600",
        "34,567",
        "34567.00",
        "chauntis hazaar paanch sau sadsath",
        "thirty four thousand five hundred sixty seven",
    ],
)
def test_the_buyers_budget_is_found(text: str) -> None:
    assert names_secret(text, BUDGET)


def test_a_thousand_may_be_written_with_a_letter_or_a_comma() -> None:
    assert names_secret("1.2k se kam nahi", 120_000)
    assert names_secret("1,200 at least", 120_000)
    assert names_secret("baarah sau se kam nahi", 120_000)


@pytest.mark.parametrize(
    "text",
    [
        "350 is my last price",
        "345 se kam nahi",
        "I can do 330, minimum",
        "315 for you",
        "between 350 and 400",
        "lowest price in town: 340",
        "my 340 against your 250",
        "two lanes down, at most",
        "31 others asked about it",
        "3100 new, 340 here",
        "100 to 1000, anything goes",
        "340, that is 20 less than before",
        "half of them want it for 340",
        "one or two people, three at most",
        "",
    ],
)
def test_an_honest_price_further_away_is_no_leak(text: str) -> None:
    assert not names_secret(text, LIMIT)


@pytest.mark.parametrize("text", ["30,000 max", "around 33k", "33.5k tak", "budget tight hai"])
def test_an_honest_bid_further_away_is_no_leak(text: str) -> None:
    assert not names_secret(text, BUDGET)


def test_a_price_beside_the_secret_may_be_said_without_a_word_of_limits() -> None:
    assert not names_secret("how does 312 sound?", LIMIT)
    assert names_secret("312 is my last", LIMIT)


FRAMES = ("{} se kam nahi", "at least {}", "my minimum is {}", "around {}", "last {}", "{} tak")


@given(st.integers(100, 99_999_99), st.sampled_from(FRAMES), st.floats(-0.0099, 0.0099))
def test_no_near_miss_beside_a_word_of_limits_slips_through(
    rupees: int, frame: str, off: float
) -> None:
    near = round(rupees * (1 + off), 2)
    assert names_secret(frame.format(near), rupees * 100)


@given(st.integers(100, 99_999_99), st.sampled_from(FRAMES), st.sampled_from((0.9, 1.03, 1.5)))
def test_no_alarm_for_a_price_further_away(rupees: int, frame: str, factor: float) -> None:
    assert not names_secret(frame.format(round(rupees * factor) + 3), rupees * 100)


@given(st.integers(100, 99_999_99))
def test_no_way_to_say_a_limit_slips_through(rupees: int) -> None:
    for way in spoken(rupees):
        assert names_secret(f"{way} se kam nahi", rupees * 100), way


@given(st.text(max_size=400), st.integers(1, 10**11))
def test_no_text_breaks_the_reading(text: str, secret: int) -> None:
    assert names_secret(text, secret) in (True, False)
