"""What a line says beside its price, and what it makes of hers, is answered; nothing is scolded."""

from itertools import chain
from pathlib import Path

import pytest
from msgspec.structs import replace

from agents.output_guard.coherence import claims
from agents.speech.answers import grief_of
from agents.speech.bank import ASK, BID, ITEM, LAST, is_said
from agents.speech.checks import MOST_WORDS, is_in, wording_faults
from agents.speech.kind_tables import Says, answers, echo_of, statements, told_by_words
from agents.speech.kinds import kind_of
from agents.speech.nouns import NOUN, named
from agents.speech.plan import plan_of
from agents.speech.promises import is_warning
from agents.speech.speaker import Speaker, filled
from agents.speech.statements import is_worded, thrown_back
from agents.speech.sure import sure_of
from agents.text.languages import Register
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Accept, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item
from tests.agents.speaking.test_doubts import chat
from tests.support.positions import a_position

SEEDS = range(6)
INNOCENT = tuple(
    line.split("\t")
    for line in Path(__file__).with_name("innocent.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)
LANGUAGES: tuple[Register, ...] = ("english", "hinglish", "hindi")
SLOTS = {LAST: "₹2,700", ASK: "₹5,800", BID: "₹2,900", ITEM: "lamp", NOUN: "battery"}


def priced(line: str, *said: str, asks: tuple[float, ...] = (5800, 5600)) -> BuyerObservation:
    """Show a position in which a seller has just named a price in words, and what she said."""
    seen = a_position(asks, (2700,) * (len(asks) - 1), budget=5000)
    turns = (
        *(Turn("buyer", 1, "message", None, text) for text in said),
        Turn("seller", 2, "offer", Paise(int(100 * asks[-1])), line),
    )
    return replace(seen, turns=turns)


def sentences_of(says: Says) -> tuple[str, ...]:
    return says.in_all_languages()


@pytest.mark.parametrize(
    ("matter", "line"),
    [
        ("wife", "my wife will kill me for this, 5600"),
        ("wife", "5600, biwi ghar se nikal degi"),
        ("wife", "5600, पत्नी नाराज़ हो जाएगी"),
        ("destroy", "5600 or i burn it on saturday"),
        ("snack", "5600, इतने में तो दो समोसे आते हैं"),
        ("slipper", "5600, warna dadi chappal nikal legi"),
    ],
)
def test_the_matter_of_a_line_goes_before_its_price(matter: str, line: str) -> None:
    assert echo_of(line) == matter
    said = statements().echo[matter]
    for seed in SEEDS:
        text = Speaker(seed).line(priced(line), Offer(Paise(2900_00)))
        assert any(is_said(one, [text]) for one in sentences_of(said)), text
        assert "2,900" in text


@pytest.mark.parametrize(
    "line", ["5600", "ok 5600 final", "chalo bhai 5600 de do", "5600 में ले लो जी"]
)
def test_a_bare_price_has_no_matter(line: str) -> None:
    assert not is_worded(line)
    assert not echo_of(line)


def test_a_yes_answers_what_was_said_with_the_price() -> None:
    seen = priced("5600, meri biwi khush ho jayegi")
    says = statements().echo["wife"]
    texts = [Speaker(seed).line(seen, Accept()) for seed in SEEDS]
    assert all("5,600" in text for text in texts)
    assert all(any(is_said(one, [text]) for one in says.hinglish) for text in texts), texts


@pytest.mark.parametrize(
    ("words", "hers", "found"),
    [
        ("stubborn? me? 5600", "We could both be stubborn: ₹2,700.", ("tease", "stubborn")),
        ("what storm? i said the storm lamp", "Keep dry in that storm.", ("misread", "storm")),
        ("sharam aayi to thoda badhao 😂", "Apne par zara sharam aayi.", ("tease", "sharam")),
        ("मौसम की कौन बोल रहा है", "मौसम अच्छा रहे।", ("misread", "मौसम")),
        ("5600 for the stubborn lamp", "We could both be stubborn: ₹2,700.", ("", "")),
        ("what price? 5600", "That is my price.", ("", "")),
        ("lamp? of course", "The lamp is fine.", ("", "")),
        (
            "who else is stubborn? not me",
            "We could both be stubborn: ₹2,700.",
            ("tease", "stubborn"),
        ),
        ("your stubborn talk is not bad, 5600", "We could both be stubborn: ₹2,700.", ("", "")),
        (
            "haha stubborn, yes, and tell me why the price of the lamp is so low when it is new",
            "We could both be stubborn: ₹2,700.",
            ("", ""),
        ),
    ],
)
def test_a_word_of_hers_that_comes_back_is_known(
    words: str, hers: str, found: tuple[str, str]
) -> None:
    assert thrown_back(words, hers, Item("Lamp")) == found


def test_a_word_of_hers_is_taken_with_a_smile_and_not_after_grief() -> None:
    hers = "We could both be stubborn, or you could look at ₹2,700."
    for seed in SEEDS:
        text = Speaker(seed).line(priced("stubborn? me? 5600", hers), Offer(Paise(2900_00)))
        assert "stubborn" in text
        again = priced("stubborn? me? 5600", "My own “goat” turned against me, fair enough.", hers)
        assert "stubborn" not in Speaker(seed).line(again, Offer(Paise(2900_00)))
        mourns = replace(
            priced("stubborn? me? 5600", hers), earlier=(answers().kinds["loss"].english[0],)
        )
        assert "stubborn" not in Speaker(seed).line(mourns, Offer(Paise(2900_00)))


@pytest.mark.parametrize(
    ("question", "answer", "language"),
    [
        ("Fair, something new then: what is the best thing about it that the listing leaves out?",
         "it never wobbles even on a bad floor", "english"),
        ("To ek sawaal meri taraf se: bik jaaye to iski kaunsi baat yaad aayegi?",
         "shaam ko iski halki si roshni", "hinglish"),
        ("बात मान ली। लेने वाले को पहले क्या जानना चाहिए, वही बताइए।",
         "इसे हर महीने थोड़ा तेल देना पड़ता है", "hindi"),
    ],
)  # fmt: skip
def test_an_answer_to_her_own_question_is_heard(
    question: str, answer: str, language: Register
) -> None:
    seen = chat(answer)
    asked = Turn("buyer", 1, "message", None, question)
    for seed in SEEDS:
        text = Speaker(seed).reply(replace(seen, turns=(asked, *seen.turns)))
        assert any(is_said(one, [text]) for one in statements().answered.of(language)), text


def test_grief_is_remembered_beyond_what_the_position_holds() -> None:
    said = answers().kinds["loss"].hindi[1]
    seen = replace(priced("अलमारी खाली करनी है, 5600"), earlier=(said,))
    assert grief_of(seen) == "loss"
    assert not grief_of(replace(seen, earlier=("कोई बात नहीं।",)))
    for seed in SEEDS:
        text = Speaker(seed).line(seen, Offer(Paise(2900_00)))
        assert not any(word in text for word in ("खेल", "मज़ा", "हँस")), text


def test_who_warned_and_stays_says_why() -> None:
    warned = "One more honest try: ₹2,700. If it stays this far from yours, I'll have to go."
    assert is_warning(warned)
    says = statements().stays.english
    for seed in SEEDS:
        stood = priced("I keep to 5800", warned, asks=(5800, 5800))
        for bid in (2700_00, 2900_00):
            text = Speaker(seed).line(stood, Offer(Paise(bid)))
            assert any(is_said(one, [text]) for one in says), text
        moved = Speaker(seed).line(priced("ok 5600", warned), Offer(Paise(2900_00)))
        assert not any(is_said(one, [moved]) for one in says), moved


def test_what_she_cannot_do_excuses_her_once() -> None:
    excuse = "Sorry, that is beyond me; I only do numbers."
    asked = chat("can you juggle three of them for me?")
    before = Turn("buyer", 1, "message", None, excuse)
    for seed in range(20):
        assert "beyond me" not in Speaker(seed).reply(replace(asked, turns=(before, *asked.turns)))


def test_the_sentences_keep_to_the_rules() -> None:
    table = statements()
    plan = plan_of(chat("hello"), None)
    sets = (*table.echo.values(), *table.back.values(), *table.beside.values())
    for says in (*sets, table.answered, table.stays):
        for language in LANGUAGES:
            sentences = says.of(language)
            assert len(set(sentences)) == len(sentences) >= 2
            tails = chain.from_iterable(answers().tails[language].values())
            for line, tail in ((one, tail) for tail in (*tails, "") for one in sentences):
                text = filled(f"{line} {tail}".strip(), SLOTS)
                assert "<" not in text
                assert len(text.split()) <= MOST_WORDS, text
                assert not claims(text), text
                assert is_in(filled(line, SLOTS | {ITEM: "", NOUN: ""}), language), line
                assert "last" in tail or not list(wording_faults(line, plan, 3)), text


@pytest.mark.parametrize(
    ("line", "scene", "how"),
    [
        ("even a coconut holds more lol, 5600", "coconut", "scene_light"),
        ("for the coconut you bid more 😂", "coconut", "scene_light"),
        ("5600, ek nariyal to isse bhaari hota hai 🤣", "coconut", "scene_light"),
        ("meri bahu intezaar kar rahi hai", "daughter-in-law", "scene"),
        ("5600, पार्लर का आधा घंटा है यह", "parlour", "scene"),
    ],
)
def test_who_is_in_a_story_is_taken_up_and_no_clause_said_again(
    line: str, scene: str, how: str
) -> None:
    says = statements().beside[how]
    mourns = replace(priced(line), earlier=(answers().kinds["loss"].english[0],))
    for seed in SEEDS:
        speaker, bid = Speaker(seed), Offer(Paise(2900_00))
        text = speaker.line(priced(line), bid) if "5600" in line else speaker.reply(chat(line))
        found = [one for of in LANGUAGES for one in named(says.of(of), scene, of)]
        assert any(one in text for one in found), text
        assert "“" not in text
        assert not any(one in speaker.line(mourns, bid) for one in found)


@pytest.mark.parametrize(
    "line",
    ["tum school gayi ho kabhi?", "आपको हास्य समझ आता है क्या", "do you believe in kites?"],
)
def test_what_only_people_have_is_not_looked_for_in_the_listing(line: str) -> None:
    for seed in SEEDS:
        text = Speaker(seed).reply(chat(line))
        assert not any(word in text for word in (" par mere paas", "On the ", "पर मेरे पास")), text


@pytest.mark.parametrize("line", ["auto ka kiraya kaun dega?", "who pays the school fees of it?"])
def test_a_question_goes_before_a_need_that_it_names(line: str) -> None:
    says = statements().echo["bills"].in_all_languages()
    for seed in SEEDS:
        text = Speaker(seed).reply(chat(line))
        assert not any(is_said(one, [text]) for one in says), text


def test_a_word_that_stands_innocently_raises_no_matter() -> None:
    fired = []
    for topic, line in INNOCENT:
        table, name = topic.split(".")
        found = {
            "echo": (echo_of(line),),
            "sure": sure_of(line),
            "kinds": tuple(kind for kind, _ in told_by_words(line)[0]),
        }
        fired += [line] if name in found[table] else []
    assert len(INNOCENT) > 200
    assert fired == []


@pytest.mark.parametrize(
    ("topic", "line"),
    [
        ("bills", "kiraya dena hai kal tak"),
        ("bills", "i have to pay my rent on friday"),
        ("sleep", "mujhe neend aa rahi hai ab"),
        ("festival", "happy diwali to you"),
        ("wedding", "बहन की शादी है अगले हफ़्ते"),
        ("exam", "kal mera exam hai"),
        ("destroy", "warna ise nadi mein baha doon? jala dunga"),
        ("chai", "pehle chai pi lo"),
        ("animals", "the goat sat on it"),
        ("robbery", "this is daylight robbery"),
        ("god", "god bless you, beta"),
        ("plea", "please take it for 5000"),
    ],
)
def test_a_matter_that_is_raised_is_known(topic: str, line: str) -> None:
    assert echo_of(line) == topic


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("loss", "my wife is no longer with us"),
        ("loss", "mom's gone, the house is quiet"),
        ("loss", "papa ki nishani hai"),
        ("loss", "अब्बा का इंतक़ाल पिछले साल हुआ, फ़ीस भरनी है"),
        ("loss", "walid sahab nahi rahe"),
        ("loss", "papa ab nahi rahe isliye bechna mushkil hai"),
        ("", "this sofa has seen two breakups and a divorce"),
        ("", "should the cactus go to its death?"),
        ("", "papa guzar gaye haha, mazak kar raha hoon"),
        ("loss", "मेरे वालिद गुज़र गए"),
        ("illness", "mera haath tuta hai, utha nahi sakta"),
        ("illness", "दुर्घटना में पैर टूट गया मेरा"),
        ("distress", "i lost the job in march"),
        ("distress", "they made me redundant last week"),
        ("distress", "my knee is shot, no more climbing"),
        ("", "papa ab nahi rahe delhi mein"),
        ("", "murti ka haath tuta hai"),
        ("", "the leg of the chair is broken"),
    ],
)
def test_a_hardship_is_heard_by_its_kind(name: str, line: str) -> None:
    assert kind_of(line) == name
    if name:
        says = answers().kinds[name].in_all_languages()
        for seed in SEEDS:
            text = Speaker(seed).reply(chat(line))
            assert any(is_said(one, [text]) for one in says), text


