"""What a house seller answers to what is asked, told, and said to have missed."""

import re

import msgspec
import pytest

from agents.sellers.replies import Replies, kinds, own_kind, parted
from agents.sellers.speaking import faults, reasons
from agents.speech.listing import fact_of, found_in
from agents.speech.plan import plan_of
from agents.text.languages import Register
from bazaarbatna.bargain.episode import Turn, start
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import SellerObservation, observe_seller
from bazaarbatna.bargain.scenario import Item
from negotiation.catalogue.stock import read_stock, text_in
from negotiation.policies import policy
from tests.support.stalls import Answered, haggle, purchase

STOCK = {entry.key: entry for shelf in read_stock() for entry in shelf.listing}
ROPE = Item(
    "Climbing rope, 60 ft, orange",
    "Sports",
    "Used on two treks, one end is frayed. Bag with a broken zip comes along.",
)


def item_of(key: str) -> Item:
    return Item(STOCK[key].title, condition=STOCK[key].text)


def seen_with(item: Item, words: str, *, said: tuple[str, ...] = ()) -> SellerObservation:
    state, _ = start(purchase(0, "seller:default", 0))
    told = [Turn("seller", 1, "message", None, line) for line in said]
    turns = (*told, Turn("buyer", 1, "message", None, words))
    return msgspec.structs.replace(observe_seller(state), item=item, turns=turns)


def replies(
    item: Item, words: str, language: Register = "english", said: tuple[str, ...] = ()
) -> list[str]:
    seen = seen_with(item, words, said=said)
    return Replies(seen, words, language, "talk", lambda line: 0.0).to_the_line()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how long is it?", "60 ft"),
        ("what colour", "orange"),
        ("anything damaged?", "one end is frayed"),
        ("does the bag come with it", "comes along"),
        ("kitni baar istemal hui hai", "Used on two treks"),
    ],
)
def test_the_clause_tells_the_property_that_is_asked(question: str, told: str) -> None:
    assert told in fact_of(ROPE, question)


@pytest.mark.parametrize(
    ("language", "question", "missing"),
    [
        ("english", "how heavy is the bag?", "the weight"),
        ("hinglish", "bag ka wazan kya hai?", "wazan kitna hai"),
        ("hindi", "रस्सी कितनी पुरानी है?", "कितना पुराना है"),
    ],
)
def test_what_is_asked_of_a_thing_and_not_told_is_named(
    language: Register, question: str, missing: str
) -> None:
    found = found_in(ROPE, question, language)
    assert found.missing == missing
    assert all(missing in one.lower() for one in replies(ROPE, question, language))


@pytest.mark.parametrize(
    ("key", "question", "language"),
    [
        ("kitchen-kent-ro", "क्या नल टपकता है?", "hindi"),
        ("kitchen-kent-ro", "nal tapakta hai kya?", "hinglish"),
        ("vehicles-atlas-gents-cycle", "is the rim straight?", "english"),
        ("music-veena-saraswati", "fret kaise hain?", "hinglish"),
    ],
)
def test_a_listing_is_quoted_in_the_language_of_the_asker(
    key: str, question: str, language: Register
) -> None:
    item, codes = item_of(key), {"hindi": "hi", "hinglish": "hinglish", "english": "en"}
    told = text_in(codes[language], item.condition) or item.condition
    fact = fact_of(item, question, language)
    assert fact
    assert fact in f"{told} {item.title}"


def test_every_english_listing_has_hinglish_words_sentence_for_sentence() -> None:
    ends = re.compile(r"[.!?।]+(?:\s+|$)")
    for entry in STOCK.values():
        for code in ("hi", "hinglish", "en"):
            written = text_in(code, entry.text)
            if written is not None:
                assert len(ends.split(written)) == len(ends.split(entry.text)), (entry.key, code)
        assert text_in("en", entry.text) or text_in("hinglish", entry.text), entry.key


