"""How well strangers' lines are read: the bars, on the half that nobody writes phrases for."""

from agents.scoring.labelled import (
    Half,
    acts_lines,
    acts_lines_to_learn,
    only,
    price_lines,
    tells_lines,
)
from agents.scoring.report import ACTS_BAR, PRICE_BAR, TELLS_BAR
from agents.scoring.scores import PriceScore, TellsScore, score_acts, score_prices, score_tells


def prices(half: Half) -> PriceScore:
    return score_prices(only(price_lines(), half))


def tells(half: Half) -> TellsScore:
    return score_tells(only(tells_lines(), half))


def test_prices_of_held_out_lines_are_read() -> None:
    assert prices("held-out").accuracy >= PRICE_BAR


def test_tells_of_held_out_lines_are_noticed() -> None:
    assert tells("held-out").macro_f1 >= TELLS_BAR


def test_acts_of_held_out_lines_are_heard() -> None:
    lines = only(acts_lines(), "held-out")
    assert len(acts_lines()) >= 600
    assert score_acts(lines).together.f1 >= ACTS_BAR


def test_no_line_is_both_learned_from_and_measured_on() -> None:
    learned = {line.text for line in acts_lines_to_learn()}
    assert not learned & {line.text for line in acts_lines()}


def test_no_line_of_either_half_sells_by_mistake() -> None:
    assert prices("open").sold == prices("held-out").sold == 0


def test_few_denials_of_held_out_lines_fire() -> None:
    score = tells("held-out")
    assert score.negations_fired <= score.negations * 0.2
