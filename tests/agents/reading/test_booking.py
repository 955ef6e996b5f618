"""What may be booked without a question: only what was said, and plainly."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.text.intent import read_buyer_intent, read_intent
from agents.text.reading.pieces import to_text
from bazaarbatna.bargain.quantities import Paise
from negotiation.readers import Intent


def sells(text: str, ask: int, bid: int) -> Intent:
    return read_intent(text, Paise(100 * ask), Paise(100 * bid))


def buys(text: str, ask: int, bid: int) -> Intent:
    return read_buyer_intent(text, Paise(100 * ask), Paise(100 * bid))


@pytest.mark.parametrize(
    ("text", "ask", "bid", "price"),
    [
        # "and" beside a thing adds nothing.
        ("7000 aur ek cup chai", 9000, 3000, 7000),
        ("2500 aur saath mein helmet free", 3000, 1800, 2500),
        ("६ सौ और ४५", 800, 400, 645),
        ("saat hazaar aur teen sau", 9000, 5000, 7300),
        # Old and new.
        ("pehle 6200 tha, chalo 5800", 6200, 4000, 5800),
        ("my price was 6200, ok 5800", 6200, 4000, 5800),
        ("aapka 4200 aur mera 6200, chalo 5500", 6200, 4200, 5500),
        # Parts that were lost.
        ("2lakh40k", 300_000, 200_000, 240_000),
        ("7k5", 8000, 6000, 7500),
        ("teen lakh bees", 350_000, 280_000, 320_000),
        ("6 lakh 40, papers clear", 680_000, 600_000, 640_000),
        ("pachas hazaar nahi to 48", 55_000, 40_000, 48_000),
        ("paanch hazaar ek", 6000, 4000, 5001),
        ("सिक्स्टी टू थाउज़ेंड", 70_000, 50_000, 62_000),
        # Signs.
        ("9000 ki jagah 8200", 9000, 6000, 8200),
        ("7 hazaar se 10 rupaye kam nahi", 8000, 6000, 7000),
        ("3k se do sau kam", 3200, 2500, 2800),
        ("7400 -> 7100", 7400, 6000, 7100),
        ("7400 ==> 7100", 7400, 6000, 7100),
        ("7400 ➜ 7100", 7400, 6000, 7100),
        ("~~7400~~ 7100", 7400, 6000, 7100),
        ("8000 - 900 = 7100 theek?", 8000, 6000, 7100),
        ("without the stand it is 7,100", 8000, 6000, 7100),
        # Number words as they are typed.
        ("choubees sau lagenge", 3000, 2000, 2400),
        ("tirepan hazaar final", 60_000, 45_000, 53_000),
        ("सात हज़ार ढाई सौ", 8000, 6000, 7250),
        ("one and a quarter lakh, not less", 140_000, 110_000, 125_000),
        ("ninety one k including helmet", 95_000, 80_000, 91_000),
        ("seven. thousand.", 8000, 6000, 7000),
        ("half thousand off. 7500", 8000, 6000, 7500),
        ("teenso ka sirf", 350, 200, 300),
        # From one to another, and what is left.
        ("do lakh pachhattar se seedha do lakh saath pe aa gaya", 275_000, 240_000, 260_000),
        ("8500 se start kiya tha, 8200 pe khatam karo", 9000, 7000, 8200),
        ("2000 mein se 100 kaat lo", 2000, 1500, 1900),
        ("not 7000 not 8500, 8200", 9000, 7000, 8200),
        # A tag is no refusal, and a sum of others none of the seller's.
        ("paintees sau pe kar lo na, fees bharni hai", 3800, 3200, 3500),
        ("dost ne 7500 bola tha, par aapko 8000", 9000, 7000, 8000),
        ("petrol went up so 2900", 3200, 2500, 2900),
    ],
)
def test_a_seller_books_what_was_said(text: str, ask: int, bid: int, price: int) -> None:
    read = sells(text, ask, bid)
    assert (read.kind, read.price) == ("price", 100 * price)


@pytest.mark.parametrize(
    ("text", "ask", "bid"),
    [
        ("8-6 lakh", 900_000, 500_000),
        ("6 - 6.5k", 7000, 5000),
        ("7.2 to 7.5", 9000, 5000),
        (",85 lakh", 100_000, 50_000),
        ("saat aath sau", 900, 600),
        ("aadha aadha", 9000, 5000),
        ("shall we meet in the middle?", 9000, 5000),
        ("5000 ke andar kuch bhi", 6000, 4000),
        ("around 5000 something", 6000, 4000),
        ("bag ke saath 5200, nahi to 4900", 6000, 4000),
        ("5200 ya phir 4900?", 6000, 4000),
        ("500 aur", 9000, 5000),
        ("delivery meri to 1700, khud le jao to 1600", 1800, 1400),
        ("cash 8000, upi 8200", 9000, 7000),
        ("ek 4000 ka dono 7500", 9000, 7000),
        ("8000 for you, 8500 if you need the stand", 9000, 7000),
        ("ok 2800... or 2900 if the boy installs it", 3200, 2500),
        ("shayad 8000 tak aa jau", 9000, 7000),
        ("8000 pe soch sakta hu", 9000, 7000),
        ("do char sau aur badha do", 9000, 7000),
        ("review accha likh dogi to 300 chhod dunga", 8000, 6600),
        ("11.5 final", 12_500, 9000),
        ("13 will do", 15_000, 12_000),
        ("four fifty less or four fifty final", 900, 400),
    ],
)
def test_what_may_be_two_prices_or_none_is_asked_back(text: str, ask: int, bid: int) -> None:
    read = sells(text, ask, bid)
    assert read.kind == "ambiguous"
    assert read.question


@pytest.mark.parametrize(
    "text",
    [
        "4000? pagal ho gaye kya",
        "4000 matlab mazaak hai",
        "yamaha. 2019",
        "sector 62, gate number 2",
        # What others bid, ask, paid and sold at.
        "a gentleman from andheri will give me 8000",
        "ek uncle 8200 bol ke gaye hai",
        "cashify quoted 8000 yesterday",
        "pados ki dukaan pe 8000 ka bik raha hai",
        "mausi ki beti 5000 me mang rahi thi",
        # What went into it, and what else it is that counts.
        "8000 meri lagat hai bhai",
        "बेटी की फीस 8000 भरनी है",
        "8500 ke to naye tyre dalwaye",
        "odometer 8500 hai",
        "8500 followers hain mere insta pe",
        # Questions and what never was.
        "who told you 8000?",
        "8000 kyu du main",
        "drop to 8000? no",
        "pichle mahine aate to 8000 me de deta",
        "at 8000 I lose money",
    ],
)
def test_what_only_has_a_number_in_it_is_no_price(text: str) -> None:
    assert sells(text, 9000, 4000).kind == "none"


@pytest.mark.parametrize(
    ("text", "ask", "bid", "price"),
    [
        ("6120 aur ek chai bhi", 7000, 5500, 6120),
        ("4000 aur final", 5000, 3000, 4000),
        ("400 aur badha deta hu", 7000, 5500, 5900),
        ("400 aur badhati hoon", 7000, 5500, 5900),
        ("my 4500 becomes 4800. happy?", 6000, 4500, 4800),
        ("choubees sau aur saath mein helmet bhi", 3000, 2000, 2400),
        ("ग्यारह हज़ार देने को तैयार हूँ", 14_000, 9000, 11_000),
        ("aap 9000 bol rahe, main 7500 bol raha", 9000, 7000, 7500),
        ("mummy ne 850 hi diye hain", 1200, 800, 850),
    ],
)
def test_a_buyer_bids_what_was_said(text: str, ask: int, bid: int, price: int) -> None:
    read = buys(text, ask, bid)
    assert (read.kind, read.price) == ("price", 100 * price)


@pytest.mark.parametrize(
    "text", ["7000 for this? it has seen two wars", "gold bech rahe ho kya bhai, 7000!"]
)
def test_the_asked_price_with_a_sign_buys_nothing(text: str) -> None:
    assert buys(text, 7000, 5500).kind == "none"


@pytest.mark.parametrize(
    "text",
    [
        "8000 me to naya mil jata hai",
        "my friend bought the same for 8000 last month",
        "one seller near my house wants 8000",
        "will anyone give you 8000 for this?",
        "9000 kaun deta hai iska",
        "le lunga agar thoda kam ho",
        "agreed that it looks good",
    ],
)
def test_neither_does_what_others_pay(text: str) -> None:
    assert buys(text, 9000, 7000).kind != "accept"
    assert buys(text, 9000, 7000).price is None


@pytest.mark.parametrize(
    "text",
    [
        "fine yaar eighty thousand done, take the bike",
        "aapka 80000 mujhe manzoor hai, flat 402 aao",
        "aapka hi rate sahi",
        "alright, 80k it is",
        "80000 works, i pack it today",
    ],
)
def test_a_seller_takes_what_was_offered(text: str) -> None:
    assert sells(text, 95_000, 80_000).kind == "accept"


@pytest.mark.parametrize(
    "text",
    [
        "take your time",
        "mera price fix hai",
        "le jao bolna aasan hai",
        "it's yours once you match my price",
        "le lo na bhai thoda badha ke",
        "7000 agreed by whom",
        "7000 works for a broken one, mine is new",
        "aise hi le jao, kidney bhi le jao",
        "deal at 7000 is a joke",
    ],
)
def test_what_sounds_like_a_yes_sells_nothing(text: str) -> None:
    assert sells(text, 9000, 7000).kind != "accept"


@pytest.mark.parametrize(
    ("text", "ask", "bid"),
    [
        ("31 32 me dekh lo", 3800, 2600),
        ("sattais atthais jo theek lage", 3400, 2400),
    ],
)
def test_two_numbers_side_by_side_are_not_one(text: str, ask: int, bid: int) -> None:
    for read in (sells(text, ask, bid), buys(text, ask, bid)):
        assert read.kind != "price"


def test_two_halves_of_a_number_are_one() -> None:
    assert sells("26 50 final", 3400, 2400).price == Paise(265_000)
    assert sells("72 72", 8000, 6000).price != Paise(727_200)
    assert buys("chhayalis sau, itne hi hai", 5600, 4000).price == Paise(460_000)


KINDS = [
    line.split(" | ", 1)
    for line in Path(__file__).with_name("bookings.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("standing", "text"), KINDS, ids=[text for _, text in KINDS])
def test_a_line_of_each_kind_books_what_it_says(standing: str, text: str) -> None:
    seat, ask, bid, wanted = standing.split()
    read = {"seller": sells, "buyer": buys}[seat](text, int(ask), int(bid))
    if wanted.startswith("!"):
        assert read.kind != wanted[1:]
    elif wanted in ("accept", "none"):
        assert read.kind == wanted
    elif wanted == "ask":
        assert (read.kind, bool(read.question)) == ("ambiguous", True)
    elif wanted.startswith("?"):
        assert (read.kind, read.candidates) == ("ambiguous", (100 * int(wanted[1:]),))
    else:
        assert (read.kind, read.price) == ("price", 100 * int(wanted))


@pytest.mark.parametrize(
    "text",
    [
        "I have two cycles, the red and the black. which one are you asking about?",
        "there are 3 sofas on my page, which do you mean?",
        "two of these are mine, the lamp and the fan",
        "mere do pankhe hain, 2 almari, konsi dekh rahi ho aap?",
        "2 kursi hain meri, kaunsi chahiye aapko",
        "मेरे पास दो साइकिलें हैं, कौन सी चाहिए?",
        "I sell five kurtas a week",
    ],
)
def test_a_number_beside_things_is_a_count(text: str) -> None:
    assert sells(text, 2500, 1500).kind == "none"


def test_a_small_number_without_things_is_still_a_price() -> None:
    assert 500_000 in sells("5 final", 6000, 4000).candidates
    assert sells("two thousand, which is fair", 2500, 1500).price == 200_000


@pytest.mark.parametrize(
    "text",
    ["suppose I accept, what happens then?", "deal pakki hone ke baad kya hota hai",
     "once we agree what happens?", "सौदा पक्का होने के बाद क्या होता है?"],
)  # fmt: skip
def test_who_asks_what_a_yes_brings_has_not_said_it(text: str) -> None:
    assert sells(text, 2500, 1500).kind == "none"


def test_a_yes_with_a_question_is_asked_back() -> None:
    assert sells("ok done, what next?", 2500, 1500).kind != "none"


CLEAN = (
    "7200 final",
    "bhai 7200 me de do",
    "pehle 7500 tha, chalo 7200",
    "saat hazaar do sau",
    "7.2k last",
    "iphone 13 hai 4gb wala, 7200",
    "2 saal purana hai, 5 baje aana",
    "200 aur badha do",
    "7000 ya 7200",
)
NOISE = ("🙏", "😀 ", "\u200f", "\u200e", "\u200d", "\u200b", "\ufeff", "  ", "\n")


@given(
    st.sampled_from(CLEAN),
    st.sampled_from(["", "hello ji ", "namaste bhai, "]),
    st.lists(st.sampled_from(NOISE), max_size=4),
    st.lists(st.sampled_from(NOISE), max_size=4),
)
@settings(deadline=None, derandomize=True)
def test_noise_around_a_price_changes_nothing(
    line: str, greeting: str, before: list[str], after: list[str]
) -> None:
    noisy = "".join((*before, greeting, line, *after))
    for read in (sells, buys):
        plain, heard = read(line, 8000, 6500), read(noisy, 8000, 6500)
        assert (heard.kind, heard.price, heard.candidates) == (
            plain.kind,
            plain.price,
            plain.candidates,
        )


WORDS = """
7200 7,200 7.2k saat hazaar sau do 6500 8000 4gb 2019 bhai final nahi ya se mein lunga
de lo aur cash ok chalo so tha warranty inch baje , . ! 😀 ₹
"""
SAID = st.sampled_from(WORDS.split())


@given(st.lists(SAID, min_size=1, max_size=9))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_a_booked_number_stands_in_the_line_or_follows_from_a_change(words: list[str]) -> None:
    line = " ".join(words)
    told = [item.amount.paise for item in to_text(line).said]
    # "saat saat sau", "26 50": the halves of a number, as they are spoken.
    halves = {left * scale + right for left, right in pairwise(told) for scale in (100, 1000)}
    # "60 hazaar nahi, 58": the scale of the number before.
    scaled = {one * 1000 for one in told}
    said = {*told, *halves, *scaled}
    for read in (sells, buys):
        found = read(line, 8000, 6500)
        assert found.kind != "price" or found.price in said or "aur" in words, line


@pytest.mark.parametrize(
    "line", ["9" * 4000, "7200 ya 7300 ya " * 250, "sau " * 1000, "aur 200 " * 500]
)
def test_what_overflows_books_nothing(line: str) -> None:
    assert sells(line, 8000, 6500).kind in ("ambiguous", "none")
    assert buys(line, 8000, 6500).kind in ("ambiguous", "none")
