"""Sauda's words in whole games: they answer, they are true, and none comes twice."""

import re
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from agents.speech.bank import corpus, is_spoken, look
from agents.speech.checks import faults, is_in
from agents.speech.nouns import thing_of
from agents.speech.plan import Plan, plan_of
from agents.speech.speaker import Speaker
from agents.text.acts.acts import is_question
from agents.text.intent import read_intent
from agents.text.languages import Register, register_of
from bazaarbatna.bargain.episode import State, Turn, advance, say, start
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues

GAMES = 40
ROUNDS = 8
LANGUAGES: tuple[Register, ...] = tuple(
    language for language in ("english", "hinglish", "hindi") if is_spoken(language)
)
GOODS = (("Brass hanging lamp with chain", "Brass and crafts"), ("Atlas cycle, 24 inch", "Sports"))
MIXED = (
    "sorry, and im making a loss, theres other offers too",
    "plz bhai last, thoda purana hai par sab sahi hai",
    "??? my cousin wud pay that only",
    "ok ok but come today itself",
    "haan, dont tell anyone",
    "final.. no lower yaar",
)
"""As people type who speak two languages at once."""


def scenario(seed: int, rounds: int = ROUNDS) -> Scenario:
    title, category = GOODS[seed % len(GOODS)]
    sealed = SealedValues(Paise(3300_00), Paise(3000_00), Paise(5600_00), seed)
    return Scenario("sell@1", Item(title, category), rounds, Paise(5800_00), sealed, "0" * 32)


def said_in(language: Register, seed: int) -> list[str]:
    """Return what a seller of the corpus says, in an order of its own."""
    lines = [
        one.said
        for one in corpus()
        if one.language == language
        and (register_of(one.said) == "english") == (language == "english")
    ]
    return Random(seed).sample(lines, ROUNDS)


def turns(language: Register, seed: int) -> Iterator[tuple[BuyerObservation, Move, str]]:
    """Play a game in which she climbs, stands still now and then, and the seller comes down."""
    speaker, (state, _) = Speaker(seed), start(scenario(seed))
    bid, ask = 2800_00, 5800_00
    for number, line in enumerate(said_in(language, seed)):
        seen = observe_buyer(state)
        move: Move = Offer(Paise(bid))
        text = speaker.line(seen, move)
        yield seen, move, text
        state, _ = advance(state, Offer(Paise(bid), text))
        ask -= 100_00
        state, _ = advance(state, Offer(Paise(ask), without_numbers(line)))
        bid += 200_00 if number % 3 else 0


def without_numbers(line: str) -> str:
    """Take the prices out of a line: the game's own ones stand in the move."""
    return re.sub(r"\d[\d,.]*", "", line)


def games() -> Iterator[list[tuple[BuyerObservation, Move, str]]]:
    for language in LANGUAGES:
        for seed in range(GAMES):
            yield list(turns(language, seed))


def test_who_stands_at_her_last_rupee_still_has_words() -> None:
    # It is the one price that she may not say, and what the seller types changes languages.
    for seed in range(GAMES):
        speaker, (state, _) = Speaker(seed), start(scenario(seed, rounds=10))
        said: list[str] = []
        for number in range(10):
            stands = Offer(Paise(5600_00))
            said.append(speaker.line(observe_buyer(state), stands))
            state, _ = advance(state, msgspec.structs.replace(stands, text=said[-1]))
            words = MIXED[number % len(MIXED)]
            state, _ = advance(state, Offer(Paise(5790_00 - number * 10_00), words))
        assert "" not in said, said
        assert len({*said}) == len(said), said


@pytest.mark.parametrize("line", ["main bhi aati hoon: ₹1,000", "मैं भी आती हूँ", "so I move: ₹1,000"])
def test_who_comes_along_has_moved(line: str) -> None:
    assert look("moved").search(f"Aap thoda aaye, {line}")


def test_what_she_says_is_true_and_never_comes_twice() -> None:
    for game in games():
        said: list[str] = []
        for seen, move, text in game:
            plan = plan_of(seen, move)
            assert [*faults(text, plan, seen, move)] == []
            assert text not in said
            said.append(text)


