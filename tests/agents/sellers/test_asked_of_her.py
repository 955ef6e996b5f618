"""What a house seller says to questions and complaints about herself, to grief and to doubts."""

import msgspec
import pytest

from agents.sellers.replies import Replies, kinds, own_kind
from agents.sellers.speaking import reasons_for
from agents.text.languages import Register
from bazaarbatna.bargain.episode import Turn, start
from bazaarbatna.bargain.observe import SellerObservation, observe_seller
from bazaarbatna.bargain.people.seller import wordings
from bazaarbatna.bargain.scenario import Item
from negotiation.catalogue.stock import read_stock
from tests.support.stalls import purchase

STOCK = {entry.key: entry for shelf in read_stock() for entry in shelf.listing}
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


def answers(seen: SellerObservation, language: Register = "english") -> list[str]:
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
        ("the pram cost us a lot", "baby_costs"),
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
    assert here.isdisjoint(answers(seen_of("watches-seiko-5", line), "hinglish"))


@pytest.mark.parametrize(
    "line",
    ["never mined, so they all say, how would I know?", "never mined? really?",
     "never mined 😂 sure", "mujhe mining wala nahi chahiye"],
)  # fmt: skip
def test_a_doubt_is_not_told_that_it_is_right(line: str) -> None:
    listed = set(kinds()["as_listed"].in_all_languages())
    assert listed.isdisjoint(answers(seen_of("computers-gtx-1660-super", line)))


def test_who_asks_something_else_was_not_told_before() -> None:
    fact = "The bracelet is one link short; for what wrist is not told."
    lines = ("is the bracelet complete?", fact)
    again = set(kinds()["told_again"].english)
    other = answers(seen_of("watches-seiko-5", *lines, "what do people call such a bracelet?"))
    same = answers(seen_of("watches-seiko-5", *lines, "is the bracelet complete?"))
    assert again.isdisjoint(other[:1])
    assert set(same[:1]) <= again


@pytest.mark.parametrize(
    ("line", "language", "told"),
    [
        ("does the AC cool, and is it CNG?", "english", ("AC is not", "CNG")),
        ("AC chalta hai? aur average kitna deti hai", "hinglish", ("AC ka", "ileage")),
        ("एसी है क्या? और इंश्योरेंस?", "hindi", ("AC", "इंश्योरेंस")),
    ],
)
def test_each_of_two_things_is_named_and_no_third(
    line: str, language: Register, told: tuple[str, ...]
) -> None:
    first = answers(seen_of("vehicles-alto-2012", line), language)[0]
    assert all(one in first for one in told)
    assert "yres" not in first
    assert "बेचने" not in first


@pytest.mark.parametrize(
    ("key", "is_told"), [("computers-gtx-1660-super", True), ("watches-seiko-5", False)]
)
def test_a_trial_is_told_where_the_listing_offers_one(key: str, *, is_told: bool) -> None:
    first = answers(seen_of(key, "where can I test it?"))[0]
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
    first = answers(seen_of("garden-bonsai-ficus", line), language)[0]
    assert word in first.split(".")[0].split("।")[0]


def test_of_her_own_steps_and_the_buyers_she_says_what_is_so() -> None:
    complaint = "you have not moved one rupee"
    none = answers(seen_of("watches-seiko-5", complaint))
    bid = answers(seen_of("watches-seiko-5", complaint, bids=(400_000,)))
    assert not any("your bids" in one for one in none)
    assert any("still at" in one for one in bid)
    moved = seen_of("watches-seiko-5", complaint, bids=(400_000,))
    moved = msgspec.structs.replace(moved, asks=(moved.asks[0], moved.asks[0] - 1))
    assert not any("still at" in one for one in answers(moved))


def test_who_made_real_steps_is_asked_for_no_larger_one() -> None:
    real = seen_of("watches-seiko-5", "no", bids=(400_000, 500_000))
    small = seen_of("watches-seiko-5", "no", bids=(400_000, 401_000))
    assert ("steps" in reasons_for(real), "seen" in reasons_for(real)) == (False, True)
    assert ("steps" in reasons_for(small), "seen" in reasons_for(small)) == (True, False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_in_a_hurry_that_no_listing_tells(language: Register) -> None:
    lines = " ".join(
        line for seed in range(9) for line in wordings("urgent", language, seed, 100_000)
    )
    hurry = ("week", "soon", "hafte", "aldi", "eekend", "हफ़्ते", "जल्दी", "रविवार")
    assert lines
    assert not [one for one in hurry if one in lines]
