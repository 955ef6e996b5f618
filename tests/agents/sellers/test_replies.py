"""What a house seller answers to what is asked, told, and said to have missed."""

import re

import msgspec
import pytest

from agents.sellers.replies import Replies, kinds, own_kind, parted
from agents.sellers.speaking import faults, reasons, reasons_for
from agents.speech.listing import fact_of, found_in
from agents.speech.plan import plan_of
from agents.text.languages import Register
from bazaarbatna.bargain.episode import Turn, start
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import SellerObservation, observe_seller
from bazaarbatna.bargain.people.seller import wordings
from bazaarbatna.bargain.quantities import Paise
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


LANGUAGES: tuple[Register, ...] = ("english", "hinglish", "hindi")


def seen_of(key: str, *lines: str, bids: tuple[int, ...] = ()) -> SellerObservation:
    state, _ = start(purchase(0, "seller:default", 0))
    turns = tuple(
        Turn("seller" if at % 2 else "buyer", 1, "message", None, line)
        for at, line in enumerate(lines)
    )
    item = Item(STOCK[key].title, condition=STOCK[key].text)
    seen = observe_seller(state)
    asks = seen.asks[:1] * (len(bids) + 1)
    return msgspec.structs.replace(seen, item=item, turns=turns, bids=bids, asks=asks)


def answers_of(seen: SellerObservation, language: Register = "english") -> list[str]:
    return Replies(seen, seen.turns[-1].text, language, "talk", lambda line: 0.0).to_the_line()


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("so who am i talking to", "who_are_you"), ("aap kaun ho, didi ya aunty", "who_are_you"),
        ("तुम हो कौन?", "who_are_you"), ("are you somebody's mother?", "no_family"),
        ("aap bhi to kisi ki behen hongi", "no_family"), ("आपकी भी दादी है क्या?", "no_family"),
        ("who taught you to haggle like this?", "learnt_to_talk"),
        ("yeh shayari kahan se seekhi", "learnt_to_talk"),
        ("hello, are you reading my messages", "understood"),
        ("meri baat sun rahi ho?", "understood"), ("आप सुनती ही नहीं हो", "understood"),
        ("do you even want to sell this", "wants_to_sell"), ("बेचना है या नहीं", "wants_to_sell"),
        ("you have not budged at all", "never_moved"),
        ("ek kadam bhi nahi badhi aap", "never_moved"),
        ("एक रुपया भी कम नहीं किया", "never_moved"), ("what about my 4500?", "answer_me"),
        ("mere 4500 ka kya jawab hai", "answer_me"), ("what a harsh reply", "cold_answer"),
        ("kitni rukhi ho aap", "cold_answer"), ("मतलब क्या है इसका?", "what_meant"),
        ("i was only joking", "complains"), ("is this not a real shop", "what_game"),
        ("what do you earn from this", "her_gain"), ("aap thakti nahi ho kya", "tired"),
        ("why should we believe it", "how_know"), ("kaise maan lun", "how_know"),
        ("woh to main hi hoon", "right_person"), ("i worry that it dies on me", "fears_for_it"),
        ("mujhe darr hai ki sookh jayega", "fears_for_it"),
        ("they laid off my husband", "job_lost"), ("meri naukri chali gayi", "job_lost"),
        ("why so stubborn, madam", "never_moved"), ("the pram cost us a lot", "baby_costs"),
        ("have you still got it?", "available"), ("abhi mil jayegi?", "available"),
        ("kahin gayi to nahi", "here_or_sold"), ("cycle hai ya bik gayi", "here_or_sold"),
        ("it is my late mother's kind", "loss"), ("swargiya pitaji ki yaad", "loss"),
    ],
)  # fmt: skip
def test_a_line_about_her_is_of_its_kind(line: str, kind: str) -> None:
    assert own_kind(line) == kind


@pytest.mark.parametrize(
    "line",
    ["charger mil jayega kya?", "discount mil jayega kya", "do you still have the bill?",
     "battery kharab ho gayi to nahi?", "remote milega ya nahi"],
)  # fmt: skip
def test_a_part_that_is_asked_for_is_not_said_to_be_here(line: str) -> None:
    here = {
        one for name in ("available", "here_or_sold") for one in kinds()[name].in_all_languages()
    }
    assert here.isdisjoint(answers_of(seen_of("watches-seiko-5", line), "hinglish"))


