"""The arithmetic of the scores, on lines whose answer is plain."""

import pytest

from agents.scoring.labelled import PriceLine, TellsLine
from agents.scoring.scores import SignalScore, score_prices, score_tells
from agents.text.tells.words import SignalName
from bazaarbatna.bargain.quantities import Paise
from negotiation.readers import Intent

NONE: frozenset[SignalName] = frozenset()
HASTE: frozenset[SignalName] = frozenset({"urgency"})


def line(text: str, signals: frozenset[SignalName], *, denies: bool = False) -> TellsLine:
    return TellsLine(text, signals, "negation" if denies else "")


def test_a_reader_that_notices_nothing_scores_nothing() -> None:
    score = score_tells([line("need money", HASTE), line("hello", NONE)], lambda _: NONE)
    assert score.macro_f1 == 0
    assert score.signals["urgency"] == SignalScore(hits=0, false=0, missed=1)
    assert [miss.line.text for miss in score.misses] == ["need money"]


def test_a_reader_that_always_fires_has_recall_without_precision() -> None:
    lines = [line("need money", HASTE), *(line(f"hello {n}", NONE) for n in range(3))]
    urgency = score_tells(lines, lambda _: HASTE).signals["urgency"]
    assert (urgency.precision, urgency.recall) == (0.25, 1.0)
    assert urgency.f1 == pytest.approx(0.4)


def test_a_denial_fires_only_by_a_signal_it_does_not_show() -> None:
    lines = [line("no hurry", NONE, denies=True), line("no offers, quick", HASTE, denies=True)]
    score = score_tells(lines, lambda _: HASTE)
    assert (score.negations, score.negations_fired) == (2, 1)


def test_prices_count_what_was_asked_back_mistaken_and_sold() -> None:
    lines = [
        PriceLine("170", 200, 150, "price", 170),
        PriceLine("165", 200, 150, "price", 165),
        PriceLine("150 or 170", 200, 150, "ambiguous", None),
        PriceLine("your 150 is a joke", 200, 150, "none", None),
        PriceLine("done", 200, 150, "accept", None),
    ]
    answers = {
        "170": Intent("price", Paise(17_000)),
        "165": Intent("ambiguous", None, (Paise(16_500),), "Is ₹165 your price?"),
        "150 or 170": Intent("price", Paise(17_000)),
        "your 150 is a joke": Intent("accept", Paise(15_000)),
        "done": Intent("accept", Paise(15_000)),
    }
    score = score_prices(lines, lambda line: answers[line.text])
    assert (score.exact, score.asked_back, score.mistaken, score.sold) == (2, 1, 2, 1)
    assert (score.accuracy, score.price_accuracy) == (0.4, 0.5)


def test_no_lines_make_no_score_and_no_error() -> None:
    assert score_prices([]).accuracy == 0
    assert score_tells([]).macro_f1 == 0
