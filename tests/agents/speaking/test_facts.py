"""What is said of our catalogue's things: true to the listing, found by who asks for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from agents.output_guard.coherence import claims, is_plain
from agents.speech.bank import look
from agents.speech.checks import is_in
from agents.speech.facts import LANGUAGES, answers_to, reasons
from agents.speech.promises import is_promise
from agents.text.languages import Register
from bazaarbatna.bargain.scenario import Item
from negotiation.catalogue.stock import Remarks, read_stock, remarks_on

ASKED = Path(__file__).with_name("asked_of_things.tsv")
THINGS = {
    entry.key: Item(entry.title, shelf.category, entry.text)
    for shelf in read_stock()
    for entry in shelf.listing
}


def remarks() -> Iterator[tuple[str, Remarks]]:
    for key, item in THINGS.items():
        of = remarks_on(item.condition)
        assert of is not None, f"{key}: nobody wrote what can be said of it"
        yield key, of


def test_each_thing_of_the_catalogue_has_facts_in_all_languages() -> None:
    for key, of in remarks():
        assert len(of.facts) >= 6, key
        rows = (*(answers for _, *answers in of.facts), *of.less, *of.more)
        for row in rows:
            english, hinglish, hindi = row
            assert english.isascii() or "é" in english, (key, english)
            assert any("\u0900" <= sign <= "\u097f" for sign in hindi), (key, hindi)
            assert not any("\u0900" <= sign <= "\u097f" for sign in hinglish), (key, hinglish)
            assert all(is_plain(one) and len(one.split()) <= 26 for one in row), (key, row)


def test_no_reason_claims_a_life_or_a_promise() -> None:
    wrong = [
        (key, one)
        for key, of in remarks()
        for row in (*of.less, *of.more)
        for one, language in zip(row, LANGUAGES, strict=True)
        if claims(one)
        or is_promise(one)
        or any(
            pattern.search(one) for pattern in (look("masculine"), look("slow"), look("last_word"))
        )
        or not is_in(one, language)
    ]
    assert wrong == []


def test_each_fact_is_found_by_the_words_that_ask_for_it() -> None:
    asked = missed = 0
    for key, of in remarks():
        for ways, *answers in of.facts:
            words = [way.strip().rstrip("*") for way in ways.split(",")][:3]
            asked += 1
            found = answers_to(THINGS[key], f"{' '.join(words)}?", "english")
            missed += answers[0] not in (found or ())
    assert missed <= asked * 0.02, f"{missed} of {asked}"


@pytest.mark.parametrize(
    ("key", "language", "line", "told"),
    [
        ("computers-thinkpad-t480", "english", "will the sticker come off?", "asset sticker"),
        ("computers-thinkpad-t480", "hinglish", "battery kitni der chalti hai?", "5 ghante"),
        ("computers-macbook-air-m1", "english", "which colour? any dents?", "space grey"),
        ("furniture-charpai-nylon", "hindi", "लकड़ी कौन सी है?", "साल"),
        ("phones-mi-power-bank", "english", "how many ports, and is one bad?", "slower"),
        ("music-violin-carnatic", "english", "does it come with a bow?", "bow"),
        ("sports-yonex-astrox", "hinglish", "kitne pound par strung hai?", "26"),
        ("clothing-banarasi-red", "hindi", "दाग कहाँ है?", "पल्लू"),
    ],
)
def test_a_question_gets_the_fact_it_asks_for(
    key: str, language: Register, line: str, told: str
) -> None:
    answers = answers_to(THINGS[key], line, language)
    assert told in " ".join(answers or ())


def test_two_questions_get_two_answers() -> None:
    laptop = THINGS["computers-macbook-air-m1"]
    found = answers_to(laptop, "is the charger there, and what colour is it?", "english")
    assert found is not None
    assert [("harger" in one, "grey" in one) for one in found] == [(True, False), (False, True)]


@pytest.mark.parametrize(
    "line",
    ["what would make you move?", "would you take 30k?", "are you a bot?", "kitna kam karogi?"],
)
def test_what_is_asked_of_her_is_asked_of_no_thing(line: str) -> None:
    laptop = THINGS["computers-macbook-air-m1"]
    assert answers_to(laptop, line, "english") == ()


def test_a_thing_of_a_visitor_has_no_facts() -> None:
    own = Item("My own kettle", "Kitchen", "Boils in a minute.")
    assert answers_to(own, "does it boil?", "english") is None
    assert reasons(own, "seller", "english") == ()


def test_what_a_reader_found_rightly_answered_is_answered_still() -> None:
    """Questions by a hand that saw no fact, graded by another one: `asked_of_things.tsv`."""
    rows = [line.split("\t") for line in ASKED.read_text(encoding="utf-8").splitlines()]
    right = [row for row in rows if row[0] == "right"]
    assert (len(rows), len(right)) == (200, 139)
    same = sum(
        answers_to(THINGS[key], question, cast(Register, language)) == tuple(answers)
        for _, key, language, question, *answers in right
    )
    assert same >= 0.9 * len(right), same


@pytest.mark.parametrize(
    "line",
    ["hi, what is wrong with it?", "Anything wrong with this?", "any flaws?",
     "is anything not working?", "isme kya gadbad hai"],
)  # fmt: skip
def test_whoever_asks_what_is_wrong_hears_what_the_listing_tells(line: str) -> None:
    for key, of in remarks():
        told = {answer for asks, answer, *_ in of.facts if "defect*" in asks}
        assert set(answers_to(THINGS[key], line, "english") or ()) & told, key
