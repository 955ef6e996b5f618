"""How a seller's words become a price."""

import pytest

from agents.text.price_text import read_prices
from agents.text.reading.answer import PriceReading
from bazaarbatna.bargain.quantities import to_paise
from tests.agents.reading import price_lines


def read(text: str, ask: float = 200, bid: float | None = 150) -> PriceReading:
    return read_prices(text, to_paise(ask), None if bid is None else to_paise(bid))


def outcome(reading: PriceReading) -> price_lines.Expected:
    if reading.question:
        return tuple(price / 100 for price in reading.candidates)
    return None if reading.price is None else reading.price / 100


EASY = (
    *price_lines.PLAIN,
    *price_lines.HOLDING,
    *price_lines.RELATIVE,
    *price_lines.CORRECTED,
    *price_lines.OTHER_NUMBERS,
    *price_lines.WORDS_ONLY,
    *price_lines.ASKED_BACK,
)


@pytest.mark.parametrize(("text", "expected"), EASY)
def test_a_line_names_its_price(text: str, expected: price_lines.Expected) -> None:
    assert outcome(read(text)) == expected


@pytest.mark.parametrize(("text", "expected"), price_lines.BIG)
def test_a_line_about_thousands_names_its_price(text: str, expected: price_lines.Expected) -> None:
    assert outcome(read(text, 3500, 3000)) == expected


@pytest.mark.parametrize(("text", "expected"), price_lines.LAKHS)
def test_a_line_about_lakhs_names_its_price(text: str, expected: price_lines.Expected) -> None:
    assert outcome(read(text, 250_000, 220_000)) == expected


@pytest.mark.parametrize("text", price_lines.OUT_OF_RANGE)
def test_a_number_no_game_takes_is_asked_again(text: str) -> None:
    reading = read(text)
    assert reading.price is None
    assert reading.question
