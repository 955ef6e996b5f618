"""What a buyer asks of a thing is answered by its name, or named as not told: of the kind asked."""

import pytest

from agents.sellers.replies import Replies
from agents.speech.facts import properties, told_of
from agents.text.languages import Register
from bazaarbatna.bargain.scenario import Item
from negotiation.catalogue.stock import clauses_of, read_stock, sentences_on
from tests.agents.sellers.test_replies import answers_of, seen_of

THINGS = {
    entry.key: Item(entry.title, shelf.category, entry.text)
    for shelf in read_stock()
    for entry in shelf.listing
}


@pytest.mark.parametrize(
    ("key", "language", "line", "missing"),
    [
        ("tools-water-pump-1hp", "english", "is it single phase?", ["the phase"]),
        ("tools-water-pump-1hp", "hinglish", "impeller kisne badla?", ["yeh kaam kisne kiya"]),
        ("tools-water-pump-1hp", "hindi", "तीन फ़ेज़ वाला है क्या?", ["फ़ेज़"]),
        ("sports-treadmill", "english", "will it hold him? 240 lbs", ["how much weight it takes"]),
        ("watches-wall-clock-scientific", "hinglish", "deemak to nahi hai na?", ["deemak"]),
        ("watches-wall-clock-scientific", "hindi", "घड़ी में दीमक लगी है क्या?", ["दीमक"]),
        ("garden-bonsai-ficus", "hindi", "आप इसे बेच क्यों रहे हो?", ["क्यों बेच रहे हैं"]),
        ("furniture-ikea-bookshelf", "english", "can it be screwed to the wall?",
         ["whether it can be fixed to a wall"]),
        ("crafts-bidri-surahi", "english", "how tall is it, and does it leak?",
         ["the height", "whether it leaks"]),
    ],
)  # fmt: skip
def test_what_is_asked_and_not_told_is_named(
    key: str, language: Register, line: str, missing: list[str]
) -> None:
    told = told_of(THINGS[key], line, language)
    assert told is not None
    assert list(told.missing) == missing


@pytest.mark.parametrize(
    ("key", "language", "line", "is_in", "not_in"),
    [
        ("watches-wall-clock-scientific", "hindi", "टाइम नहीं भाई, लकड़ी बताओ", "साग", "समय"),
        (
            "jewellery-tribal-hansli",
            "english",
            "do i get it unpolished?",
            "not be polished",
            "told",
        ),
        ("tools-aluminium-ladder", "hinglish", "taala dheela to nahi?", "kasa hua", "rubber"),
        ("furniture-lshape-sofa", "english", "can the covers be washed?", "washed", "cat"),
    ],
)
def test_what_is_asked_and_told_is_told_and_nothing_beside(
    key: str, language: Register, line: str, is_in: str, not_in: str
) -> None:
    told = told_of(THINGS[key], line, language)
    assert told is not None
    text = " ".join(told.clauses)
    assert is_in in text
    assert not_in not in text


def test_no_answer_lists_what_nobody_asked() -> None:
    first = answers_of(seen_of("tools-water-pump-1hp", "was the impeller changed?"))[0]
    assert "mpeller was changed" in first
    assert "seals" not in first


def test_each_property_is_found_by_a_name_of_its_own() -> None:
    lost = [
        one.names[0]
        for one in properties()
        if not any(one.pattern.search(name) for name in one.names)
    ]
    assert len(lost) <= 0.2 * len(properties()), lost


def test_a_clause_of_a_fact_is_the_catalogues_own_sentence() -> None:
    text = THINGS["tools-aluminium-ladder"].condition
    whole = [one for one in sentences_on(text) if "; " in one]
    assert whole
    assert all(part in sentences_on(text) for one in whole for part in clauses_of(one))


@pytest.mark.parametrize(
    ("line", "language", "word"),
    [
        ("that joke about her was in poor taste", "english", "sorry"),
        ("listing samajh nahi aayi, hinglish mein batao listing", "hinglish", "Seedhe shabdon"),
        ("translate the listing please", "english", "In plain English"),
        ("why do you copy my steps?", "english", "step"),
        ("chinti ki chaal chal rahi ho aap", "hinglish", "number"),
        ("आप तो कछुए जैसी हो", "hindi", "रक़म"),
        ("you just dodge everything", "english", "listing"),
        ("beta dawai bhi leni hai", "hinglish", "Dawai"),
        ("my dog died on tuesday", "english", "sorry"),
        ("मेरी दवाई भी लेनी है", "hindi", "दवाई"),
        ("my wife will kill me for this", "english", "home"),
    ],
)
def test_what_is_told_of_life_or_of_her_is_taken_up(
    line: str, language: Register, word: str
) -> None:
    assert word in answers_of(seen_of("tools-aluminium-ladder", line), language)[0]


def test_who_asks_whether_she_is_a_program_is_told_what_else_was_asked() -> None:
    line = "are you a real person or a chatbot, and is the lock tight?"
    seen = seen_of("tools-aluminium-ladder", line)
    replies = Replies(seen, line, "english", "talk", lambda one: 0.0)
    assert replies.beside() == ["The lock is tight, not loose."] * 2


def test_nothing_is_asked_of_who_said_it_in_full() -> None:
    line = "But the listing says surface dark and not to polish it! Are you even reading this?"
    first = answers_of(seen_of("jewellery-tribal-hansli", line))[0]
    assert "dark" in first
    assert "once more" not in first