def test_who_asks_something_else_was_not_told_before() -> None:
    fact = "The bracelet is one link short; for what wrist is not told."
    lines = ("is the bracelet complete?", fact)
    again = set(kinds()["told_again"].english)
    other = answers_of(seen_of("watches-seiko-5", *lines, "what do people call such a bracelet?"))
    same = answers_of(seen_of("watches-seiko-5", *lines, "is the bracelet complete?"))
    assert again.isdisjoint(other[:1])
    assert set(same[:1]) <= again


@pytest.mark.parametrize(
    ("line", "language", "told"),
    [
        ("does the AC cool, and is it CNG?", "english", ("AC is not", "CNG")),
        ("AC chalta hai? aur average kitna deti hai", "hinglish", ("AC ka", "verage")),
        ("एसी है क्या? और इंश्योरेंस?", "hindi", ("AC", "इंश्योरेंस")),
    ],
)
def test_each_of_two_things_is_named_and_no_third(
    line: str, language: Register, told: tuple[str, ...]
) -> None:
    first = answers_of(seen_of("vehicles-alto-2012", line), language)[0]
    assert all(one in first for one in told)
    assert "yres" not in first
    assert "बेचने" not in first


@pytest.mark.parametrize(
    ("key", "is_told"), [("computers-gtx-1660-super", True), ("watches-seiko-5", False)]
)
def test_a_trial_is_told_where_the_listing_offers_one(key: str, *, is_told: bool) -> None:
    first = answers_of(seen_of(key, "where can I test it?"))[0]
    assert ("tested live" in first) is is_told


@pytest.mark.parametrize(
    ("line", "language", "word"),
    [
        ("My husband passed away, he loved trees. Is it still there?", "english", "sorry"),
        ("mere pati guzar gaye. yeh abhi bhi hai?", "hinglish", "dukh"),
        ("मेरे पति गुज़र गए, उन्हें पौधे पसंद थे। अभी है?", "hindi", "दुख"),
    ],
)
def test_a_death_is_spoken_to_before_the_goods(line: str, language: Register, word: str) -> None:
    first = answers_of(seen_of("garden-bonsai-ficus", line), language)[0]
    assert word in first.split(".")[0].split("।")[0]


def test_of_her_own_steps_and_the_buyers_she_says_what_is_so() -> None:
    complaint = "you have not moved one rupee"
    none = answers_of(seen_of("watches-seiko-5", complaint))
    bid = answers_of(seen_of("watches-seiko-5", complaint, bids=(400_000,)))
    assert not any("your bids" in one for one in none)
    assert any("still at" in one for one in bid)
    moved = seen_of("watches-seiko-5", complaint, bids=(400_000,))
    moved = msgspec.structs.replace(moved, asks=(moved.asks[0], moved.asks[0] - 1))
    assert not any("still at" in one for one in answers_of(moved))


def test_who_made_real_steps_is_asked_for_no_larger_one() -> None:
    real = seen_of("watches-seiko-5", "no", bids=(400_000, 500_000))
    small = seen_of("watches-seiko-5", "no", bids=(400_000, 401_000))
    assert ("steps" in reasons_for(real), "steps" in reasons_for(small)) == (False, True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_in_a_hurry_that_no_listing_tells(language: Register) -> None:
    lines = " ".join(
        line for seed in range(9) for line in wordings("urgent", language, seed, Paise(100_000))
    )
    hurry = ("week", "soon", "hafte", "aldi", "eekend", "हफ़्ते", "जल्दी", "रविवार")
    assert lines
    assert not [one for one in hurry if one in lines]


def test_what_stands_beside_a_price_asks_for_no_fact() -> None:
    words = "15000 me dega? student hu, final year project"
    seen = seen_with(item_of("computers-thinkpad-t480"), words)
    lines = Replies(seen, words, "hinglish", "concede", lambda line: 0.0).to_the_line()
    assert lines
    assert not any("ease se lauta" in line or "warranty" in line for line in lines)
