"""Taking a misheard price back: by a line, by a button, and never after an answer."""

from typing import Any
from urllib.parse import quote

import pytest
from django.http import QueryDict

from bazaarbatna.bargain.episode import MAX_TEXT, fold
from bazaarbatna.bargain.errors import GameOver, IllegalMove, NotYourTurn
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Side
from negotiation.bargain import opponent_turns, sessions
from negotiation.bargain.commands import MOST, Answer, Say, Withdraw, carry_out
from negotiation.bargain.game import SALE, position_of
from negotiation.bargain.purchases import NewPurchase
from negotiation.bargain.recorded import record_of
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.forms import MoveForm
from negotiation.errors import TwoPrices, UnknownGame
from negotiation.games.event_log import from_payload, log_rows
from negotiation.models import Game, Listing
from tests.support.at_once import at_once
from tests.support.builders import (
    ASHA,
    CHETAN,
    a_sale,
    a_started_sale,
    kinds,
    numbers,
    rupees,
    told,
)
from tests.support.finished import Playing, a_scenario

pytestmark = pytest.mark.django_db

MISHEARD = "1500 se shuru karte hain"


def a_misheard_sale(**changes: Any) -> Game:
    """The seller's words were booked as an ask of 1,500 rupees, and nobody has answered."""
    game = a_started_sale(**changes)
    sessions.play(game.pk, ASHA, Offer(rupees(1500), MISHEARD))
    return game


def a_purchase() -> Game:
    lamp = Listing.objects.create(
        title="Brass lamp", list_price=rupees(2000), street_price=rupees(1800), source_key="lamp"
    )
    purchase = NewPurchase(listing=lamp, budget=rupees(1900), policy="seller:firm")
    return sessions.open_purchase(ASHA, purchase)


