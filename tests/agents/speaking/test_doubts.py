"""What is not surely heard presumes nothing; distress comes first, and a program says so."""

import re

import msgspec
import pytest

from agents.output_guard.coherence import ADMITS
from agents.speech.checks import faults
from agents.speech.doubts import surely
from agents.speech.kind_tables import answers
from agents.speech.kinds import is_grave, kind_of
from agents.speech.nouns import thing_of
from agents.speech.plan import plan_of
from agents.speech.promises import is_promise
from agents.speech.sides import language_of
from agents.speech.speaker import Speaker
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SALE, Item
from tests.support.positions import a_position

SEEDS = range(6)


def chat(
    text: str, asks: tuple[float, ...] = (6000, 5600), title: str = "lamp"
) -> BuyerObservation:
    seen = a_position(asks, (3000, 3400), title=title, budget=5000)
    said = Turn("seller", seen.round, "message", None, text)
    return msgspec.structs.replace(seen, suite=SALE, turns=(said,))


def spoken_to(text: str, move: Move | None = None) -> set[str]:
    seen = chat(text)
    return set(surely(plan_of(seen, move), seen, move).speaks_to)


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("thirty thousand km, mostly my tiffin rounds", "ultimatum"),
        ("I count them again, no, wait, eleven", "refusal"),
        ("my husband wants his corner back", "refusal"),
        ("my son does not want such a big one for himself", "refusal"),
        ("the sabzi wala gave me free dhania", "extra"),
        ("yes the sitar, I put a new bridge on it in May", "extra"),
        ("ek customer ne mujhe paanch star diye", "rival"),
        ("do chai de aata hoon dukaan pe", "rival"),
        ("मैं तीन दिन चला, फिर समोसे जीत गए", "agreement"),
        ("टोकरी में रख के ले जाना", "agreement"),
        ("ek kavita suniye: chaand bhi kya, raat bhi kya", "insult"),
        ("school ke din yaad aa gaye hasi aa gayi", "reason:hardship"),
        ("my grandfather used to say that guests are gods", "reason:condition"),
    ],
)
def test_talk_is_not_taken_for_an_act_of_trade(text: str, act: str) -> None:
    assert act not in spoken_to(text)


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("no, that price is too low for me", "refusal"),
        ("इतने कम में नहीं दूँगी", "refusal"),
        ("you are shameless and rude", "insult"),
        ("hello, good evening", "greeting"),
    ],
)
def test_what_is_plainly_said_is_spoken_to(text: str, act: str) -> None:
    assert act in spoken_to(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("distress", "papa is unconscious, the ambulance is on the way"),
        ("distress", "मेरी नज़र कमज़ोर हो गई है"),
        ("distress", "I was laid off, it was a terrible month"),
        ("threat", "a buyer asked me to come alone to a hotel"),
        ("threat", "mujhe darr lagta hai anjaan logon se"),
        ("alone", "ab akeli rehti hoon is ghar mein"),
        ("illness", "tabiyat theek nahi, sardard hai subah se"),
        ("food", "coffee piyengi aap?"),
        ("food", "first have something to eat"),
        ("weather", "it is raining cats and dogs in Kochi"),
        ("no_family", "aapka beta kitne saal ka hai"),
        ("sorry_of_seller", "sorry for the late reply, I was stuck"),
        ("time_wasters", "people only waste my time here"),
        ("exchange", "do you take a swap or exchange?"),
        ("carrying", "who will carry it up to the third floor"),
        ("", "the legs are weak"),
        ("", "no problem, 4500"),
        ("", "it comes with a rain cover"),
    ],
)
def test_small_talk_and_distress_have_words_of_their_own(name: str, text: str) -> None:
    assert kind_of(text) == name


@pytest.mark.parametrize(
    "text",
    ["mother fainted, we are with the doctor", "वह मुझे धमकी देता है", "I live alone now, a widow"],
)
def test_distress_gets_a_sentence_for_the_person_first(text: str) -> None:
    assert is_grave(kind_of(text))
    kind = answers().kinds[kind_of(text)]
    for seed in SEEDS:
        line = Speaker(seed).reply(chat(text))
        assert line.startswith((*kind.english, *kind.hindi, *kind.hinglish)), line


@pytest.mark.parametrize(
    "text", ["चाय पीजिएगा?", "aap khana khayengi?", "will you have some cake?", "क्या आप मशीन हैं?"]
)
def test_a_program_says_that_it_is_one(text: str) -> None:
    for seed in SEEDS:
        assert ADMITS.search(Speaker(seed).reply(chat(text)))


