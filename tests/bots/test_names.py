"""Names that people choose, for themselves and for their bots."""

import pytest

from negotiation import names
from negotiation.names import BadName, NameTaken, checked_name, name_key, tidy_name


@pytest.fixture(autouse=True)
def no_holders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_holders", {})


@pytest.mark.parametrize(
    "name",
    ["Asha", "my-bot 2.0", "O'Brien", "Zoë", "Łukasz", "आशा की दुकान", "বিলাল", "சேதன்", "王小明",
     "カタカナ山", "Хороший бот", "4 of a kind", "x2"],
)  # fmt: skip
def test_ordinary_names_of_many_scripts_are_allowed(name: str) -> None:
    assert checked_name(name).text == name


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("A", "characters"),
        ("A" * 25, "characters"),
        ("", "characters"),
        ("12", "needs a letter"),
        ("<b>bold</b>", "made of"),
        ("visit evil.com", "dot"),
        ("two  -- dashes", "one space"),
        ("-minus", "begins"),
        ("a\u200bb", "made of"),
        ("a\u202eb", "made of"),
        ("Bo\ufe0ft", "hard to tell"),
        ("Bo\u034ft", "hard to tell"),
        ("\u3164\u3164a", "hard to tell"),
        ("Z\u0301\u0302\u0303\u0304algo", "marks"),
        ("Chet\u0430n", "one script"),
        ("ᴄhetan", "hard to tell"),
        ("line\x00feed", "made of"),
        ("smile 🙂", "made of"),
    ],
)
def test_names_that_deceive_or_shout_are_refused_with_the_reason(name: str, word: str) -> None:
    with pytest.raises(BadName, match=word):
        checked_name(name)


@pytest.mark.parametrize(
    "name",
    ["Sauda", "sauda v2", "S4uda", "S a u d a", "Ѕаиdа", "ѕаuԁа", "rules smart", "Smart", "5mart",
     "Official bot", "vеrified", "Adm1n", "the house", "Bazaar-BATNA", "B0ulware", "Ｓａｕｄａ"],
)  # fmt: skip
def test_nobody_passes_for_a_player_of_the_house(name: str) -> None:
    with pytest.raises(BadName):
        checked_name(name)


def test_a_name_that_looks_like_somebodys_is_taken() -> None:
    names.register_holder("bots", {name_key("Haggler 1")}.__contains__)
    for lookalike in ("haggler 1", "HAGGLER l", "Hagg1er-1", "Häggler I"):
        with pytest.raises(NameTaken):
            checked_name(lookalike)
    assert checked_name("Haggler 2").text == "Haggler 2"


def test_names_with_different_vowel_signs_are_different_names() -> None:
    assert name_key("राम") != name_key("रामी")
    assert name_key("कल") != name_key("काल")


def test_a_tidied_name_stays_as_it_is() -> None:
    assert tidy_name(tidy_name("  Zoe\u0308   ")) == tidy_name("  Zoe\u0308   ") == "Zoë"


def test_a_refusal_names_the_field_and_not_the_holder() -> None:
    names.register_holder("people", lambda _key: True)
    with pytest.raises(NameTaken) as refused:
        checked_name("Bilal")
    assert refused.value.more == {"field": "name"}
    assert "people" not in str(refused.value)