def asks(game: Game) -> tuple[int, ...]:
    return tuple(price // 100 for price in position_of(fresh(game)).state.asks)


def fresh(game: Game) -> Game:
    game.refresh_from_db()
    return game


@pytest.mark.parametrize(
    "line",
    [
        "no, I said 1,800",
        "nahi, 1800 bola",
        "नहीं, 1,800 कहा",
        "sorry 1800",
        "arre nahi, maine 1800 bola tha",
        "not 1500, 1800",
        "galat, 1800",
        "गलत। 1800 रुपये",
        "1800",
        "I meant 1800",
    ],
)
def test_a_line_replaces_the_price_and_the_house_answers_the_right_one(line: str) -> None:
    game = a_misheard_sale()
    sessions.play(game.pk, ASHA, Say(line))
    assert kinds(game)[2:] == [
        *("seller message", "seller tells", "seller withdrawn"),
        *("seller offer", "seller tells"),
    ]
    assert asks(game) == (2000, 1800)
    assert sessions.opponent_turn(game.pk)
    # A sale in which nothing was misheard gets the same bid for the same ask.
    other = a_started_sale()
    sessions.play(other.pk, ASHA, Offer(rupees(1800), line))
    assert sessions.opponent_turn(other.pk)
    assert told(game)[-1]["price"] == told(other)[-1]["price"]


TAKEN_BACK = (
    "nahi", "that was not my price", "नहीं नहीं", "galat", "sorry, I take that back", "undo",
    "oh no. that was wrong", "i didn't mean 1500", "no wait, cancel", "nahi 1500 nahi",
    "galti ho gayi, wapas leta hoon", "ruko, galti se haan bol diya", "ग़लती हो गई, वापस लेती हूँ",
    "रुकिए, ग़लती से हाँ कह दिया",
)  # fmt: skip


@pytest.mark.parametrize(
    ("yes", "line", "meant"),
    [
        ("yes", "no, I said 1,800", 1800),
        ("haan", "nahi yaar, haan galti se bola, 1800 hi hai", 1800),
        ("हाँ", "अरे नहीं, अठारह सौ", 1800),
        ("yes", "my mistake, keep 2000", 2000),
        *(("haan ji", line, 2000) for line in TAKEN_BACK),
    ],
)
def test_a_yes_to_what_was_asked_back_is_taken_back_as_well(
    yes: str, line: str, meant: int
) -> None:
    game = a_started_sale()
    with pytest.raises(TwoPrices, match=r"Is ₹1,500 your price\? Tap it, or say yes") as asked:
        sessions.play(game.pk, ASHA, Say("shayad 1500 tak"))
    sessions.play(game.pk, ASHA, Say(yes, tuple(asked.value.candidates)))
    assert asks(game) == (2000, 1500)
    sessions.play(game.pk, ASHA, Say(line))
    assert asks(game)[-1] == meant


@pytest.mark.parametrize(
    "line", ["1500 if I deliver", "agar charger rakh lo to 1500", "अगर ढक्कन मैं रख लूँ तो 1500"]
)
def test_so_is_one_that_was_named_on_a_condition(line: str) -> None:
    game = a_started_sale()
    with pytest.raises(TwoPrices, match=r"₹1,500 your price\? No condition goes with it") as asked:
        sessions.play(game.pk, ASHA, Say(line))
    assert asks(game) == (2000,)
    sessions.play(game.pk, ASHA, Say("haan", tuple(asked.value.candidates), line))
    assert asks(game) == (2000, 1500)
    sessions.play(game.pk, ASHA, Say("take it back"))
    assert asks(game) == (2000,)


@pytest.mark.parametrize("line", TAKEN_BACK)
def test_a_line_without_another_price_takes_it_back(line: str) -> None:
    game = a_misheard_sale()
    receipt = sessions.play(game.pk, ASHA, Say(line))
    assert kinds(game)[-1] == "seller withdrawn"
    assert receipt.note is not None
    assert "₹1,500 is taken back, ₹2,000 stands again" in receipt.note.detail
    assert not sessions.opponent_turn(game.pk)


def test_the_button_takes_it_back_and_the_person_is_to_move() -> None:
    game = a_misheard_sale()
    sessions.play(game.pk, ASHA, Withdraw())
    assert asks(game) == (2000,)
    assert sessions.turn_of(fresh(game)) == "seller"
    assert not sessions.awaits_opponent(game)
    sessions.play(game.pk, ASHA, Say("1900 final hai"))
    assert asks(game) == (2000, 1900)
    assert numbers(game) == list(range(1, fresh(game).last_seq + 1))


def test_a_buyer_may_name_less_than_what_was_misheard() -> None:
    game = a_purchase()
    sessions.play(game.pk, ASHA, Offer(rupees(1400), "1000 aur 400 ka kaam hai"))
    sessions.play(game.pk, ASHA, Say("nahi, 1000 bola"))
    assert position_of(fresh(game)).state.bids == (rupees(1000),)
    assert sessions.opponent_turn(game.pk)
    with pytest.raises(IllegalMove, match=r"answered your ₹1,000 already"):
        sessions.play(game.pk, ASHA, Say("nahi, 900 bola"))


def test_what_the_house_has_answered_stays() -> None:
    game = a_misheard_sale()
    assert sessions.opponent_turn(game.pk)
    before = numbers(game)
    with pytest.raises(IllegalMove, match="Only your last price"):
        sessions.play(game.pk, ASHA, Withdraw())
    with pytest.raises(IllegalMove, match=r"Sauda has answered your ₹1,500 already"):
        sessions.play(game.pk, ASHA, Say("no, I said 1,800"))
    assert numbers(game) == before


def test_while_a_model_is_answering_nothing_is_taken_back() -> None:
    game = a_misheard_sale()
    assert sessions.claim_turn(game.pk, fresh(game).last_seq)
    with pytest.raises(NotYourTurn, match="is answering already"):
        sessions.play(game.pk, ASHA, Withdraw())
    assert kinds(game)[-1] == "seller tells"


def test_what_a_claim_of_an_earlier_position_says_is_nobodys_business() -> None:
    game = a_misheard_sale()
    assert sessions.claim_turn(game.pk, fresh(game).last_seq)
    Game.objects.filter(pk=game.pk).update(thinking_at_seq=1)
    sessions.play(game.pk, ASHA, Withdraw())
    assert not fresh(game).thinking_until


def test_a_correction_that_is_unclear_takes_back_and_asks() -> None:
    game = a_misheard_sale()
    receipt = sessions.play(game.pk, ASHA, Say("no, 1700 or 1800"))
    assert kinds(game)[-1] == "seller withdrawn"
    assert receipt.note is not None
    assert receipt.note.to_frame()["candidates"] == [
        {"price": 1700.0, "text": "₹1,700"},
        {"price": 1800.0, "text": "₹1,800"},
    ]


@pytest.mark.parametrize(
    "line", ["jaldi batao", "kya hua?", "1500", "haan theek hai", "no hurry", "maine 1500 hi bola"]
)
def test_other_words_out_of_turn_are_refused_as_ever(line: str) -> None:
    game = a_misheard_sale()
    with pytest.raises(NotYourTurn):
        sessions.play(game.pk, ASHA, Say(line))
    assert asks(game) == (2000, 1500)


def test_so_often_in_a_round_and_no_more() -> None:
    game = a_misheard_sale()
    for _ in range(MOST):
        sessions.play(game.pk, ASHA, Withdraw())
        sessions.play(game.pk, ASHA, Offer(rupees(1500), MISHEARD))
    with pytest.raises(IllegalMove, match="at most 3 times in a round"):
        sessions.play(game.pk, ASHA, Withdraw())
    assert sessions.opponent_turn(game.pk)


def test_a_second_click_takes_nothing_else_back() -> None:
    game = a_misheard_sale()
    seen = fresh(game).last_seq
    sessions.play(game.pk, ASHA, Withdraw(), seen=seen)
    sessions.play(game.pk, ASHA, Offer(rupees(1800), "1800 bas"))
    with pytest.raises(IllegalMove):
        sessions.play(game.pk, ASHA, Withdraw(), seen=seen)
    assert asks(game) == (2000, 1800)


def test_nobody_else_takes_it_back_and_nothing_after_the_end() -> None:
    game = a_misheard_sale()
    with pytest.raises(UnknownGame):
        sessions.play(game.pk, CHETAN, Withdraw())
    sessions.play(game.pk, ASHA, Withdraw())
    sessions.play(game.pk, ASHA, Walk())
    with pytest.raises(GameOver):
        sessions.play(game.pk, ASHA, Withdraw())


def test_a_person_opposite_has_heard_it() -> None:
    game = a_sale()
    Game.objects.filter(pk=game.pk).update(suite="pair", policy="", rival=CHETAN)
    game = fresh(game)
    assert sessions.unanswered_offer(game, position_of(game)) == 0


def test_every_process_comes_to_the_same_position() -> None:
    game = a_misheard_sale()
    sessions.play(game.pk, ASHA, Say("no, I said 1,800"))
    sessions.opponent_turn(game.pk)
    known = position_of(fresh(game)).state
    SALE.positions.forget_all()
    assert position_of(game).state == known
    events = tuple(from_payload(row.payload) for row in log_rows(game.pk))
    assert fold(known.scenario, events) == known


@pytest.mark.django_db(transaction=True)
def test_of_taking_back_and_an_answer_one_wins() -> None:
    for _ in range(6):
        game = a_misheard_sale()
        back, answered = at_once(
            lambda game=game: sessions.play(game.pk, ASHA, Withdraw()),
            lambda game=game: sessions.opponent_turn(game.pk),
        )
        assert numbers(game) == list(range(1, fresh(game).last_seq + 1))
        log = kinds(game)
        if isinstance(back, IllegalMove):
            assert answered is True
            assert (asks(game), log[-1]) == ((2000, 1500), "buyer offer")
        else:
            assert answered is False
            assert (asks(game), log[-1]) == ((2000,), "seller withdrawn")


@pytest.mark.django_db(transaction=True)
def test_of_eight_who_take_it_back_one_does() -> None:
    game = a_misheard_sale()
    done = at_once(*[lambda: sessions.play(game.pk, ASHA, Withdraw())] * 8)
    assert sum(isinstance(one, IllegalMove) for one in done) == 7
    assert kinds(game).count("seller withdrawn") == 1


def test_a_finished_game_is_told_as_if_nobody_had_named_the_price() -> None:
    game = a_misheard_sale()
    sessions.play(game.pk, ASHA, Say("no, I said 1,800"))
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, ASHA, Accept())
    shown = [frame["event"] for frame in frames(fresh(game), "replay")]
    assert "withdrawn" not in {event["kind"] for event in shown}
    assert 1500 not in [event.get("price") for event in shown]
    assert all("taken_back" not in event for event in shown)
    assert [frame["seq"] for frame in frames(game, "replay")] == numbers(game)
    record = record_of(game)
    assert fold(record.setting, record.events).ended is not None
    assert game.certificate is not None


