"""What a line asks for: a price, the bid, nothing, or a question back."""

import pytest

from agents.text.agreement import besides_yes
from agents.text.intent import read_intent
from bazaarbatna.bargain.quantities import to_paise
from negotiation.readers import Intent
from tests.agents.reading import intent_lines


def read(text: str, bid: float | None = 150) -> Intent:
    return read_intent(text, to_paise(200), None if bid is None else to_paise(bid))


def outcome(intent: Intent) -> float | str | None:
    if intent.kind == "price":
        return None if intent.price is None else intent.price / 100
    return "ask" if intent.kind == "ambiguous" else intent.kind


@pytest.mark.parametrize(("text", "expected"), intent_lines.LINES)
def test_a_line_says_what_it_asks_for(text: str, expected: float | str) -> None:
    assert outcome(read(text)) == expected


@pytest.mark.parametrize("text", intent_lines.SAFE)
def test_a_line_that_scorns_the_bid_never_takes_it(text: str) -> None:
    intent = read(text)
    assert intent.kind in ("none", "ambiguous")


def test_accepting_names_the_standing_bid() -> None:
    assert read("done") == Intent("accept", to_paise(150))


def test_nothing_can_be_accepted_before_the_first_bid() -> None:
    assert read("done", bid=None).kind == "none"
    assert read("170 done", bid=None).price == to_paise(170)


def test_a_mere_ok_is_asked_back_with_the_bid() -> None:
    assert read("ok").question == ("Do you accept ₹150? Tap it, or say yes; else name your price.")
    assert read("ok").candidates == (to_paise(150),)


def test_two_prices_are_asked_back_with_both() -> None:
    intent = read("150 ya 170?")
    assert intent.question == "Which is your price: ₹150 or ₹170?"
    assert intent.price is None


def test_the_question_speaks_the_currency_of_the_item() -> None:
    intent = read_intent("16 or 17", to_paise(20), to_paise(15), currency="USD")
    assert intent.question == "Which is your price: $16 or $17?"


def test_a_question_is_short() -> None:
    for text, expected in intent_lines.LINES:
        if expected == "ask":
            question = read(text).question
            assert "?" in question
            assert len(question) < 100


def test_the_answer_that_a_question_asks_for_is_understood() -> None:
    assert read("done").kind == "accept"
    assert "say yes" in read("theek hai").question
    assert "say yes" in read("-170").question
    assert besides_yes("yes") == ""
    assert read("170").price == to_paise(170)


@pytest.mark.parametrize(
    "line",
    ["stand bhi saath mein de dunga", "cover bhi de dunga", "main pump bhi de deta hun saath",
     "ok, your turn", "these two were my grandfather's", "both were bought in Surat"],
)  # fmt: skip
def test_what_is_given_on_top_or_asked_for_takes_no_bid(line: str) -> None:
    assert read(line).kind == "none"


@pytest.mark.parametrize(
    ("text", "ask", "bid"),
    [
        ("aapke jaise do laptop 22000 mein bike hain", 26000, 18000),
        ("आपके जैसे दो लैपटॉप 22000 में बिके", 26000, 18000),
        ("do laptop aapke jaise bike 21500 mein pichle hafte", 26000, 18000),
        ("two laptops like yours sold at 22000 only", 26000, 18000),
        ("chaar ban jayein?", 4200, 2700),
        ("चार बन जाएँ?", 4200, 2700),
        ("barah jodi juttiyan bhi hain ghar mein", 14200, 8000),
        ("do char baatein kar lein", 4200, 2700),
        ("chaar chand lag jayenge ghar mein", 4200, 2700),
    ],
)
def test_comparisons_and_counts_of_things_name_no_price(text: str, ask: int, bid: int) -> None:
    assert read_intent(text, to_paise(ask), to_paise(bid)).kind == "none"


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("aapke jaise grahak ko 22000 mein dunga", 22000),
        ("aapke liye 22000 de dunga", 22000),
        ("char hajar ban jaye?", 4000),
    ],
)
def test_words_like_them_still_name_one(text: str, price: int) -> None:
    ask = 26000 if price > 9000 else 4200
    assert read_intent(text, to_paise(ask), to_paise(2700)).price == to_paise(price)


@pytest.mark.parametrize(
    "text",
    [
        "12500 stays. do you even have clothes to wash, being a program?",
        "12500, why should I sell to you and not to the kabadiwala?",
        "12500। आप कौन से रंग पसंद करती हैं?",
    ],
)
def test_a_question_beside_the_own_standing_price_is_talk(text: str) -> None:
    asked = read_intent(text, to_paise(12500), to_paise(7400))
    assert asked.kind == "none"
    # The same words beside a new price are doubted as ever.
    moved = read_intent(text.replace("12500", "11500"), to_paise(12500), to_paise(7400))
    assert moved.kind != "none"
