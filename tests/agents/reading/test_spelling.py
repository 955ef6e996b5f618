"""One spelling for the many ways in which people write a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.text.price_text import read_prices
from agents.text.reading.spelling import spell, to_latin
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.number_words import heard


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("chaubees", 24),
        ("chhabbees", 26),
        ("bayaaliss", 42),
        ("pachhattar", 75),
        ("ikkees", 21),
        ("pachpann", 55),
        ("ninyaanve", 99),
    ],
)
def test_number_words_are_heard_whatever_their_spelling(word: str, value: int) -> None:
    reading = read_prices(f"{word} sau", Paise(value * 10_000), None)
    assert reading.price == value * 100 * 100


@pytest.mark.parametrize("word", ["teen", "tees", "solid", "basis", "terrace", "bathe", "satin"])
def test_short_and_other_words_are_no_numbers_by_sound(word: str) -> None:
    assert heard(word) is None


@pytest.mark.parametrize(
    ("word", "latin"),
    [
        ("बकवास", "bakwas"),
        ("विश्वास", "vishwas"),
        ("करता", "karta"),
        ("परसों", "parso"),
        ("घर", "ghar"),
        ("किताब", "kitab"),
        ("इससे", "isse"),
        ("गए", "gae"),
    ],
)
def test_devanagari_is_written_as_people_type_it(word: str, latin: str) -> None:
    assert to_latin(word) == latin


@pytest.mark.parametrize("word", ["kaam", "", "क्या?", "्क", "ाक", "१७०"])
def test_what_is_no_devanagari_word_stays(word: str) -> None:
    assert to_latin(word) in (None, "")


def test_the_dot_below_changes_nothing() -> None:
    ask = Paise(500_000)
    assert read_prices("साढ़े तीन हज़ार", ask, None).price == 350_000
    assert read_prices("साढे तीन हजार", ask, None).price == 350_000
    assert read_prices("साढ\u093cे तीन हज\u093cार", ask, None).price == 350_000


@given(st.text(alphabet="कखगचजटडतदनपबमयरलवशसहािीुूेैोौं्ँअआइईउऊएओ", max_size=30))
def test_any_devanagari_is_spelled_without_an_error(word: str) -> None:
    assert isinstance(spell(word), str)
