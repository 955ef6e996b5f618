"""Numbers as people say them."""

import pytest

from agents.text.reading.amounts import take_apart
from bazaarbatna.number_words import ENGLISH, HINDI, spoken, words


@pytest.mark.parametrize(
    ("number", "english", "hindi"),
    [
        (0, "zero", "shunya"),
        (19, "nineteen", "unnis"),
        (42, "forty two", "bayalis"),
        (100, "one hundred", "ek sau"),
        (999, "nine hundred ninety nine", "nau sau ninyanve"),
        (1750, "one thousand seven hundred fifty", "ek hazaar saat sau pachas"),
        (235_000, "two lakh thirty five thousand", "do lakh paintis hazaar"),
        (10_000_000, "one crore", "ek crore"),
    ],
)
def test_numbers_are_written_in_both_languages(number: int, english: str, hindi: str) -> None:
    assert words(number) == english
    assert words(number, "hindi") == hindi


def test_hindi_has_its_own_word_for_each_number_below_a_hundred() -> None:
    assert len(HINDI) == len(set(HINDI)) == 100
    assert len(ENGLISH) == 20


@pytest.mark.parametrize(
    ("number", "way"),
    [
        (1500, "dedh hazaar"),
        (250, "dhai sau"),
        (3500, "saadhe teen hazaar"),
        (175, "paune do sau"),
        (125_000, "sava lakh"),
        (1750, "seventeen fifty"),
        (1750, "seventeen hundred fifty"),
        (1750, "satrah sau pachas"),
        (2_000_000, "two million"),
        (950, "nine hundred and fifty"),
    ],
)
def test_the_short_ways_of_the_market_are_known(number: int, way: str) -> None:
    assert way in spoken(number)


@pytest.mark.parametrize("number", [120, 250, 999, 1500, 1750, 4350, 62_000, 235_000])
def test_every_way_to_say_a_number_reads_back_as_that_number(number: int) -> None:
    for way in spoken(number):
        read = [a.paise for a in take_apart(way).amounts]
        assert read == [100 * number], way
