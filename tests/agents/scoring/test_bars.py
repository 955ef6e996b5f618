"""How well strangers' lines are read: the bars, on the half that nobody writes phrases for."""

from agents.scoring.labelled import (
    ActsLine,
    BookingLine,
    Half,
    TellsLine,
    acts_lines,
    acts_lines_to_learn,
    booking_lines,
    fresh_lines,
    next_booking_lines,
    only,
    price_lines,
    tells_lines,
)
from agents.scoring.scores import (
    PriceScore,
    TellsScore,
    score_acts,
    score_bookings,
    score_prices,
    score_tells,
)

PRICE_BAR, TELLS_BAR, ACTS_BAR = 0.95, 0.80, 0.70


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


def test_little_is_booked_in_silence_that_was_not_meant() -> None:
    """The bars are what is reached, not what is wanted: none of the open half, 1 in 500 else."""
    assert len(booking_lines()) >= 1000
    opened, held = (score_bookings(only(booking_lines(), half)) for half in ("open", "held-out"))
    assert not opened.wrong
    assert len(held.wrong) <= 0.022 * held.lines
    assert held.unsaid <= 0.004 * held.lines


def test_of_the_next_lines_few_are_booked_wrongly_or_asked_without_need() -> None:
    scores = [score_bookings(only(next_booking_lines(), half)) for half in ("open", "held-out")]
    for score in scores:
        assert score.lines > 200
        assert len(score.wrong) <= 0.01 * score.lines
        assert len(score.needless) <= 0.03 * score.lines


def test_few_plain_prices_are_asked_back_or_not_heard() -> None:
    most: dict[Half, float] = {"open": 0.038, "held-out": 0.115}
    for half, part in most.items():
        score = score_bookings(only(booking_lines(), half))
        assert len(score.needless) <= part * score.lines


def test_lines_that_nobody_has_looked_at_are_read() -> None:
    """What was reached at first sight, a little below: who lowers these bars reads worse."""
    assert score_tells(fresh_lines(TellsLine)).macro_f1 >= 0.72
    assert score_acts(fresh_lines(ActsLine)).together.f1 >= 0.72
    booked = score_bookings(fresh_lines(BookingLine))
    assert booked.lines >= 500
    assert not booked.wrong
    assert len(booked.needless) <= 0.02 * booked.lines


def test_no_fresh_line_stands_in_an_older_set() -> None:
    older = {line.text for lines in (acts_lines(), tells_lines()) for line in lines}
    older |= {line.text for line in acts_lines_to_learn()}
    fresh = [*fresh_lines(ActsLine), *fresh_lines(TellsLine)]
    assert not older & {line.text for line in fresh}
    assert not {one.text for one in fresh_lines(BookingLine)} & {
        one.text for one in booking_lines()
    }
