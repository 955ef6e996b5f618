"""What is asked of her and told of a life in plain words is answered by words of its own."""

from itertools import chain
from typing import get_args

import pytest
from msgspec.structs import replace

from agents.output_guard.coherence import claims
from agents.speech.bank import ASK, BID, ITEM, LAST, is_said
from agents.speech.checks import MOST_WORDS, is_in, wording_faults
from agents.speech.kind_tables import Statement, answers, statements
from agents.speech.nouns import NOUN
from agents.speech.plan import plan_of
from agents.speech.promises import is_promise
from agents.speech.speaker import Speaker, filled
from agents.speech.sure import SURE, sure_of
from agents.text.languages import Register
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.word_tables import read_table
from negotiation.catalogue.stock import read_stock
from tests.agents.speaking.test_beside import priced
from tests.agents.speaking.test_doubts import chat

SEEDS = range(4)
LANGUAGES: tuple[Register, ...] = get_args(Register)
KINDS = read_table(SURE, dict[str, Statement])
SLOTS = {LAST: "₹2,700", ASK: "₹5,800", BID: "₹2,900", ITEM: "lamp", NOUN: "battery"}


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("tired", "do you never get tired of all this haggling?"),
        ("owned_up", "sach bolu, 65 wali baat jhooth tha"),
        ("owned_up", "ok i lied about the mileage"),
        ("unheard", "kiraya bola maine, kuch aur nahi"),
        ("unheard", "राखी नहीं, सुई रखी है बोला मैंने"),
        ("tired", "aap kabhi thakti nahi kya?"),
        ("eats", "tumne khana khaya kya?"),
        ("eats", "what did you have, did you eat yet?"),
        ("if_she_could", "which dish would you cook first, if you could?"),
        ("owner", "aapke malik kaun hain, unse baat karwa do"),
        ("owner", "can i talk to your manager?"),
        ("owner", "तुम्हारा बॉस कौन है?"),
        ("use_or_sell", "khud pehnogi ya aage bechogi?"),
        ("use_or_sell", "will you keep it or sell it on?"),
        ("sensed", "have you ever heard a real sitar?"),
        ("sensed", "आपने कभी ऐसी साड़ी देखी है?"),
        ("gain", "isme aapko kya milta hai?"),
        ("gain", "and what do you gain from it?"),
        ("real_sale", "is this a real sale then?"),
        ("real_sale", "yeh kaisa khel hai?"),
        ("taught_sorry", "nobody taught you to say sorry?"),
        ("taught_sorry", "you should have said sorry first"),
        ("todays_rate", "aaj sone ka rate pata hai?"),
        ("her_kin", "aapki beti kitne saal ki hai?"),
        ("promise_asked", "would you at least promise that the name stays on it?"),
        ("small_steps", "you came up by 100 only"),
        ("small_steps", "बस 50 बढ़ाए?"),
        ("unheard", "you didn't answer my question about the lid"),
        ("unheard", "aap sunti hi nahi ho"),
        ("medicine", "dawai ke paise chahiye the ji"),
        ("hearth", "घर में चूल्हा जलाना है बहन"),
        ("no_work", "teen mahine se kaam nahi mil raha"),
        ("pension", "i live on a small pension"),
        ("scolded_at_home", "my brother will kill me under that"),
        ("prize", "isi tabla pe pehla inaam mila tha"),
        ("remembered", "dada roz shaam ko isko bajate the"),
        ("told_now", "मैं बता तो रही हूँ तीस हैं"),
        ("liked", "my mum would have liked you"),
        ("forgiven", "चलो माफ़ किया"),
        ("yes_or_no", "haan ya na?"),
        ("put_in", "i'm throwing in a spare belt"),
        ("knows_it", "haan maine khud likha hai"),
    ],
)
def test_a_kind_has_its_own_answer(kind: str, line: str) -> None:
    assert kind in sure_of(line)
    first = sure_of(line)[0]
    for seed in SEEDS:
        seen = priced(f"{line} 5600") if first == "yes_or_no" else chat(line)
        text = (
            Speaker(seed).line(seen, Offer(Paise(2900_00)))
            if first == "yes_or_no"
            else Speaker(seed).reply(seen)
        )
        there = (KINDS[one] for one in (first, "longer_step", "shorter_step"))
        assert any(is_said(one, [text]) for says in there for one in says.in_all_languages()), text


