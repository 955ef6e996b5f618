"""What of a model's answer is played."""

import pytest

from agents.dialects.parsing import Parsed, parse
from agents.output_guard.coherence import is_mere_talk
from agents.sellers.live import settle, settle_talk
from agents.sellers.rule_seller import RuleSeller
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from tests.support.selling import a_stall, with_talk

STALL = a_stall(bids=(600,), reservation=700)


def answer(price: float | None, message: str, action: str = "offer") -> Parsed:
    paise = None if price is None else Paise(round(price * 100))
    return Parsed(action, paise, message, True)  # type: ignore[arg-type]


def test_a_sensible_answer_is_played_word_for_word() -> None:
    said = parse('{"action": "offer", "price": 900, "message": "Solid tiffin bhai, 900 only."}')
    assert settle(STALL, "default", 1, said) == Offer(Paise(90_000), "Solid tiffin bhai, 900 only.")


def test_no_answer_leaves_the_turn_to_the_rules() -> None:
    assert settle(STALL, "firm", 1, None) == RuleSeller(1, "firm").act(STALL)


@pytest.mark.parametrize("price", [1100, 1000, 650, 1, 700])
def test_a_price_that_is_no_step_down_or_a_reckless_one_is_the_rules_price(price: float) -> None:
    rule = RuleSeller(1).act(STALL)
    assert isinstance(rule, Offer)
    move = settle(STALL, "default", 1, answer(price, "le lo"))
    assert isinstance(move, Offer)
    assert move.price == rule.price


def test_an_acceptance_below_the_reservation_price_becomes_a_counter_with_fitting_words() -> None:
    move = settle(STALL, "default", 1, answer(None, "Deal! It is yours.", "accept"))
    assert move == RuleSeller(1).act(STALL)


def test_a_good_bid_is_accepted_though_the_model_haggles_on() -> None:
    move = settle(a_stall(bids=(750,)), "firm", 1, answer(900, "900, no less"))
    assert isinstance(move, Accept)
    assert "900" not in move.text


def test_a_model_may_walk_only_with_cause() -> None:
    bye = answer(None, "Enough, goodbye.", "walk")
    assert settle(a_stall(bids=(100,)), "default", 1, bye) == RuleSeller(1).act(
        a_stall(bids=(100,))
    )
    insulted = a_stall((1000,) * 3, (100,) * 3)
    assert settle(insulted, "flexible", 1, bye) == Walk("Enough, goodbye.")


@pytest.mark.parametrize(
    "message",
    [
        "850 for you",
        "I take 900, my limit is 700",
        "at least 700",
        "between 690 and 720",
        "done, it is yours",
        "**900** only",
        "see www.example.com",
        "x" * 321,
        "",
    ],
)
def test_words_that_may_not_be_said_are_replaced_and_the_price_stays(message: str) -> None:
    move = settle(STALL, "default", 1, answer(900, message))
    assert isinstance(move, Offer)
    assert move.price == 90_000
    assert move.text
    assert move.text != message
    assert "₹900" in move.text


def test_a_long_answer_keeps_the_sentences_that_fit() -> None:
    long = f"Good tiffin, 900. {'It is solid steel and shiny. ' * 20}"
    move = settle(STALL, "default", 1, answer(900, long))
    assert move.text.startswith("Good tiffin, 900. It is solid")
    assert len(move.text) <= 320


def test_a_secret_in_the_last_sentence_is_cut_off() -> None:
    move = settle(STALL, "default", 1, answer(900, "Take it for 900. My minimum is 700."))
    assert move.text == "Take it for 900."


def test_mere_talk_keeps_harmless_words_and_replaces_the_rest() -> None:
    position = with_talk(STALL, "what is your lowest?")
    fine = answer(None, "The clip is loose, I told you.", "say")
    assert settle_talk(position, "default", 1, fine) == "The clip is loose, I told you."
    for message in ("700 is my lowest", "how about 850?", "ok deal, take it", ""):
        said = settle_talk(position, "default", 1, answer(None, message, "say"))
        assert said == RuleSeller(1).reply(position)
        assert is_mere_talk(said, position)
    assert settle_talk(position, "default", 1, None) == RuleSeller(1).reply(position)
