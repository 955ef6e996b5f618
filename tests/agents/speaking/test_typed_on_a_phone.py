"""What students type on a phone, in Hinglish: each kind is answered for what it is."""

import re

import pytest

from agents.speech.kinds import kind_of
from agents.speech.sides import clearly
from agents.speech.speaker import Speaker
from agents.speech.truths import told
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from tests.agents.speaking.test_doubts import chat
from tests.support.positions import a_position
from tests.support.stalls import haggle

SEEDS = range(6)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hiii didi kaisi ho", "theek|Badhiya"),
        ("helo bhaiya kya haal", "theek|Badhiya"),
        ("keyboard cover muft de dunga", "daam"),
        ("hostel walon ko party deni hai", "Mubarak|jashn"),
        ("arre galti ho gayi, 5900 likhna tha", "₹5,600"),
        ("ruko, 6000 hi theek tha", "₹5,600"),
        ("tum to nikal rahi thi na?", "yahin"),
        ("tumne kaha tha chali jaungi", "yahin"),
        ("gf dhokha de gayi yaar", "dil|Dil"),
    ],
)
def test_it_is_answered_for_what_it_is(line: str, words: str) -> None:
    for seed in SEEDS:
        assert re.search(words, Speaker(seed).reply(chat(line)))


@pytest.mark.parametrize("line", ["5700 plus samosa", "5700 aur ek chai", "5700 with lassi"])
def test_a_treat_beside_a_price_counts_for_nothing(line: str) -> None:
    seen = a_position((6_000, 5_700), (2_700, 3_000), budget=5_000, said=(line,))
    for seed in SEEDS:
        text = Speaker(seed).line(seen, Offer(Paise(3_100_00)))
        assert re.search("price|daam|treat|दाम", text), text


@pytest.mark.parametrize("line", ["chai ka thermos hai, 5700", "coffee machine 5700"])
def test_a_thing_for_tea_is_no_treat(line: str) -> None:
    seen = a_position((6_000, 5_700), (2_700, 3_000), budget=5_000, said=(line,))
    text = Speaker(1).line(seen, Offer(Paise(3_100_00)))
    assert not re.search("treat|Daawat|Khilane|eat or drink|khaati", text), text


def test_nobody_nods_to_being_human_or_speaks_of_asking_again_at_first() -> None:
    for line in ("tum insaan ho kya", "are you a real person yaar", "human or bot bhai?"):
        for seed in range(30):
            text = Speaker(seed).reply(chat(line))
            assert told(text, "self"), text
            assert not re.match("Bilkul|Haan|Sahi|Yes|Right|You found", text), text
            assert not re.search("baar poochh|how often|every time", text, re.IGNORECASE), text


@pytest.mark.parametrize(
    "line", ["exam ka thermos clear hai", "dil se bol raha hoon", "bhai le lo"]
)
def test_what_only_sounds_so_is_neither_joy_nor_grief(line: str) -> None:
    assert kind_of(line) not in ("heartbreak", "celebration", "you_were_leaving")


@pytest.mark.parametrize(
    ("line", "language"),
    [("human or bot yaar?", "hinglish"), ("battery kitni chalti h pata?", "hinglish"),
     ("what is the price bhai", "english"), ("last price", None)],
)  # fmt: skip
def test_a_short_line_is_in_the_language_of_its_words(line: str, language: str | None) -> None:
    assert clearly(line) == language


@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("battery kitne din", "Lena|lena|Le jaana|Pahunch|Raasta"),
        ("700, UPI", "khel mein nahi|hilta|chalta hi nahi"),
        ("700 final", "Jaane|ruk jaiye"),
        ("doosra buyer sach mein hai?", "Jo listing kahe|grahak raaste"),
    ],
)
def test_a_seller_of_the_house_hears_it_too(line: str, never: str) -> None:
    for seed in range(8):
        for seller in ("seller:people", "seller:default", "seller:deceptive"):
            for one in haggle(seed, seller, ["namaste ji, kaise ho", "650", line])[2:]:
                assert not re.search(never, one.text), one.text


def test_who_asked_whether_other_buyers_are_real_hears_of_none_again() -> None:
    lines = ["800", "doosra buyer sach mein hai kya?", *(["+50"] * 6)]
    texts = [one.text for seed in range(12) for one in haggle(seed, "seller:deceptive", lines)[2:]]
    assert len(texts) > 30
    assert not [
        text
        for text in texts
        if re.search("grahak raaste|kisi ne|Aur log|Pichhla grahak|Kisi aur", text)
    ]
