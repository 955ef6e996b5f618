"""A judge of all words has a say where the tables ask back, and books only what is said."""

import json
from collections.abc import Sequence

import numpy as np
import pytest
from django.core.management import call_command

from agents.management.commands import learn_bookings as learning
from agents.scoring.labelled import (
    BookingLine,
    booking_lines,
    booking_lines_to_learn,
    fresh_lines,
    next_booking_lines,
    only,
)
from agents.text import intent
from agents.text.intent import read_buyer_intent, read_intent
from agents.text.reading import judge as judging
from agents.text.reading.answer import Standing
from agents.text.reading.judge import MOST_PIECES, Judge, Opinion, Option, judge, options
from agents.text.reading.pieces import to_text
from agents.text.reading.roles import roles
from bazaarbatna.bargain.quantities import Paise

STAND = Paise(720_000), Paise(650_000)
TAKES = {
    "Sold! 7200, but pls clean it once": (7200, 6500),
    "चौदह लाख बीस हजार पर हमारी हाँ है, बयाना परसों देंगे": (1_420_000, 1_300_000),
}
KEEPS = {
    "7200 really? for this?": (7200, 6500),
    "not at 7200, never": (7200, 6500),
    "7200 only if you add the stand": (7200, 6500),
    "1500 final? no discount?": (1500, 1200),
    "7200? pagal ho kya": (7200, 6500),
}


@pytest.mark.parametrize(("text", "stand"), TAKES.items())
def test_a_buyer_takes_the_ask_that_it_names_among_plans(text: str, stand: tuple[int, int]) -> None:
    ask, bid = (Paise(100 * one) for one in stand)
    found = read_buyer_intent(text, ask, bid)
    assert (found.kind, found.price) == ("accept", ask)


@pytest.mark.parametrize(("text", "stand"), KEEPS.items())
def test_no_likelihood_takes_what_is_asked_or_refused(text: str, stand: tuple[int, int]) -> None:
    ask, bid = (Paise(100 * one) for one in stand)
    assert read_buyer_intent(text, ask, bid).kind != "accept"


class Sworn(Judge):
    """A judge who is sure of one deed, whatever is said."""

    def weigh(self, offered: Sequence[Option]) -> list[Opinion]:
        """Believe in taking the other side's price."""
        return [Opinion(one, 1.0) for one in offered if one.deed == "accept"]


@pytest.mark.parametrize(
    "text", ["2 bags please", "3 pieces, pack it", "0", "0 tension, pack it", "72 hours then", "72"]
)
def test_a_price_that_nobody_named_is_taken_by_no_judge(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """7,200 is so many times each of these numbers."""
    monkeypatch.setattr(intent.judging, "judge", lambda: Sworn({}, np.zeros(0)))
    assert read_buyer_intent("7200, pack it", *STAND).kind == "accept"
    assert read_buyer_intent(text, *STAND).kind != "accept"


def test_probabilities_are_of_all_that_a_line_can_do() -> None:
    text = to_text("ok 7200, or 7000 cash")
    offered = options(text, roles(text), Standing(Paise(720_000), Paise(650_000), "INR"), "buyer")
    opinions = judge().weigh(offered)
    assert sum(one.probability for one in opinions) == pytest.approx(1.0, abs=1e-5)
    assert {one.option.deed for one in opinions} == {"none", "ask", "accept", "price"}


@pytest.mark.parametrize("text", ["", "😀", "7200 " * MOST_PIECES, "\u202e0027", "NaN"])
def test_odd_lines_are_left_to_the_tables(text: str) -> None:
    for bid in (None, Paise(650_000)):
        assert read_intent(text, Paise(720_000), bid).kind != "accept"


@pytest.mark.parametrize(
    "text",
    [
        "is this account yours",
        "and whose idea was this, yours or your wife's",
        "Manzoor is my neighbour",
        "haan pakka leather",
        "कौन मान गया",
        "my mother agreed to sell it only last week",
        "the servicing was done in March",
        "le lo na bhaiya, kitna sochoge",
        "sold the stand already, only the drum is left",
        "so do we have a deal or what",
        "have you agreed",
        "we accept only upi",
        "paytm accepted",
    ],
)
def test_a_word_of_agreement_alone_sells_nothing(text: str) -> None:
    assert read_intent(text, *STAND).kind != "accept"


@pytest.mark.parametrize(
    "text",
    [
        "rakh lo",
        "okay okay, you have worn me out, come and collect it",
        "chal teri khushi ke liye, de diya",
        "ठीक है, आपकी बात रखी, ले जाइए",
        "fine, I give in, your number it is",
    ],
)
def test_an_agreement_in_any_words_is_booked_or_asked_about(text: str) -> None:
    read = read_intent(text, *STAND)
    assert read.kind == "accept" or read.candidates == (STAND[1],)


def test_lines_are_read_by_judges_that_have_not_seen_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = booking_lines_to_learn()[:60]
    known: list[int] = []

    def fit(rows: Sequence[learning.Row]) -> judging.Judge:
        known.append(len(rows))
        return judging.Judge({}, np.zeros(0))

    monkeypatch.setattr(learning, "booking_lines_to_learn", lambda: few)
    monkeypatch.setattr(learning, "fitted", fit)
    shipped = judging.judge
    call_command("learn_bookings", folds=3)
    told = json.loads(capsys.readouterr().out)
    assert told["lines"] == 60
    assert judging.judge is shipped
    # Each of three judges has a third of the sixty kept from it.
    of_all = [len(learning.to_rows([*few[:first], *few[first + 20 :]])) for first in (0, 20, 40)]
    assert [one - _known() for one in known] == of_all


def _known() -> int:
    lines = [*only(booking_lines(), "open"), *only(next_booking_lines(), "open")]
    return len(learning.to_rows([*lines, *fresh_lines(BookingLine)]))
