"""The small model thinks in thousandths; at a live table it names prices as people and rules do."""

import json

import pytest

from agents.backends.local.residents import Interpreter
from agents.buyers.live import decide
from agents.dialects.compact import dialect
from agents.prompts.chats import Chat
from agents.text.rounding import STEPS, as_people_say, in_round_numbers
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from tests.support.positions import a_position

ASKS = (85, 240, 999, 1800, 7_450, 18_999, 64_000, 420_000, 3_100_000)


def heard(seen, share: int, name: str = "compact") -> tuple[dict[str, object], str]:
    """What the table hears of a bid of so many thousandths, whole and in pieces."""
    pieces: list[str] = []
    ear = Interpreter(dialect(name), Chat((), seen=seen), pieces.append)
    own = f'{{"action": "offer", "price": {share}, "message": "Bhai <price> de do"}}'
    for start in range(0, len(own), 3):
        ear.hear(own[start : start + 3])
    whole = ear.whole()
    return json.loads(whole), "".join(pieces)


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("share", [233, 487, 620, 911])
def test_a_first_bid_is_what_the_rule_buyer_would_round_it_to(ask, share):
    seen = a_position((ask,), budget=0.95 * ask)
    said, pieces = heard(seen, share)
    exact = dialect("compact").read(seen, json.dumps({**said, "price": share}))
    rounded = in_round_numbers(seen, Offer(exact.price))
    assert isinstance(rounded, Offer)
    assert round(said["price"] * 100) == rounded.price
    usual = next(step for below, step, _ in STEPS if ask < below)
    assert said["price"] % usual == 0
    assert json.loads(pieces) == said


def test_its_words_name_the_round_price_too():
    said, _ = heard(a_position((1800,)), 633)
    assert said == {"action": "offer", "price": 1100, "message": "Bhai ₹1,100 de do"}
    move = decide(a_position((1800,)), Offer(Paise(110_000), said["message"]), 0, steer=False)
    assert move == Offer(Paise(110_000), "Bhai ₹1,100 de do")


def test_small_steps_are_said_in_fine_ones():
    assert heard(a_position((1800, 1700), (1100,)), 639)[0]["price"] == 1150
    assert heard(a_position((1800, 1700), (1100,)), 620)[0]["price"] == 1110


def test_rounding_never_takes_a_bid_back():
    # An odd bid that came from elsewhere stands; what is a little more is at least that.
    assert as_people_say(a_position((1800, 1700), (1117,)), Paise(111_900)) == 111_700


def test_the_standing_ask_and_the_own_bid_are_meant_to_the_paisa():
    seen = a_position((1800, 1637), (1117.5,))
    assert heard(seen, 909)[0]["price"] == 1637
    assert heard(seen, 621)[0]["price"] == 1117.5


def test_a_bid_of_the_whole_budget_does_not_name_it():
    said, _ = heard(a_position((1800,), budget=1437), 798)
    assert said["price"] == 1400


def test_a_large_model_means_the_rupees_it_writes():
    assert heard(a_position((1800,)), 1137, "chat")[0]["price"] == 1137


def test_an_answer_that_is_only_read_whole_is_round_as_well():
    seen = a_position((1800,))
    pieces: list[str] = []
    ear = Interpreter(dialect("compact"), Chat((), seen=seen), pieces.append)
    ear.hear('Well: {"price": 633, "action": "offer", "message": "<price> bas"}')
    assert json.loads(ear.whole()) == {"action": "offer", "price": 1100, "message": "₹1,100 bas"}
    assert json.loads("".join(pieces))["price"] == 1100


@pytest.mark.parametrize("proposal", [Offer(Paise(175_000), "sab de dunga"), Accept("theek hai")])
def test_what_it_cannot_pay_becomes_a_bid_of_the_house(proposal):
    seen = a_position((1800,), budget=1437)
    move = decide(seen, proposal, 0, steer=False)
    assert isinstance(move, Offer)
    # Neither the budget to the paisa nor a single one.
    assert 500_00 < move.price < 1437_00
    assert move.price % 50_00 == 0


def test_what_it_cannot_pay_later_leaves_its_bid_standing():
    seen = a_position((1800, 1700), (1000,), budget=1437)
    move = decide(seen, Accept("theek hai"), 0, steer=False)
    assert isinstance(move, Offer)
    assert move.price == 1000_00


def test_its_own_walk_and_acceptance_are_played():
    assert isinstance(decide(a_position((1400,)), Accept("done"), 0, steer=False), Accept)
    assert isinstance(decide(a_position((1800,)), Walk("nahi"), 0, steer=False), Walk)
