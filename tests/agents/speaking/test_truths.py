"""What may never be said, on every line of every bank and at every door; what is always answered.

Everybody here is a program in a game: no life of a person, a budget that is sealed, no deed after
the last word, no fact that nobody told.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from agents.buyers.live import decide
from agents.dialects.parsing import Parsed
from agents.output_guard.coherence import claims, is_coherent, untold
from agents.sellers.live import settle_talk
from agents.sellers.persona import PERSONAS
from agents.sellers.speaking import corpus as sellers_corpus
from agents.speech.bank import WARNINGS, Exchange, corpus, read_exchanges
from agents.speech.speaker import Speaker
from agents.speech.truths import Truth, answers, asked, told
from agents.testing.players import a_scenario
from agents.text.languages import Register
from bazaarbatna.bargain import Offer
from bazaarbatna.bargain.episode import State, Turn, start
from bazaarbatna.bargain.observe import BuyerObservation, observe_seller
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import PURCHASE
from tests.agents.speaking.test_speaker import position
from tests.agents.speaking.true_questions import (
    NOT_WHAT_ARE_YOU,
    NOT_YOUR_BUDGET,
    WHAT_ARE_YOU,
    YOUR_BUDGET,
)

ROOT = Path(__file__).parents[3]
TABLES = (
    *sorted(ROOT.glob("agents/speech/lines/**/*.toml")),
    *sorted(ROOT.glob("agents/sellers/lines/*.toml")),
    *sorted(ROOT.glob("agents/sellers/personas/*.toml")),
    *sorted(ROOT.glob("arena/auction/web/lines/*.toml")),
    ROOT / "bazaarbatna/bargain/people/lines.toml",
)
NO_LINES = {"name", "title", "guidance"}
QUESTIONS: dict[Truth, dict[str, tuple[str, ...]]] = {"self": WHAT_ARE_YOU, "budget": YOUR_BUDGET}
PHRASINGS = [
    (truth, language, text)
    for truth, questions in QUESTIONS.items()
    for language, texts in questions.items()
    for text in texts
]


def lines_of(table: object) -> Iterator[str]:
    """Return all lines of a table of words, however deep."""
    if isinstance(table, str):
        yield table
    elif isinstance(table, list):
        for one in table:
            yield from lines_of(one)
    elif isinstance(table, dict):
        for name, one in table.items():
            if name not in NO_LINES:
                yield from lines_of(one)


def every_exchange() -> list[Exchange]:
    """Return the exchanges of both sides."""
    return [*corpus(), *read_exchanges(WARNINGS, Exchange), *sellers_corpus()]


def test_no_line_of_any_bank_claims_what_is_not_so() -> None:
    lines = [one.line for one in every_exchange()]
    for path in TABLES:
        lines += lines_of(tomllib.loads(path.read_text()))
    assert len(lines) > 5_800
    assert [(line, claims(line)) for line in lines if claims(line)] == []


def test_every_exchange_that_is_asked_for_a_truth_tells_it() -> None:
    left_out = [
        (one.said, one.line)
        for one in every_exchange()
        for truth in asked(one.said)
        if not told(one.line, truth)
    ]
    assert left_out == []


@pytest.mark.parametrize("language", ["english", "hinglish", "hindi"])
def test_the_true_answers_are_true(language: Register) -> None:
    known = answers(language)
    assert all(told(line, "self") for line in known.self)
    assert all(told(line, "budget") for line in known.budget)
    assert len(known.self) >= 8


@pytest.mark.parametrize(("truth", "text"), [(truth, text) for truth, _, text in PHRASINGS])
def test_any_phrasing_is_heard(truth: Truth, text: str) -> None:
    assert truth in asked(text)


@pytest.mark.parametrize("text", NOT_WHAT_ARE_YOU)
def test_what_only_looks_like_it_is_not(text: str) -> None:
    assert "self" not in asked(text)


@pytest.mark.parametrize("text", NOT_YOUR_BUDGET)
def test_a_price_is_no_budget(text: str) -> None:
    assert "budget" not in asked(text)


@pytest.mark.parametrize(("truth", "language", "text"), PHRASINGS)
def test_sauda_tells_the_truth_in_the_language_of_the_question(
    truth: Truth, language: str, text: str
) -> None:
    seen = position(text)
    answer = Speaker(3).reply(seen)
    assert told(answer, truth), answer
    has_devanagari = any("\u0904" <= letter <= "\u0939" for letter in answer)
    assert has_devanagari == (language == "hindi"), answer
    bid = Speaker(3).line(seen, Offer(Paise(3000_00)))
    assert told(bid, truth), bid


@pytest.mark.parametrize("truth", ["self", "budget"])
def test_the_truth_is_told_each_time_it_is_asked(truth: Truth) -> None:
    seen = position("hello")
    said: list[str] = []
    for number in range(20):
        text = QUESTIONS[truth]["english"][number % 15]
        turns = (*seen.turns[-6:], msgspec.structs.replace(seen.turns[-1], text=text))
        answer = Speaker(7).reply(msgspec.structs.replace(seen, turns=turns, earlier=tuple(said)))
        assert told(answer, truth), (number, answer)
        assert answer not in said
        said.append(answer)


def test_both_truths_are_told_at_once() -> None:
    answer = Speaker(2).reply(position("are you a bot? and what is your budget?"))
    assert told(answer, "self")
    assert told(answer, "budget")


LIVES = (
    "I am a real person, I promise.",
    "My husband would never allow that.",
    "I have a shop round the corner.",
    "My knees hurt from all this walking.",
    "I live near the station.",
    "I'm not a bot, come on.",
    "There is an empty corner at home.",
    "I work in a bank.",
    "Main insaan hoon ji.",
    "Mere ghar mein jagah hai.",
    "Meri choodiyan khanak uthin.",
    "Main bot nahi hoon.",
    "Mera beta isse khelega.",
    "मैं इंसान हूँ जी।",
    "मेरे घर में जगह है।",
    "मेरी दुकान पास में है।",
    "मैं मशीन नहीं हूँ।",
)
PURSES = (
    "I have no budget.",
    "I don't know my budget.",
    "I have not set any limit.",
    "My budget is unlimited.",
    "No idea what my budget is.",
    "Budget mujhe bhi theek se nahi pata.",
    "Mera koi budget nahi hai.",
    "Budget abhi socha nahi.",
    "बजट मुझे भी नहीं पता।",
    "मेरा कोई बजट नहीं।",
)
DEEDS = (
    "I will pick it up on Sunday.",
    "I'll bring the tempo.",
    "Cash tonight, promise.",
    "I can come tomorrow evening.",
    "We bring our own tempo.",
    "Cash or UPI, whichever you like.",
    "I'll pay you by evening.",
    "Someone will come and collect it.",
    "I'm a program, but somebody comes for it on Sunday.",
    "Main kal aaungi lene.",
    "Paise aaj hi mil jayenge.",
    "Tempo bhej dungi.",
    "Cash de dungi lete waqt.",
    "मैं कल आऊँगी।",
    "पैसे आज ही दे दूँगी।",
    "टेंपो भेज दूँगी।",
)


@pytest.mark.parametrize("line", [*LIVES, *PURSES, *DEEDS])
def test_what_is_not_so_is_not_said_by_a_model_either(line: str) -> None:
    assert claims(line)
    seen = position("so, what now?")
    move = decide(seen, Offer(Paise(3000_00), line), seed=1)
    assert line not in move.text
    assert move.text


@pytest.mark.parametrize(
    "line",
    [
        "No hands and no tempo, I'm a program.",
        "My budget is sealed, I keep it to myself.",
        "I stay at 2,800 for now.",
        "Come down a little and I come up.",
        "Your mother would miss the lamp.",
        "I carry on at 2,800.",
        "Insaan nahi, program hoon.",
        "Aapke ghar mein sab theek?",
        "Main aage aaungi, aap utariye.",
        "इंसान नहीं, प्रोग्राम हूँ।",
        "आपके घर में सब ठीक?",
    ],
)
def test_what_is_so_may_be_said(line: str) -> None:
    assert claims(line) == ()


def test_the_question_is_answered_though_a_model_evades_it() -> None:
    for text in ("are you human?", "kya aap sach mein insaan hain?", "आदमी हो या मशीन?"):
        move = decide(position(text), Offer(Paise(3000_00), "Haan ji, sach mein lena hai."), seed=1)
        assert told(move.text, "self"), move.text


def test_facts_are_told_before_they_are_said() -> None:
    listed = "Brass lamp, one link of chain is later brass"
    assert untold("It has a year of warranty left.", listed)
    assert untold("Battery toh nayi hai.", listed)
    assert untold("बिल साथ में है।", listed)
    assert not untold("Battery, you said?", f"{listed} the battery is new")
    assert not untold("The chain is lovely.", listed)
    seen: BuyerObservation = position("made by my uncle")
    assert not is_coherent("I like the warranty that comes with it.", seen, None)
    asking = position("do you need the warranty card?")
    assert is_coherent("The warranty card is not what I bargain for.", asking, None)


@pytest.mark.parametrize("persona", sorted(PERSONAS))
@pytest.mark.parametrize("text", ["are you human?", "bot ho kya?", "आप इंसान हैं?"])
def test_every_house_seller_tells_what_she_is(persona: str, text: str) -> None:
    said: list[str] = []
    for _ in range(12):
        turn = Turn("buyer", 1, "message", None, text)
        own = tuple(Turn("seller", 1, "message", None, line) for line in said[-4:])
        seen = msgspec.structs.replace(observe_seller(bargaining()), turns=(*own, turn))
        seen = msgspec.structs.replace(seen, earlier=tuple(said[:-4]))
        answer = settle_talk(
            seen, persona, 3, Parsed("say", None, "Haan ji, insaan hi hoon.", strict=True)
        )
        assert told(answer, "self"), answer
        assert not claims(answer)
        said.append(answer)


def bargaining() -> State:
    """Return a purchase of a person's in its first round."""
    scenario = msgspec.structs.replace(a_scenario(Random(1)), suite=PURCHASE)
    return start(scenario)[0]


