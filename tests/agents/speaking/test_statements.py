"""What sellers tell is heard for what it is, and answered by the thing's name."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from agents.speech.bank import ASK, BID, ITEM, LAST
from agents.speech.checks import MOST_WORDS, faults, opening_of, wording_faults
from agents.speech.kind_tables import Says, statements
from agents.speech.kinds import are_alike, kind_of, told_in
from agents.speech.nouns import NOUN
from agents.speech.plan import plan_of
from agents.speech.speaker import Speaker, filled
from agents.speech.statements import by_its_price, claims_against
from agents.text.languages import Register, is_mixed
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item
from tests.agents.speaking.test_doubts import chat
from tests.support.positions import a_position

SEEDS = range(6)
NONE = "none"
TOLD = [
    pytest.param(name, line, id=line)
    for name, lines in tomllib.loads(
        Path(__file__).with_name("statements.toml").read_text(encoding="utf-8")
    ).items()
    for line in lines.splitlines()
    if line
]
LANGUAGES: tuple[Register, ...] = ("english", "hinglish", "hindi")


@pytest.mark.parametrize(("name", "line"), TOLD)
def test_a_statement_is_heard_for_what_it_is(name: str, line: str) -> None:
    assert are_alike(told_in(line)[0][0] or kind_of(line) or NONE, name)


@pytest.mark.parametrize(
    ("line", "noun"),
    [
        ("the rear tyre is worn", "rear tyre"),
        ("screen ekdum saaf, par battery kamzor hai", "battery"),
        ("ढक्कन पर खरोंच है, मोटर सही", "lid"),
        ("it has some marks", ""),
    ],
)
def test_the_thing_that_was_named_is_found(line: str, noun: str) -> None:
    assert told_in(line)[0][1] == noun


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("I must tell you, the battery is weak", ("battery", "plain", "fault", "say so")),
        ("I will throw in the helmet", ("helmet", "generous", "adding", "put that in")),
        ("are you there?", ("here", "anywhere")),
        ("one minute, somebody is at the door", ("time", "here", "back", "hurry")),
    ],
)
def test_what_was_told_is_answered(line: str, words: tuple[str, ...]) -> None:
    for seed in SEEDS:
        said = Speaker(seed).reply(chat(line))
        assert any(word in said for word in words), said


@pytest.mark.parametrize(
    "line",
    ["remote ka button dab nahi raha", "the phone died last month", "waqt nikal gaya, ab 5 baje"],
)
def test_no_condolence_is_said_to_a_thing(line: str) -> None:
    says = chain.from_iterable(
        ("dukh", "afsos", "sorry", "aatma") if Speaker(seed).reply(chat(line)) else ()
        for seed in SEEDS
    )
    replies = [Speaker(seed).reply(chat(line)) for seed in SEEDS]
    assert not any(word in reply for word in says for reply in replies)


def test_a_price_that_came_down_is_thanked_for_by_its_number() -> None:
    named = 0
    for seed in range(20):
        seen = chat("5600", (6000.0, 5600.0))
        last = msgspec.structs.replace(seen.turns[-1], kind="offer")
        seen = msgspec.structs.replace(seen, turns=(*seen.turns[:-1], last))
        named += "5,600" in Speaker(seed).line(seen, Offer(Paise(3500_00)))
    assert named > 5


def test_all_sentences_keep_to_the_rules() -> None:
    table = statements()
    seen = chat("hello")
    plan = plan_of(seen, None)
    sets: list[Says] = [*table.kinds.values(), *table.prices.values(), *table.listening.values()]
    for says in sets:
        for language in LANGUAGES:
            sentences = says.of(language)
            assert len({opening_of(one) for one in sentences}) >= 3
            for one in sentences:
                line = filled(one, {ASK: "₹5", BID: "₹3", LAST: "₹3", ITEM: "X", NOUN: "Y"})
                assert "<" not in line
                assert len(line.split()) < MOST_WORDS - 8
                assert not list(wording_faults(line, plan, 3, language=None)), line


def test_a_word_of_another_language_changes_nothing() -> None:
    seen = chat("that is too little for me, sir, please offer more")
    more = Turn("seller", seen.round, "message", None, "chalo")
    for seed in SEEDS:
        reply = Speaker(seed).reply(msgspec.structs.replace(seen, turns=(*seen.turns, more)))
        assert "hoon" not in reply
        assert "ji" not in reply.split()


@pytest.mark.parametrize("line", ["will you still take it if the lid is cracked?", "lpg or png?"])
def test_what_a_question_only_names_was_not_told(line: str) -> None:
    assert told_in(line)[0][0] not in ("defect", "presence")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("a colleague offered 3,000 for it", "rival_less"),
        ("the dealer offers me less than you", "rival_less"),
        ("padosi aapse kam de raha hai", "rival_less"),
        ("ek uncle 3400 de raha hai", "rival_same"),
        ("दूसरी पार्टी 4000 देने को तैयार है", "others_waiting"),
        ("someone else is waiting", "others_waiting"),
    ],
)
def test_a_rival_is_weighed_by_what_he_pays(line: str, name: str) -> None:
    assert by_its_price("others_waiting", chat(line)) == name


@pytest.mark.parametrize(
    ("line", "name", "noun"),
    [
        ("are the strings rusty?", "strings", "strings"),
        ("kya stand naya hai?", "stand", "stand"),
        ("तारों के बारे में क्या सोचती हैं आप?", "strings", "तारों"),
    ],
)
def test_an_unknown_question_is_answered_by_its_topic(line: str, name: str, noun: str) -> None:
    assert told_in(line)[0][1] == name
    assert any(noun in Speaker(seed).reply(chat(line)).lower() for seed in SEEDS)


@pytest.mark.parametrize("line", ["bat khatam", "in case you forget", "the flat next door"])
def test_a_word_of_another_sense_names_no_thing(line: str) -> None:
    assert told_in(line)[0][1] == ""


def test_a_greeting_before_a_question_leaves_it_the_answer() -> None:
    seen = chat("Hello! Who is it for?")
    for seed in SEEDS:
        assert "program" in Speaker(seed).reply(seen)


SCOOTER = Item(
    "Honda Activa 2016, grey",
    condition="2016 model, front tyre is worn, seat cover torn. Insurance khatam, no toolbox.",
)
COOKER = Item("Prestige cooker 5 l", condition="पाँच साल पुराना, हैंडल टूटा हुआ। डिब्बा नहीं है।")
LAPTOP = Item("Dell laptop", condition="Four years old, battery 70 %, one scratch on the lid.")


@pytest.mark.parametrize(
    ("item", "line", "claims"),
    [
        (SCOOTER, "insurance bhi chalu hai", {("absent", "insurance")}),
        (SCOOTER, "front tyre bilkul naya hai", {("flaw", "front tyre")}),
        (SCOOTER, "toolbox saath mein, 30500", {("absent", "toolbox")}),
        (SCOOTER, "asal mein hero hai yeh", {("brand", "")}),
        (COOKER, "सिर्फ़ दो साल पुराना है", {("younger", "")}),
        (COOKER, "डिब्बा भी है साथ में", {("absent", "box")}),
        (COOKER, "ekdum nayi hai, kabhi istemal nahi", {("new", "")}),
        (COOKER, "हैंडल एकदम ठीक है", {("flaw", "handle")}),
        (LAPTOP, "battery is 95 %, used one year only", {("figure", ""), ("younger", "")}),
        (LAPTOP, "no scratches anywhere", {("spotless", "")}),
        (LAPTOP, "it's brand new, sealed", {("new", "")}),
        # What agrees with the listing, asks, or speaks of something else.
        (SCOOTER, "2016 model, insurance is not there", set()),
        (SCOOTER, "is the insurance needed?", set()),
        (SCOOTER, "a new one costs 90000 in the showroom", set()),
        (SCOOTER, "my son is 3 years old", set()),
        (SCOOTER, "the rear tyre is new", set()),
        (SCOOTER, "front tyre theek nahi hai", set()),
        (SCOOTER, "the front tyre is not new", set()),
        (SCOOTER, "fresh piece hai", {("new", "")}),
        (COOKER, "पाँच साल पुराना ही है", set()),
        (LAPTOP, "four years old, the battery is 70 %", set()),
        (LAPTOP, "the charger is 2 months old", set()),
        (LAPTOP, "my apple is newer", set()),
        (Item("Kettle"), "brand new, 2 months old, bill included", set()),
    ],
)
def test_a_claim_is_held_against_the_listing(
    item: Item, line: str, claims: set[tuple[str, str]]
) -> None:
    assert set(claims_against(line, item)) == claims


@pytest.mark.parametrize(
    ("item", "line", "words"),
    [
        (LAPTOP, "it's brand new, sealed. 30000", "listing|used"),
        (LAPTOP, "30000. bilkul nayi hai ji, kabhi chalayi nahi", "listing"),
        (COOKER, "30000। डिब्बा भी है साथ में", "डिब्बे.*(?:बिना|लिस्टिंग)|लिस्टिंग.*डिब्बे"),
    ],
)
def test_a_claim_is_noticed_kindly_beside_a_price(item: Item, line: str, words: str) -> None:
    for seed in SEEDS:
        seen = msgspec.structs.replace(
            a_position((30_000, 30_000), (20_000,), budget=28_000, said=(line,)), item=item
        )
        text = Speaker(seed).line(seen, Offer(Paise(20_000_00)))
        assert re.search(words, text, re.IGNORECASE), text
        assert kind_of(text) != "called_thief"


@pytest.mark.parametrize(
    ("language", "line"),
    [("english", "Mine is {}."), ("hinglish", "Bas {} hi hai ji"), ("hindi", "{} ही है जी")],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_who_stands_says_why_in_another_way_each_round(
    language: Register, line: str, seed: int
) -> None:
    table = {
        re.sub("<[a-z]+>", ".+", re.sub("([?.|])", r"\\\1", one)): kind
        for kind, says in statements().stand.items()
        for one in says.of(language)
    }
    said: list[str] = []
    kinds: list[str] = []
    for number in range(1, 8):
        seen = a_position((5_800,) * (number + 1), (2_700,) * number, budget=5_000)
        turn = Turn("seller", number, "offer", Paise(5_800_00), line.format("5800"))
        seen = msgspec.structs.replace(seen, turns=(turn,), earlier=tuple(said))
        text = Speaker(seed).line(seen, Offer(Paise(2_700_00)))
        assert set(re.findall(r"[\d,]+\d", text)) <= {"5,800", "2,700"}
        assert text not in said
        assert not any(wording_faults(text, plan_of(seen, Offer(Paise(2_700_00))), 3, said=said))
        said.append(text)
        kinds += [kind for look, kind in table.items() if re.fullmatch(look, text)]
    assert len(kinds) >= 4, said
    assert len(set(kinds)) == len(kinds), said


def test_what_is_said_of_a_claim_and_while_standing_may_be_said() -> None:
    slots = {LAST: "₹2,700", ASK: "₹5,800", ITEM: "lamp", NOUN: "battery"}
    for says in (*statements().claims.values(), *statements().stand.values()):
        for language in LANGUAGES:
            for line in says.of(language):
                text = filled(line, slots)
                seen = a_position((5_800, 5_800), (2_700,), budget=5_000)
                lamp = Item("Lamp", condition="Used two years, no battery, one scratch.")
                seen = msgspec.structs.replace(seen, item=lamp)
                plan = plan_of(seen, Offer(Paise(2_700_00)))
                assert not [*faults(text, plan, seen, Offer(Paise(2_700_00)))], text
                if language != "english":
                    assert not is_mixed(text), text


def test_whoever_is_tired_of_numbers_is_asked_about_the_thing() -> None:
    for line in ("you only repeat numbers, say something new. 5800", "kuch naya boliye. 5800"):
        seen = a_position((5_800, 5_800), (2_700,), budget=5_000, said=(line,))
        for seed in SEEDS:
            text = Speaker(seed).line(seen, Offer(Paise(2_700_00)))
            assert re.search("what|which|who|tell|kaun|kis|kya|bataiye", text, re.IGNORECASE), text