@pytest.mark.parametrize(
    ("text", "wait"), [(MISHEARD, True), ("1500", False), ("", False), ("₹1,500/-", False)]
)
def test_the_house_waits_where_words_may_have_been_misheard(
    text: str, wait: bool, settings: Any
) -> None:
    settings.TAKE_BACK_S = 2.5
    game = a_started_sale()
    assert opponent_turns.listens_in_s(game.pk) == 0
    sessions.play(game.pk, ASHA, Offer(rupees(1500), text))
    left = opponent_turns.listens_in_s(game.pk)
    assert (0 < left <= 2.5) is wait
    settings.TAKE_BACK_S = 0
    assert opponent_turns.listens_in_s(game.pk) == 0


def answered(said: str, *asked: int) -> Answer:
    playing = Playing(a_scenario()).move("buyer", Offer(rupees(1000)))
    prices = tuple(rupees(price) for price in asked)
    return carry_out(playing.state, len(playing.events), Say(said, prices))


YES = ["haan", "yes", "ji", "हाँ", "correct", "wahi", "ji haan", "हाँ जी, वही", "Yes, that's right."]


@pytest.mark.parametrize("said", YES)
def test_yes_confirms_the_one_price_that_was_asked_back(said: str) -> None:
    state = answered(said, 1900).state
    assert (state.standing_ask, state.turns[-1].text) == (rupees(1900), f"{said}, 1900")