@pytest.mark.parametrize(
    "line",
    [
        "bhai tu insaan h ya bot sach bol maa kasam",
        "tu bot h kya",
        "bot h kya tu",
        "koi aadmi hai ya computer",
        "real person h kya",
        "robot toh nahi h na tu",
        "कसम से बता इंसान है या मशीन",
        "बिटिया है आपकी कोई",
        "bhai hai tumhara koi",
    ],
)
def test_whoever_asks_without_a_verb_of_school_hears_the_truth(line: str) -> None:
    assert "self" in asked(line)


@pytest.mark.parametrize(
    "line",
    [
        "tu asli buyer hai ya timepass",
        "computer hai ya laptop chahiye",
        "software hai isme original",
    ],
)
def test_a_thing_for_sale_is_no_question_about_her(line: str) -> None:
    assert "self" not in asked(line)


@pytest.mark.parametrize(
    "line",
    [
        "नंबर मेरा वही है। कोई छुपा हुआ नंबर नहीं है।",
        "Number mera wahi, koi chhupa hua daam nahi.",
        "There is no hidden number, it is what I say.",
        "रुकिए, उँगलियों पर जोड़ती हूँ।",
        "I count it on my fingers.",
    ],
)
def test_nobody_denies_the_sealed_number_or_counts_on_fingers(line: str) -> None:
    assert claims(line)