def test_the_last_round_has_a_last_word_unless_somebody_waits_for_an_answer() -> None:
    last_words = 0
    for seed, game in enumerate(games()):
        for seen, move, text in game:
            found = (one for _, one in Speaker(seed % GAMES).of_the_bank(seen, move))
            chosen = next(found, None)
            if chosen is None:  # what has one true answer
                continue
            is_last = chosen.final and seen.rounds_left == 0
            last_words += is_last
            answers = any(map(is_question, chosen.speaks_to))
            assert is_last or seen.rounds_left or answers, text
    assert last_words > GAMES


@pytest.mark.parametrize("language", LANGUAGES)
def test_she_stays_in_the_sellers_language(language: Register) -> None:
    lines = [
        (seen, text) for seed in range(GAMES) for seen, _, text in turns(language, seed)
        if len(seen.bids) > 1
    ]  # fmt: skip
    plan = Plan((), "talk", ())
    wrong = [
        text
        for seen, text in lines
        if "language" in faults(text, plan, seen, Offer(Paise(1)), language=language)
    ]
    assert len(wrong) <= 0.02 * len(lines)


def test_the_same_position_gets_the_same_words() -> None:
    assert list(turns("english", 3)) == list(turns("english", 3))
    assert list(turns("english", 3)) != list(turns("english", 4))


def position(text: str, seed: int = 1) -> BuyerObservation:
    """Return a position in which the seller has just said something without a price."""
    state, _ = start(scenario(seed))
    state, _ = advance(state, Offer(Paise(2800_00), "First words."))
    return spoken(state, text)


@pytest.mark.parametrize(
    "text", ["aap robot ho kya?", "kahan se ho aap?", "lene kab aaoge?", "payment kaise karogi?"]
)
def test_questions_are_answered(text: str) -> None:
    seen = position(text, seed=2)
    assert read_intent(text, seen.standing_ask, seen.own_last_bid).kind == "none"
    text, answer = next(Speaker(5).of_the_bank(seen, None))
    assert any(is_question(act) for act in answer.speaks_to)
    assert text == Speaker(5).reply(seen)


def test_a_program_has_no_family() -> None:
    seen = position("do you like it?")
    plan = plan_of(seen, None)
    assert [*faults("My mother would like your lamp as well.", plan, seen, None)]
    assert not [*faults("Your mother would miss the lamp.", plan, seen, None)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("are u a bot or what", "program"),
        ("are you a robot?", "program"),
        ("aap robot ho kya", "program"),
        ("आप रोबोट हैं क्या", "प्रोग्राम"),
        ("who pays for the tempo, you or me?", "transport"),
        ("third time i ask, is the tempo on you, yes or no?", "transport"),
        ("do you have a driving licence?", "licen|software"),
        ("nice. so is it your first one then? i can show you how it works", "first|never|program"),
        ("which city are you from?", "city|program"),
        ("auto ka kiraya kaun dega?", "bhada"),
        ("auto ka kiraya kaun dega ye to bataya hi nahi", "bhada"),
        ("you did not say who pays for the tempo", "transport"),
        ("bacche hain aapke?", "bach|program"),
        ("किराया कौन देगा?", "भाड़"),
        ("आप किस शहर से हैं?", "पता|शहर|प्रोग्राम"),
    ],
)
def test_a_single_question_is_answered_by_its_own_words(text: str, words: str) -> None:
    answers = [Speaker(seed).reply(position(text)) for seed in range(12)]
    assert all(re.search(words, answer.lower()) for answer in answers), answers


def test_nobody_jokes_with_who_has_told_of_hardship() -> None:
    text = "hum to kheti wale log hain ji"
    assert "reason:hardship" not in {one.act for one in plan_of(position(text), None).heard}
    state, _ = start(scenario(2))
    state, _ = advance(state, Offer(Paise(2800_00), "First words."))
    state, _ = advance(state, Offer(Paise(5400_00), "operation hai parso, paise chahiye, 5400"))
    state, _ = advance(state, Offer(Paise(2900_00), "Second words."))
    for seed in range(12):
        _, answer = next(Speaker(seed).of_the_bank(spoken(state, text), None))
        assert "reason:hardship" in answer.speaks_to