@pytest.mark.parametrize(
    ("said", "rest"),
    [("haan", ""), ("haan bhai, pakka", ""), ("yes. full tank", " full tank"),
     ("haan ji, ekdum naya jaisa", " ekdum naya jaisa"), ("हाँ, बिल्कुल नया है", " बिल्कुल नया है")],
)  # fmt: skip
def test_yes_says_the_line_that_was_asked_about(said: str, rest: str) -> None:
    line = "1900 rakhiye, par charger nahi milega"
    playing = Playing(a_scenario())
    playing.move("buyer", Offer(rupees(1200)))
    asked = Say(said, (rupees(1900),), line)
    state = carry_out(playing.state, len(playing.events), asked).state
    assert (state.standing_ask, state.turns[-1].text) == (rupees(1900), line + rest)


def test_a_buyer_says_yes_to_a_line_with_a_question() -> None:
    line = "saadhe terah sau final, and do the bulbs come with it?"
    playing = Playing(a_scenario()).move("buyer", Offer(rupees(700)))
    playing.move("seller", Offer(rupees(1900)))
    asked = Say("yes", (rupees(1350),), line)
    state = carry_out(playing.state, len(playing.events), asked, side="buyer").state
    assert (state.standing_bid, state.turns[-1].text) == (rupees(1350), line)


def test_a_long_line_and_what_follows_yes_are_no_longer_than_a_message() -> None:
    asked = Say("yes. full tank", (rupees(1900),), "1900 " + "x" * (MAX_TEXT - 5))
    playing = Playing(a_scenario()).move("buyer", Offer(rupees(1200)))
    state = carry_out(playing.state, len(playing.events), asked).state
    assert len(state.turns[-1].text) == MAX_TEXT


def spoken(side: Side, text: str, asks: tuple[int, ...], bids: tuple[int, ...]) -> Answer:
    """Play prices by turns, the first ask is the anchor, and let a side speak."""
    playing = Playing(a_scenario())
    assert asks[0] == 2000
    for number, bid in enumerate(bids):
        playing.move("buyer", Offer(rupees(bid)))
        if number + 1 < len(asks):
            playing.move("seller", Offer(rupees(asks[number + 1])))
    return carry_out(playing.state, len(playing.events), Say(text), side=side)


