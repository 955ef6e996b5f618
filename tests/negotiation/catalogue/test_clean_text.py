"""Hostile and sloppy text becomes one visible line."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.words import clean_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Kettle &amp; mug", "Kettle & mug"),
        ("10&quot; pan &amp;quot;new&amp;quot;", '10" pan "new"'),
        ("Oven<br/>safe <b>now</b>", "Oven safe now"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;Lamp", "alert(1) Lamp"),
        ("bolts <3 mm and > 2", "bolts <3 mm and > 2"),
        ("free\u202egpj.exe\u2066", "freegpj.exe"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("tab\tnul\x00line\r\nbell\x07", "tab nul line bell"),
        ("Wifi\x96 TSR1", "Wifi– TSR1"),
        ("half \ud800 pair", "half pair"),
        ("\u3164\u2800 blank letters", "blank letters"),
        ("कढ़ाई और स्त्री", unicodedata.normalize("NFC", "कढ़ाई और स्त्री")),
        ("wide\u3000space\xa0here", "wide space here"),
    ],
)
def test_text_is_shown_as_it_was_meant(text: str, shown: str) -> None:
    assert clean_text(text, 200) == shown


def test_marks_cannot_climb_out_of_the_line() -> None:
    assert len(clean_text("Z" + "\u0336" * 500, 200)) <= 4


def test_a_long_title_is_cut_at_a_word() -> None:
    shown = clean_text("word " * 100, 200)
    assert len(shown) <= 200
    assert shown.endswith("word…")


def test_a_title_without_spaces_is_cut_anywhere() -> None:
    assert clean_text("x" * 10_000, 200) == "x" * 199 + "…"


@given(st.text(max_size=400), st.integers(min_value=5, max_value=200))
def test_any_text_is_one_storable_line_within_the_limit(text: str, longest: int) -> None:
    shown = clean_text(text, longest)
    assert len(shown) <= longest
    assert shown == " ".join(shown.split())
    assert not {"Cc", "Cf", "Cs"} & {unicodedata.category(c) for c in shown}
    shown.encode()


@given(st.text(max_size=200))
def test_cleaning_resolved_text_again_changes_nothing(text: str) -> None:
    once = clean_text(text.replace("&", "").replace("<", ""), 200)
    assert clean_text(once, 200) == once
