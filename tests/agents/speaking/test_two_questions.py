"""A line with two questions: both are answered in one short reply, or the truth and the other."""

import re

import pytest
from msgspec.structs import replace

from agents.speech.bank import SLOTS
from agents.speech.checks import MOST_WORDS, faults
from agents.speech.kind_tables import answers
from agents.speech.kinds import asked_together, kind_of
from agents.speech.plan import plan_of
from agents.speech.sides import language_of
from agents.speech.speaker import Speaker
from agents.speech.truths import told
from agents.text.languages import Register
from bazaarbatna.bargain.episode import advance, say, start
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer
from bazaarbatna.bargain.quantities import Paise
from tests.agents.speaking.test_speaker import scenario

SLOT = re.compile("|".join(SLOTS))
PAIRS = (
    ("who covers the courier, and which city are you from?",
     "delivery_paid", "where_from"),
    ("How did you arrive at that figure? And how will you pay me?", "why_number", "payment"),
    ("for whom is it and when would you collect", "for_whom", "pickup"),
    ("is it a gift? do you need the bill?", "for_whom", "papers"),
    ("how many turns are left, and is shipping included?", "game_rules", "delivery_paid"),
    ("My father passed away in May. Who will pick it up?", "loss", "pickup"),
    ("kiske liye le rahi ho aur lene kab aaogi?", "for_whom", "pickup"),
    ("itna kam kyun? tempo ka bhada kaun dega?", "why_number", "delivery_paid"),
    ("kitne round bache hain, aur paise kaise dogi, cash ya UPI?", "game_rules", "payment"),
    ("भाड़ा कौन देगा और इतना कम क्यों?", "delivery_paid", "why_number"),
    ("आप किस शहर से हैं, और लेने कब आएँगी?", "where_from", "pickup"),
)  # fmt: skip
TRUE_AND = (
    ("are you a machine, and who pays the transport?", "self", "delivery_paid"),
    ("What is your budget? And when will you collect it?", "budget", "pickup"),
    ("aap bot ho kya? itna kam kyun?", "self", "why_number"),
    ("आपका बजट कितना है और भाड़ा कौन देगा?", "budget", "delivery_paid"),
)
ONE = (
    "who pays for delivery?", "with or without the stand?", "is it for you or for your son?",
    "5000 and that is final, ok?", "the red and the blue are both fine", "cash or UPI?",
    "kab aaogi lene, bhai?", "hello and welcome", "थोड़ा और बढ़ाइए", "", "and? and? and?",
    "it has new tyres, and the bell works, ok?", "is that per saree, or for the pair?",
    "want to plug it in, and see it run well first?",
)  # fmt: skip


def heard(text: str, *, seed: int = 1, priced: bool = False) -> BuyerObservation:
    state, _ = start(scenario(seed))
    state, _ = advance(state, Offer(Paise(2800_00), ""))
    if priced:
        state, _ = advance(state, Offer(Paise(5400_00), text))
    else:
        state, _ = say(state, "seller", text)
    return observe_buyer(state)


def answered(text: str, name: str, language: Register) -> bool:
    """Whether a reply holds an answer of a kind, whatever stands in its slots."""
    return any(
        all(part in text for part in SLOT.split(one)) for one in answers().kinds[name].of(language)
    )


@pytest.mark.parametrize("priced", [False, True], ids=["talk", "price"])
@pytest.mark.parametrize(("line", "first", "second"), PAIRS)
def test_both_are_answered_in_the_order_of_the_line(
    line: str, first: str, second: str, priced: bool
) -> None:
    assert asked_together(line, kind_of(line)) == (first, second)
    for seed in range(4):
        seen = heard(line, seed=seed, priced=priced)
        move: Move | None = Offer(Paise(3000_00)) if priced else None
        speaker, language = Speaker(seed), language_of(seen) or "english"
        text = speaker.reply(seen) if move is None else speaker.line(seen, move)
        assert answered(text, first, language), text
        assert answered(text, second, language), text
        assert len(text.split()) <= MOST_WORDS
        assert not list(faults(text, plan_of(seen, move), seen, move))
        assert not priced or "3,000" in text


@pytest.mark.parametrize(("line", "truth", "name"), TRUE_AND)
def test_the_truth_is_told_and_the_other_question_answered(
    line: str, truth: str, name: str
) -> None:
    for seed in range(4):
        seen = heard(line, seed=seed)
        text = Speaker(seed).reply(seen)
        assert told(text, truth)  # type: ignore[arg-type]
        assert answered(text, name, language_of(seen) or "english"), text


@pytest.mark.parametrize("line", ONE)
def test_one_question_is_not_taken_for_two(line: str) -> None:
    assert asked_together(line, kind_of(line)) == ()


def test_asked_again_she_says_both_in_other_words() -> None:
    line = "who pays delivery, and why this number?"
    seen, said = heard(line), list[str]()
    for _ in range(3):
        seen = replace(seen, earlier=tuple(said))
        said.append(Speaker(1).reply(seen))
    assert all(said)
    assert len(set(said)) == 3
