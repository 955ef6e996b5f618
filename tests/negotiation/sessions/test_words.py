"""What is kept of what people type."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.words import clean, clean_line


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  170  ", "170"),
        ("one\r\ntwo", "one\ntwo"),
        ("a\tb", "a b"),
        ("a\x00\x07\x1b[31mb", "a[31mb"),
        ("\u202eevil\u2066", "evil"),
        ("ठीक है, ले जाओ", "ठीक है, ले जाओ"),
        ("क्\u200dष", "क्\u200dष"),
        ("👨\u200d👩\u200d👧 deal", "👨\u200d👩\u200d👧 deal"),
        ("broken \ud83d half", "broken  half"),
    ],
)
def test_the_words_stay_and_what_steers_screens_goes(typed: str, kept: str) -> None:
    assert clean(typed) == kept


def test_a_title_is_one_line() -> None:
    assert clean_line("Brass\n  lamp\t\tbig") == "Brass lamp big"


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    once.encode()