LEAPS: list[tuple[Side, str, tuple[int, ...], tuple[int, ...], int]] = [
    # Nearly all of the way to the other side at once: number words lose their parts.
    ("seller", "chalo terah sau chalis le lo", (2000,), (1200,), 1340),
    ("buyer", "saadhe solah sau dunga", (2000, 1700), (1300,), 1650),
    # A first step of more than a third of the own price.
    ("seller", "1280 lol 😂", (2000,), (600,), 1280),
    ("buyer", "eleven fifty de deta hu", (2000, 1900), (800,), 1150),
    # Further than both sides have walked together.
    ("seller", "1680 with half of the lamps", (2000, 1900), (1000, 1100), 1680),
    ("seller", "1680 bina shade ke", (2000, 1900), (1000, 1100), 1680),
    ("buyer", "kya 1330 de du?", (2000, 1900, 1800), (1000, 1060), 1330),
    ("buyer", "1330 agar abhi ghar chhodo", (2000, 1900, 1800), (1000, 1060), 1330),
]


@pytest.mark.parametrize(("side", "text", "asks", "bids", "price"), LEAPS)
def test_a_leap_is_asked_back_and_confirmed_by_its_number(
    side: Side, text: str, asks: tuple[int, ...], bids: tuple[int, ...], price: int
) -> None:
    with pytest.raises(TwoPrices, match="Tap it, or say yes") as caught:
        spoken(side, text, asks, bids)
    assert caught.value.candidates == (rupees(price),)
    state = spoken(side, str(price), asks, bids).state
    assert rupees(price) in (state.standing_ask, state.standing_bid)


STEPS: list[tuple[Side, str, tuple[int, ...], tuple[int, ...]]] = [
    ("seller", "chalo 1600 le lo", (2000,), (1200,)),
    ("seller", "1410 final", (2000, 1500), (1200, 1400)),
    ("buyer", "1400 dunga", (2000, 1900), (1200,)),
    ("buyer", "1250 dunga", (2000, 1900, 1800), (600, 950)),
    ("seller", "1780 final", (2000, 1900), (1000, 1100)),
    ("buyer", "600 dunga", (2000,), ()),
    # Leaps in digits that stand between both prices, and can be nothing else.
    ("seller", "chalo 1340 le lo", (2000,), (1200,)),
    ("buyer", "1650 dunga", (2000, 1700), (1300,)),
    ("seller", "1280 final", (2000,), (600,)),
    ("buyer", "1150 de deta hu", (2000, 1900), (800,)),
    ("buyer", "1330 is all that is in my purse", (2000, 1900, 1800), (1000, 1060)),
    ("buyer", "main 1330 tak aa gayi", (2000, 1900, 1800), (1000, 1060)),
    ("buyer", "1330 final, and do the bulbs come with it?", (2000, 1900, 1800), (1000, 1060)),
    ("seller", "1680 last", (2000, 1900), (1000, 1100)),
    ("seller", "1680. My cat is ill", (2000, 1900), (1000, 1100)),
    # How it is paid says that it is meant.
    ("buyer", "1700 cash abhi", (2000, 1900), (1200,)),
    ("buyer", "1650 dunga bhaiya, gpay", (2000, 1700), (1300,)),
]


@pytest.mark.parametrize(("side", "text", "asks", "bids"), STEPS)
def test_a_step_is_booked_at_once(
    side: Side, text: str, asks: tuple[int, ...], bids: tuple[int, ...]
) -> None:
    state = spoken(side, text, asks, bids).state
    assert state.turns[-1].text == text


@pytest.mark.parametrize("said", YES)
def test_a_bare_yes_chooses_none_of_several(said: str) -> None:
    with pytest.raises(TwoPrices) as caught:
        answered(said, 1900, 1950)
    assert caught.value.candidates == (rupees(1900), rupees(1950))


@pytest.mark.parametrize(
    "said",
    ["1950", "no", "haan?", "nahi wahi", "yes but 1950", "yes, 1950", "haan, par kal"],
)
def test_anything_else_is_read_as_ever(said: str) -> None:
    try:
        state = answered(said, 1900).state
    except TwoPrices:
        return
    assert state.standing_ask != rupees(1900)


def test_a_page_without_scripts_keeps_the_line_that_was_asked_about() -> None:
    line = "saadhe terah sau final, and do the bulbs come with it?"
    form = MoveForm(QueryDict(f"action=say&text=haan&asked=1350&meant={quote(line)}"))
    assert form.is_valid()
    assert form.command() == Say("haan", (rupees(1350),), line)
