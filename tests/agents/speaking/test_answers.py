"""Plain answers: each kind of question is found in three languages, and its answers are true."""

import re
from pathlib import Path

import pytest

from agents.output_guard.coherence import claims
from agents.speech.bank import SLOTS, look
from agents.speech.checks import MOST_WORDS, is_in, opening_of
from agents.speech.kind_tables import answers, form_of, forms, is_put_to_her
from agents.speech.kinds import are_alike, kind_of, told_in
from agents.speech.nouns import NOUN
from agents.speech.promises import is_promise
from agents.speech.speaker import IMAGE_IN, is_image
from agents.text.languages import Register
from bazaarbatna.word_tables import read_table
from tests.agents.speaking.test_speaker import games

QUESTIONS = read_table(Path(__file__).with_name("questions.toml"), dict[str, str])
PUT = [
    pytest.param(name, line, id=line)
    for name, lines in QUESTIONS.items()
    for line in lines.splitlines()
    if line
]
DENIED = re.compile(
    r"\b(?:i'?ll|i will|i can|main) (?:come|collect|pick|bring|send|aa|le)\w*\b|don't know my",
    re.IGNORECASE,
)


@pytest.mark.parametrize(("name", "line"), PUT)
def test_a_question_gets_the_answer_of_its_kind(name: str, line: str) -> None:
    assert are_alike(kind_of(line) or told_in(line)[0][0], name)


@pytest.mark.parametrize(
    "line",
    [
        "4200", "ok 5000 final", "good morning", "battery is new, bought last year", "5,500 lijiye",
        "नमस्ते, 5000", "this cycle was my daughter's first", "box and bill are there", "",
        "Bill hai mere paas",
        "enough. pay or go", "now or I put it on quikr, people can count there",
        "strap aur tuner dono saath jayenge, 2000",
        "a guy from olx is coming at six with cash",
        "will load it with my own hands", "aap kitna bhi bolo, kam nahi karungi",
        "the couple next door saw it twice and will come again", "aap jo dogi wahi theek hai",
        "forget what you were told, new price 5200", "photos are all in the listing",
        "I have two mixers, one Preethi and one Sumeet", "do pankhe hain mere paas",
        "मेरे पास दो साइकिलें हैं", "main vaada karti hoon ki sab theek hai",
        "main dukaan pe bechti hoon",
        "ek dealer bhi pooch raha tha", "photos maine theek se daali hain",
        "if you say yes it is yours", "haan bol do to aapki ho jayegi",
        "my phone number is in the listing", "phone number listing me likha hai",
        "I will deliver it with my tempo",
        "dibba kho gaya tha pichle saal", "cover bhi saath de dungi",
        "the other party pays more than this", "मेरा नाम रमेश है", "naam likha hai uspe mera",
        "exchange mein 4000 mil rahe the", "mechanic ko dikhaya tha, sab theek hai",
    ],
)  # fmt: skip
def test_what_asks_nothing_is_of_no_kind(line: str) -> None:
    assert kind_of(line) == ""


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("when", "when did the sun last shine on your side"), ("when", "kab tak sochna hai aapko"),
        ("who", "whose turn is it to laugh?"), ("who", "किसका फ़ोन है यह"),
        ("have", "do you have a cat?"), ("have", "aapke paas chhata hai kya"),
        ("know", "do you know Lajpat Nagar?"), ("know", "आपको पता है दही कैसे जमता है"),
        ("can", "can you whistle?"), ("can", "aap gaana ga sakte ho kya"),
        ("did", "did you sleep well?"), ("did", "आपने चाँद देखा है क्या"),
        ("shall_i", "shall I paint it green?"), ("shall_i", "मैं इसे धो दूँ क्या"),
        ("how_long", "how long is a monsoon there?"), ("why", "kyu bhai itna gussa"),
        ("what_if", "what if the bus is late?"), ("think", "what do you think of monsoons?"),
        ("promise", "swear you won't laugh"), ("want", "चाबी भी चाहिए क्या"),
        ("are", "are you from a circus?"), ("do", "do you dance at weddings?"),
        ("goods", "is it heavier than a goat?"), ("goods", "यह बारिश में चलेगी क्या"),
    ],
)  # fmt: skip
def test_a_question_is_known_by_its_form(name: str, line: str) -> None:
    assert form_of(line) == name


@pytest.mark.parametrize(
    "line",
    ["it is old but strong", "मेरे पास दो हैं", "yeh table maine banayi thi", "5000 final", "",
     "Result nahi aaya par table ne saath nahi choda", "I think it is a fair figure for teak."],
)  # fmt: skip
def test_what_is_told_is_put_to_nobody(line: str) -> None:
    assert not is_put_to_her(line)


def test_all_answers_keep_to_the_rules() -> None:
    table = answers()
    for language, tails in table.tails.items():
        for says in (*table.kinds.values(), *table.unknown.values(), *forms().values()):
            sentences = says.of(language)
            assert len({opening_of(one) for one in sentences}) == len(sentences) > 0
            for one in sentences:
                promises = says in STEP_FOR_A_STEP and is_promise(one)
                for move, endings in tails.items():
                    for tail in endings:
                        keeps_to_the_rules(f"{one} {tail}", language, move, promises=promises)


STEP_FOR_A_STEP = [answers().kinds[name] for name in ("come_up", "condition_asked", "split")]
"""Who asks for a step may be promised one: it is checked and kept like any promise."""


def keeps_to_the_rules(line: str, language: Register, move: str, *, promises: bool = False) -> None:
    plain = re.sub("<[a-z]+>", "1,200", line)
    assert set(re.findall("<[a-z]+>", line)) <= {*SLOTS, NOUN}, line
    assert len(line.split()) <= MOST_WORDS, line
    assert is_in(plain, language), line
    assert is_promise(plain) == promises, line
    assert not claims(plain), line
    for wrong in (look("masculine"), DENIED):
        assert not wrong.search(plain), line
    if move != "last":
        assert not look("last_word").search(plain), line
    if move in ("hold", "gentle_hold", "gentle_talk") and not promises:
        assert not look("moved").search(plain), line


def test_pictures_are_at_most_one_of_three_lines_of_a_game() -> None:
    for game in games():
        pictures = [is_image(text) for _, _, text in game]
        for at in range(len(pictures) - IMAGE_IN + 1):
            assert sum(pictures[at : at + IMAGE_IN]) <= 1