@pytest.mark.parametrize(
    "line",
    [
        "i'm tired, take it for 5500",
        "my boss ate my lunch today",
        "the mixer never tires",
        "no work needed on the brakes",
        "medicine box, teak, 1970",
        "it won't be sold for less",
        "the real leather is on sale everywhere",
        "mujhe khaana banana aata hai",
        "papa ki dukaan se liya tha",
        "meri behen dukaan pe hai",
        "ghar pe chai pi lo",
        "new is only 2000 more",
        "i know a good mechanic",
        "साल भर चली है",
    ],
)
def test_one_word_makes_no_kind(line: str) -> None:
    assert sure_of(line) == ()


def test_a_need_is_named_before_the_price() -> None:
    for seed in SEEDS:
        text = Speaker(seed).line(priced("ghar ka chulha jalana hai, 5600"), Offer(Paise(2900_00)))
        assert any(is_said(one, [text]) for one in KINDS["hearth"].hinglish), text
        assert "2,900" in text


def test_of_who_mourns_in_the_line_the_death_is_spoken_of_first() -> None:
    for seed in SEEDS:
        text = Speaker(seed).reply(chat("papa roz bajate the, pichle mahine unka dehant ho gaya"))
        assert not any(is_said(one, [text]) for one in KINDS["remembered"].hinglish), text


def test_a_small_step_is_owned_by_whose_was_longer() -> None:
    for asks, kind in (((5800, 5000), "longer_step"), ((5800, 5799), "shorter_step")):
        seen = priced("only 100 more?", asks=(6000, *asks))
        seen = replace(seen, bids=(Paise(2600_00), Paise(2700_00)))
        text = Speaker(1).line(seen, Offer(Paise(2900_00)))
        assert any(is_said(one, [text]) for one in KINDS[kind].english), text


def test_a_claim_that_was_none_is_taken_back() -> None:
    doubt = statements().claims["younger"].english[0]
    before = Turn("buyer", 1, "message", None, doubt)
    seen = chat("not the lamp, i meant the wiring is from 2011")
    for seed in SEEDS:
        text = Speaker(seed).reply(replace(seen, turns=(before, *seen.turns)))
        assert any(is_said(one, [text]) for one in KINDS["took_back"].english), text


CHETAK = next(
    Item(entry.title, shelf.category, entry.text)
    for shelf in read_stock()
    for entry in shelf.listing
    if entry.key == "vehicles-bajaj-chetak-1999"
)


def test_who_wrote_the_listing_is_told_of_it_only_where_they_ask() -> None:
    told = "tilt"
    for seed in SEEDS:
        asks = replace(chat("did you read in my listing how it starts?"), item=CHETAK)
        assert told in Speaker(seed).reply(asks)
        wonders = replace(chat("who would not want to kick such a thing to start it?"), item=CHETAK)
        assert told not in Speaker(seed).reply(wonders)


def test_the_sentences_keep_to_the_rules() -> None:
    plan = plan_of(chat("hello"), None)
    for name, says in KINDS.items():
        for language in LANGUAGES:
            sentences = says.of(language)
            assert len(set(sentences)) == len(sentences) >= 1, name
            tails = chain.from_iterable(answers().tails[language].values())
            for line, tail in ((one, tail) for tail in (*tails, "") for one in sentences):
                text = filled(f"{line} {tail}".strip(), SLOTS)
                assert len(text.split()) <= MOST_WORDS, text
                assert not claims(text), text
                assert not is_promise(line), text
                assert is_in(line, language), line
                assert "last" in tail or not list(wording_faults(line, plan, 3)), text