@pytest.mark.parametrize(
    "line",
    [
        "my uncle climbs every weekend in the hills",
        "main to bas dekh raha tha, achha samaan hai",
        "मुझे पहाड़ बहुत पसंद हैं",
    ],
)
def test_what_asks_nothing_is_not_looked_up(line: str) -> None:
    assert parted(line)[0] == []
    assert not any("“" in one for one in replies(ROPE, line))


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("that is not what I asked, how is the zip?", "english"),
        ("maine ye nahi poocha tha, chain kaisi hai?", "hinglish"),
        ("मैंने ज़िप का पूछा था", "hindi"),
    ],
)
def test_who_was_not_answered_hears_so_and_no_quotation_twice(
    line: str, language: Register
) -> None:
    first = "Listing: “Bag with a broken zip comes along”."
    answers = replies(ROPE, line, language, said=(first,))
    sorry = kinds()["mixed_up"].of(language)
    assert answers
    assert all(one.startswith(sorry) for one in answers)
    assert not any("“Bag with a broken zip" in one for one in answers)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("so you never budge?", "never_moved"), ("aur kitne mein doge bhai", "last_price"),
        ("आप बहुत ज़िद्दी हैं", "tough"), ("its for my sisters birthday", "a_gift"),
        ("bete ke liye le rahi hoon", "a_gift"), ("my exams are next week", "studies"),
        ("who will carry it down?", "carry"), ("you already told me that", "mixed_up"),
        ("wahi baat phir se", "mixed_up"), ("मेरे घुटनों में दर्द रहता है", "aches"),
        ("mazaak kar rahi ho kya", "joking"), ("be reasonable please", "be_fair"),
        ("I am on my pension", "small_purse"), ("is it availble?", "available"),
    ],
)  # fmt: skip
def test_what_buyers_tell_has_an_answer_of_its_own_kind(line: str, kind: str) -> None:
    assert own_kind(line) == kind


def test_a_word_for_the_person_goes_before_the_answer() -> None:
    lines = replies(ROPE, "It is for my son's birthday. What colour is it?")
    warm = tuple(one.split("<")[0] for one in kinds()["a_gift"].english)
    assert lines[0].startswith(warm)
    assert "“orange”" in lines[0]


def standing_games(seller: str, line: str) -> list[Answered]:
    return haggle(4, seller, ["650", *[f"{650 + step}, {line}" for step in range(1, 6)]])


@pytest.mark.parametrize("seller", ["seller:default", "seller:people-firm", "seller:firm"])
def test_who_stands_says_another_reason_each_time(seller: str) -> None:
    said = [one.text for one in standing_games(seller, "please")]
    assert len(set(said)) == len(said)
    kept = [re.sub(r"₹?[\d,]+", "", one) for one in said]
    assert len(set(kept)) == len(kept), said


@pytest.mark.parametrize("language", ["english", "hinglish", "hindi"])
def test_reasons_to_stand_name_the_price_and_no_step(language: Register) -> None:
    for says in reasons().values():
        for line in says.of(language):
            assert "<last>" in line
            assert not re.search(r"\d", line)


def test_no_counter_is_spoken_as_if_it_were_agreed() -> None:
    seen = seen_with(ROPE, "700")
    offer = Offer(seen.standing_ask)
    plan = plan_of(seen, offer)
    assert "as if agreed" in faults("Yeh, aur baat pakki.", plan, seen, offer)
    assert "as if agreed" not in faults("Yeh mera daam hai.", plan, seen, offer)


def test_her_standing_price_is_said_to_who_asks_for_it() -> None:
    for line in ("what would you take?", "aakhri kitna loge?", "कितने में दोगी?"):
        state, _ = start(purchase(0, "seller:default", 0))
        seen = msgspec.structs.replace(
            observe_seller(state), turns=(Turn("buyer", 1, "message", None, line),)
        )
        price = f"{seen.standing_ask // 100:,}"
        texts = [policy("seller:default").make(seed).reply(seen) for seed in range(6)]  # type: ignore[attr-defined]
        assert any(price in text for text in texts), texts
        assert not any("“" in text for text in texts), texts