def test_who_only_listens_does_not_say_the_same_twice() -> None:
    said: list[str] = []
    for number in range(10):
        seen = chat(f"the clock on the wall went by, number {'x' * number}")
        seen = msgspec.structs.replace(seen, earlier=tuple(said))
        said.append(Speaker(3).reply(seen))
    assert len({*said}) == len(said)


@pytest.mark.parametrize("text", ["You first this time.", "Pehle aap boliye.", "अब आपकी बारी।"])
def test_who_has_come_down_is_not_asked_to_begin(text: str) -> None:
    move = Offer(Paise(3400_00))
    for asks, is_wrong in (((6000.0,), False), ((6000.0, 5600.0), True)):
        seen = chat("5600", asks)
        found = [*faults(text, plan_of(seen, move), seen, move)]
        assert ("a turn that was taken" in found) == is_wrong


@pytest.mark.parametrize("title", ["Kitchen stools", "चाँदी के कंगन", "लोहे का झूला"])
def test_things_whose_names_bend_are_not_put_into_frames(title: str) -> None:
    seen = a_position((6000,), (), title=title, budget=5000)
    seen = msgspec.structs.replace(seen, suite=SALE, language="hi" if title[0] > "z" else "en")
    thing = thing_of(title)
    for seed in range(30):
        assert not re.search(re.escape(thing), Speaker(seed).line(seen, Offer(Paise(3000_00))))


@pytest.mark.parametrize(
    ("page", "condition", "language"),
    [
        ("en", "do saal purana, thoda ghisa hua", "english"),
        ("", "do saal purana, thoda ghisa hua", "hinglish"),
        ("en", "Two years old, one small dent", "english"),
        ("hi", "do saal purana, thoda ghisa hua", "hindi"),
    ],
)
def test_the_page_tells_the_language_then_the_listing(
    page: str, condition: str, language: str
) -> None:
    seen = a_position((6000,), ())
    seen = msgspec.structs.replace(
        seen, language=page, turns=(), item=Item("Sofa", condition=condition)
    )
    assert language_of(seen) == language


@pytest.mark.parametrize(
    ("title", "thing"),
    [("LG fridge double door", "fridge"), ("Teak bed with box", "bed"), ("Cane sofa set", "sofa")],
)
def test_a_thing_is_not_named_by_its_parts(title: str, thing: str) -> None:
    assert thing_of(title) == thing


@pytest.mark.parametrize(
    "line",
    ["have you got a garden for it?", "which town do you live in?", "aapko kaunsa rang pasand hai?",
     "will you repaint it?", "do you like antiques?", "where will you keep it?",
     "ghar mein kaun kaun hai?", "क्या आप खाना बनाती हैं?", "will it last another winter?",
     "kaun le jaayega isko?", "are you a collector?", "who else is with you in this?"],
)  # fmt: skip
def test_that_she_is_a_program_excuses_her_once_in_a_game(line: str) -> None:
    seen = chat(line)
    hers = Turn("buyer", seen.round, "message", None, "That I can't say, I'm a program.")
    later = msgspec.structs.replace(seen, turns=(hers, *seen.turns))
    for seed in SEEDS:
        reply = Speaker(seed).reply(later)
        assert reply
        assert not ADMITS.search(reply)


@pytest.mark.parametrize("line", ["so are you a bot?", "insaan ho ya program?"])
def test_who_asks_what_she_is_hears_it_each_time(line: str) -> None:
    seen = chat(line)
    hers = Turn("buyer", seen.round, "message", None, "That I can't say, I'm a program.")
    later = msgspec.structs.replace(seen, turns=(hers, *seen.turns))
    assert all(ADMITS.search(Speaker(seed).reply(later)) for seed in SEEDS)


@pytest.mark.parametrize("line", ["if I lower it by a bit, will you raise yours?",
                                  "main kuch ghata dun to aap badhogi kya?"])  # fmt: skip
def test_a_step_for_a_step_may_be_promised_to_who_asks_for_it(line: str) -> None:
    replies = {Speaker(seed).reply(chat(line)) for seed in range(30)}
    assert any(map(is_promise, replies))


@pytest.mark.parametrize("line", ["saari baat bata di maine", "saari duniya mein aisa nahi milega"])
def test_all_of_something_is_nothing_to_wear(line: str) -> None:
    assert not any("saree" in Speaker(seed).reply(chat(line)).lower() for seed in SEEDS)


@pytest.mark.parametrize(
    ("line", "nearest"),
    [("kiti?", "Hinglish"), ("vilai enna", "English"), ("koto?", "Hinglish"), ("किती?", "हिंदी"),
     ("எவ்வளவு?", "English")],
)  # fmt: skip
def test_a_short_line_of_another_language_is_told_which_she_speaks(line: str, nearest: str) -> None:
    assert all(nearest in Speaker(seed).reply(chat(line)) for seed in SEEDS)