@pytest.mark.parametrize(
    "line", ["main jaa rahi hu bye", "ok bye", "i will keep it then", "रहने दो, मैं चला"]
)
def test_who_goes_for_good_is_not_told_to_take_time(line: str) -> None:
    says = statements().kinds["farewell"].in_all_languages()
    for seed in SEEDS:
        text = Speaker(seed).reply(chat(line))
        assert any(is_said(one, [text]) for one in says), text


def test_nobody_is_thanked_for_a_step_of_one_rupee() -> None:
    thanks = statements().prices["lower"].english
    for seed in SEEDS:
        for asks, is_thanked in (((5800, 5799), False), ((5800, 5300), True)):
            seen = priced(f"{asks[-1]}", asks=asks)
            text = Speaker(seed).line(seen, Offer(Paise(2700_00)))
            assert is_thanked or not any(is_said(one, [text]) for one in thanks), text
    seen = priced("5799", asks=(5800, 5799))
    texts = [Speaker(seed).line(seen, Offer(Paise(2900_00))) for seed in range(20)]
    tiny = statements().prices["tiny"].english
    assert any(is_said(one, texts) for one in tiny), texts


def test_after_two_reasons_to_stand_she_says_it_plainly() -> None:
    stand = statements().stand
    said = (stand["unseen"].english[0], stand["used"].english[0])
    for seed in SEEDS:
        seen = replace(priced("Mine is 5800", asks=(5800, 5800)), earlier=said)
        texts = [Speaker(one).line(seen, Offer(Paise(2700_00))) for one in range(20)]
        assert any(is_said(one, texts) for one in stand["plainly"].english), (seed, texts)


def test_a_question_of_hers_said_again_is_still_answered() -> None:
    hers = "If a friend of yours wanted it, what would you point out first? Till I know, ₹2,700."
    answer = chat("if a friend wanted it? id point at the scar on the trunk, dad cut himself there")
    seen = replace(answer, turns=(Turn("buyer", 1, "message", None, hers), *answer.turns))
    for seed in SEEDS:
        text = Speaker(seed).reply(seen)
        assert any(is_said(one, [text]) for one in statements().answered.english), text
