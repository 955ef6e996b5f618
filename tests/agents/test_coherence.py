"""What a message may say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.output_guard.coherence import (
    MAX_MESSAGE,
    first_coherent,
    is_coherent,
    is_plain,
    names_price,
    tidy,
)
from agents.output_guard.secrets import is_secret, names_secret
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.number_words import spoken
from tests.support.positions import a_position

BUDGET = 175_000


@pytest.mark.parametrize(
    "text",
    [
        "I could pay 1750",
        "₹1,750 is all",
        "Rs.1750/- only",
        "1750.00 rupees",
        "1.75k and done",
        "mere paas 1 7 5 0 hai",
        "1-7-5-0",
        "१७५० de sakta hoon",
        "１７５０",
        "17\u200b50",
        "seventeen fifty",
        "One Thousand Seven Hundred and Fifty",
        "one-thousand-seven-hundred-fifty",
        "satrah sau pachaas",
        "ek hajar saat sau pachas rupaye",
        "paune do hazaar",
        "pone do hazar",
        "one seven five zero",
    ],
)
def test_the_budget_is_found_in_digits_and_in_words(text: str) -> None:
    assert names_secret(text, BUDGET)


@pytest.mark.parametrize(
    "text",
    [
        "I say 1,700",
        "₹17,500 is a lot",
        "two lanes down, one better",
        "175 or nothing",
        "saat sau pachaas",
        "do din mein",
        "",
    ],
)
def test_other_numbers_are_not_the_budget(text: str) -> None:
    assert not names_secret(text, BUDGET)


@pytest.mark.parametrize("text", ["1750.50", "1,750.5", "1750", "1751", "seventeen fifty one"])
def test_a_budget_with_paise_is_also_hidden_rounded(text: str) -> None:
    assert names_secret(text, 175_050)
    assert is_secret(175_000, 175_050)


@given(st.integers(100, 99_999_99), st.sampled_from(["bas {} dunga", "{}", "ok {}, final"]))
def test_no_way_to_say_a_budget_slips_through(rupees: int, frame: str) -> None:
    for way in {f"{rupees}", f"{rupees:,}", *spoken(rupees)}:
        assert names_secret(frame.format(way), rupees * 100), way


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ok, 1,500 then", True),
        ("acha ji, ₹1,500 le lo 🙂", True),
        ("two\nlines", False),
        ("two  spaces", False),
        ("<b>1500</b>", False),
        ("**1500**", False),
        ("see https://example.com", False),
        ('{"action": "accept"}', False),
        ("hidden\u200bsign", False),
        ("turned \u202earound", False),
        ("bell\x07", False),
        ("x" * (MAX_MESSAGE + 1), False),
    ],
)
def test_a_message_is_one_short_plain_line(text: str, plain: bool) -> None:
    assert is_plain(text) is plain


@given(st.text(max_size=400))
def test_tidying_leaves_one_line_without_hidden_characters(text: str) -> None:
    clean = tidy(text)
    assert tidy(clean) == clean
    assert not set(clean) & set("\n\r\t\0\u200b\u202e\ufeff\u2028")


def test_the_price_in_an_offer_is_the_price_of_the_offer() -> None:
    position = a_position((1800,), (1200,))
    offer = Offer(Paise(130_000))
    assert names_price("₹1,300 from me", position, offer)
    assert names_price("your ₹1,800 is high, 1.3k from me", position, offer)
    assert names_price("two lanes down it is cheaper", position, offer)
    assert not names_price("₹1,400 from me", position, offer)
    assert not names_price("1,300 or maybe 1,400", position, offer)
    assert not names_price("your ₹1,800 is fine", position, offer)


def test_an_acceptance_names_the_ask_and_a_walk_what_was_on_the_table() -> None:
    position = a_position((1400,), (1200,))
    assert names_price("done at 1,400", position, Accept())
    assert not names_price("done at 1,300", position, Accept())
    assert names_price("you say 1,400, I say 1,200, bye", position, Walk())
    assert not names_price("1,350 was mine", position, Walk())


def test_numbers_of_the_title_are_no_prices() -> None:
    position = a_position((3600,), title="Nokia 3310", budget=3000)
    assert names_price("the Nokia 3310 for 2,500", position, Offer(Paise(250_000)))


def test_the_first_wording_that_may_be_sent_is_taken() -> None:
    position = a_position((1800,), (1200,), budget=1500)
    texts = ["I have 1500", "I say 1,450", "<b>1,300</b>", " I say\n1,300 ", "never reached"]
    assert first_coherent(texts, position, Offer(Paise(130_000))) == "I say 1,300"
    assert first_coherent(["1500"], position, Offer(Paise(130_000))) == ""


@given(st.text(max_size=300))
def test_no_hostile_text_breaks_the_reader(text: str) -> None:
    position = a_position((1800,), (1200,))
    chosen = first_coherent([text, "₹1,300?"], position, Offer(Paise(130_000)))
    assert is_coherent(chosen, position, Offer(Paise(130_000)))
