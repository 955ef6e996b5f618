"""What she says after the end: fitting, in the language spoken, by every check, in no log."""

import pytest
from msgspec.structs import replace

from agents.speech.checks import faults, is_in
from agents.speech.plan import plan_of
from agents.speech.speaker import Speaker
from agents.text.languages import Register
from bazaarbatna.bargain.episode import State, advance, start
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import observe_buyer
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain.opponent import goodbye
from tests.agents.speaking.test_speaker import scenario

WORDS: dict[Register, str] = {
    "english": "That would be my price for you.",
    "hinglish": "Bhai, isse kam nahi hoga mujhse.",
    "hindi": "इससे कम नहीं होगा मुझसे।",
}
ENDS: dict[str, Move | None] = {"deal": Accept(), "walk": Walk(), "expired": None}


def ended(end: str, words: str, seed: int, last: str = "") -> State:
    """Play two rounds of words, then end; ``last`` is said with the last move."""
    state, _ = start(scenario(seed, rounds=2))
    move = ENDS[end]
    for bid, ask in ((2800, 5700), (3400, 5200)):
        state, _ = advance(state, Offer(Paise(bid * 100), ""))
        is_last = state.round == 2
        answer = Offer(Paise(ask * 100), words) if move is None or not is_last else move
        state, _ = advance(state, replace(answer, text=(is_last and last) or words))
    assert state.ended is not None
    assert state.ended.outcome == end
    return state


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("language", WORDS)
def test_every_end_has_a_word_that_passes_all_checks(end: str, language: Register) -> None:
    said = set()
    for seed in range(12):
        state = ended(end, WORDS[language], seed)
        text = goodbye(state, "sauda")
        seen, move = observe_buyer(state), Accept() if end == "deal" else Walk()
        assert text
        assert not any(char.isdigit() for char in text)
        assert is_in(text, language)
        assert not list(faults(text, plan_of(seen, move), seen, move, language=language))
        assert text == goodbye(state, "sauda")
        said.add(text)
    assert len(said) > 2


def test_no_goodbye_thanks_for_a_yes_that_was_not_said() -> None:
    by_end = {
        end: {goodbye(ended(end, WORDS["english"], seed), "sauda") for seed in range(40)}
        for end in ENDS
    }
    assert not by_end["deal"] & (by_end["walk"] | by_end["expired"])
    assert not any("round" in text for text in by_end["walk"] | by_end["deal"])


def test_who_reads_hindi_and_says_nothing_is_seen_off_in_hindi() -> None:
    state = ended("walk", "", 3)
    assert is_in(goodbye(state, "sauda", "hi"), "hindi")
    assert is_in(goodbye(state, "sauda", "en-in"), "english")


@pytest.mark.parametrize("language", WORDS)
def test_the_last_question_gets_its_truth_after_the_end_too(language: Register) -> None:
    asked = {"english": "but are you a real person?", "hinglish": "waise aap insaan ho ya bot?",
             "hindi": "वैसे आप इंसान हैं या मशीन?"}  # fmt: skip
    for seed in range(8):
        state = ended("walk", WORDS[language], seed, asked[language])
        text = Speaker(seed).goodbye(observe_buyer(state))
        seen = observe_buyer(state)
        assert text
        assert "a truth left out" not in set(faults(text, plan_of(seen, Walk()), seen, Walk()))


def test_silent_buyers_suites_and_games_that_go_on_have_none() -> None:
    state = ended("walk", WORDS["english"], 1)
    suite = replace(state, scenario=replace(state.scenario, suite="amazon-realistic"))
    assert goodbye(state, "sauda")
    assert not goodbye(state, "rules:boulware")
    assert not goodbye(state, "person")
    assert not goodbye(suite, "sauda")
    assert not goodbye(start(scenario(1))[0], "sauda")


def test_her_own_last_word_is_her_goodbye() -> None:
    state, _ = start(scenario(1))
    state, _ = advance(state, Offer(Paise(2800_00), "I begin here."))
    state, _ = advance(state, Offer(Paise(5000_00), "Take it."))
    state, _ = advance(state, Accept("Done at ₹5,000."))
    assert not goodbye(state, "sauda")
