"""Words shown before a message is finished: never a number, never of a move that is not played."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.dialects.parsing import Parsed
from agents.output_guard.secrets import amounts_in
from agents.sayable import partial_answer, sayable
from bazaarbatna.number_words import spoken


def shown(answer: str, *, piece: int = 3, plays: bool = True) -> list[str]:
    heard: list[str] = []
    listener = partial_answer(heard.append, lambda proposal: plays)
    for start in range(0, len(answer), piece):
        listener.hear(answer[start : start + piece])
    return heard


def an_answer(message: str) -> str:
    return json.dumps({"action": "offer", "price": 165, "message": message})


def test_words_appear_as_they_are_made() -> None:
    heard = shown(an_answer("Arre bhai thoda sahi lagao na please"))
    assert heard[-1] == "Arre bhai thoda sahi lagao na"
    assert len(heard) > 3
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(heard))


def test_nothing_is_shown_from_the_first_number_on() -> None:
    assert shown(an_answer("Dekho bhai 165 se zyada nahi dunga"))[-1] == "Dekho bhai"
    assert shown(an_answer("Dekho bhai ek sau painsath final hai"))[-1] == "Dekho bhai"
    assert shown(an_answer("My limit is \u20b934500 okay bhai")) == [
        "My",
        "My limit",
        "My limit is",
    ]


def test_words_of_a_move_that_is_not_played_are_never_shown() -> None:
    assert shown(an_answer("Arre bhai thoda sahi lagao"), plays=False) == []


def test_an_answer_whose_words_come_before_its_price_shows_nothing() -> None:
    assert shown('{"message": "Arre bhai kya haal", "action": "offer", "price": 165}') == []


def test_the_verdict_is_about_the_answers_own_price() -> None:
    asked: list[Parsed] = []

    def plays(proposal: Parsed) -> bool:
        asked.append(proposal)
        return True

    listener = partial_answer(lambda words: None, plays)
    listener.hear(an_answer("Arre bhai thoda sahi lagao"))
    assert [one.price for one in asked] == [16500]


def test_a_next_backend_begins_anew() -> None:
    heard: list[str] = []
    listener = partial_answer(heard.append, lambda proposal: True)
    listener.hear('{"action":"offer","price":165,"message":"Suno bhai is')
    listener.hear("")
    listener.hear('{"action":"walk","price":null,"message":"Arre main to chala bhai')
    assert heard == ["Suno bhai", "Arre main to chala"]


@pytest.mark.parametrize("hidden", ["<b>bold</b> text here ok", "see https://x.example now ok"])
def test_markup_is_not_shown(hidden: str) -> None:
    assert shown(an_answer(hidden)) in ([], ["see"])


@given(st.integers(1, 9_999_999), st.data())
def test_no_budget_can_be_read_off_a_whisper(budget: int, data: st.DataObject) -> None:
    said = data.draw(st.sampled_from([*sorted(spoken(budget)), str(budget), f"{budget:,}"]))
    words = sayable(f"Suno bhai mera budget {said} tak hai samjhe")
    assert not amounts_in(words)
    assert words.startswith("Suno bhai mera budget")
    assert str(budget) not in words


@pytest.mark.parametrize(
    "words", ["देखो भाई १०० final ok", "देखो भाई सौ दूंगा ok", "देखो भाई दो सौ दूंगा ok"]
)
def test_devanagari_numbers_are_numbers(words: str) -> None:
    assert sayable(words) == "देखो भाई"