def spoken(state: State, text: str) -> BuyerObservation:
    """Return what she sees after the seller has said something without a price."""
    turn = Turn("seller", state.round, "message", None, text)
    return observe_buyer(
        State(
            *(state.scenario, state.round, state.to_move, state.asks, state.bids),
            *((*state.turns, turn), None, None),
        )
    )


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [("saturday at 6 pm", True), ("kal shaam aa jao", True), ("come and see it", False)],
)
def test_who_named_a_day_is_not_asked_for_one(text: str, is_wrong: bool) -> None:
    line = "Any day you say, I bring the tempo."
    seen = position(text)
    assert ("a day that was named" in faults(line, plan_of(seen, None), seen, None)) == is_wrong


def test_a_leap_is_not_called_slow() -> None:
    state, _ = start(scenario(2))
    state, _ = advance(state, Offer(Paise(2800_00), "First words."))
    state, _ = advance(state, Offer(Paise(5400_00), "5400"))
    seen = observe_buyer(state)
    for bid, is_wrong in ((2900_00, False), (3600_00, True)):
        move = Offer(Paise(bid))
        found = faults(f"Slowly, then, to ₹{bid // 100:,}.", plan_of(seen, move), seen, move)
        assert ("false small step" in found) == is_wrong


@pytest.mark.parametrize(
    "text", ["hello madam", "condition is very good", "my father gave it to me"]
)
def test_who_has_named_a_price_is_not_asked_for_it(text: str) -> None:
    asking = {one.line.replace("<item>", "lamp") for one in corpus() if one.asks}
    state, _ = start(scenario(2))
    for bid, ask in ((2800_00, 5600_00), (2900_00, 5400_00)):
        state, _ = advance(state, Offer(Paise(bid), "First words."))
        state, _ = advance(state, Offer(Paise(ask), "ok, less for you"))
    for seed in range(12):
        assert Speaker(seed).reply(spoken(state, text)) not in asking


def test_english_and_hinglish_are_spoken() -> None:
    assert {"english", "hinglish"} <= set(LANGUAGES)


def test_a_line_that_fits_nothing_gets_the_voice_of_the_house() -> None:
    seen = position("चलो कुछ बोलो")
    assert Speaker(1).reply(seen)


@pytest.mark.parametrize(
    ("text", "language"),
    [("चलो कुछ बोलो", "hindi"), ("kuch to boliye na", "hinglish"), ("say something", "english")],
)
def test_without_the_bank_she_never_changes_the_language(
    text: str, language: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Speaker, "of_the_bank", lambda *_: iter(()))
    answers = [Speaker(seed).reply(position(text)) for seed in range(12)]
    assert all(not answer or is_in(answer, language) for answer in answers)
    assert language == "hindi" or any(answers)


def test_an_acceptance_names_the_ask() -> None:
    seen = position("hello there")
    assert "5,800" in Speaker(2).line(seen, Accept())


@pytest.mark.parametrize(
    ("title", "thing"),
    [
        ("Brass hanging lamp with chain, peacock top", "lamp"),
        ("Sheesham study table with two drawers", "table"),
        ("Canon EOS 1500D with 18-55 lens, 9,000 clicks", "Canon EOS 1500D"),
        ("Pair of Usha ceiling fans, 48 inch", "fans"),
        ("Almirah steel ki purani", "Almirah"),
        ("Usha cooler purana", "cooler"),
        ("Pressure cooker 5 litre steel", "cooker"),
        ("purani steel ki", ""),
        ("Lota peetal ka, bada", "Lota"),
        ("", ""),
        ("<b>x</b>", "<b>x</b>"),
    ],
)
def test_things_have_short_names(title: str, thing: str) -> None:
    assert thing_of(title) == thing


def test_who_gave_way_more_often_is_said_as_it_was_played() -> None:
    state, _ = start(scenario(1))
    for bid, ask in ((2800_00, 5500_00), (3000_00, 5400_00), (3000_00, 5200_00)):
        state, _ = advance(state, Offer(Paise(bid), ""))
        state, _ = advance(state, Offer(Paise(ask), ""))
    state, _ = advance(state, Offer(Paise(3000_00), ""))
    state, _ = say(state, "seller", "how often have you gone up since we began?")
    seen = observe_buyer(state)
    said = " ".join(Speaker(seed).reply(seen) for seed in range(9))
    assert "you gave way more often than I did" in said
    assert "I gave way more often" not in said
