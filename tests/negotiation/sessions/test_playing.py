"""A seller's words and moves, and what the log says of them."""

import pytest

from bazaarbatna.bargain.episode import fold
from bazaarbatna.bargain.errors import GameOver, IllegalMove, NotYourTurn
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from negotiation.bargain import sessions
from negotiation.bargain.commands import MAX_SAID, Say, carry_out
from negotiation.bargain.game import position_of
from negotiation.bargain.scenarios import stored_scenario
from negotiation.errors import Busy, NoPrice, TwoPrices, UnknownGame
from negotiation.games.event_log import from_payload, log_rows
from negotiation.models import Game
from tests.negotiation.sessions.conftest import bids
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


def test_a_price_in_the_words_becomes_an_ask_with_its_tells() -> None:
    game = a_started_sale()
    receipt = sessions.play(game.pk, ASHA, Say("1800 final, kal tak hi hai"))
    assert receipt.note is None
    offer, tells = told(game)[-2:]
    assert (offer["kind"], offer["price"], offer["round"]) == ("offer", 1800, 1)
    assert (tells["kind"], tells["of_seq"], tells["round"]) == ("tells", 3, 1)
    assert receipt.seq == 4


def test_sauda_answers_an_ask_with_a_bid_that_says_who_served_it() -> None:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Offer(rupees(1800)))
    assert sessions.opponent_turn(game.pk)
    bid = told(game)[-1]
    assert (bid["actor"], bid["kind"], bid["round"]) == ("buyer", "offer", 2)
    assert bid["backend"] == "rules"
    assert bid["policy_version"].startswith("sauda@")
    assert bid["latency_ms"] >= 0


def test_words_without_a_price_are_kept_answered_and_leave_the_turn() -> None:
    game = a_started_sale()
    receipt = sessions.play(game.pk, ASHA, Say("kal barish hogi kya"))
    assert receipt.note is not None
    assert receipt.note.code == "no-price"
    assert "₹2,000" in receipt.note.detail
    assert kinds(game)[-2:] == ["seller message", "seller tells"]
    assert sessions.opponent_turn(game.pk)
    assert kinds(game)[-1] == "buyer message"
    assert not sessions.opponent_turn(game.pk), "one answer to one message"
    assert sessions.turn_of(game) == "seller"


def test_talk_without_a_price_has_an_end_in_each_round() -> None:
    game = a_started_sale()
    for _ in range(MAX_SAID):
        sessions.play(game.pk, ASHA, Say("kal barish hogi kya"))
        sessions.opponent_turn(game.pk)
    with pytest.raises(IllegalMove, match="name a price"):
        sessions.play(game.pk, ASHA, Say("aur batao"))
    sessions.play(game.pk, ASHA, Say("1900"))
    sessions.opponent_turn(game.pk)
    assert sessions.play(game.pk, ASHA, Say("kal barish hogi kya")).note is not None


def test_two_prices_are_asked_back_and_not_recorded() -> None:
    game = a_started_sale()
    before = numbers(game)
    with pytest.raises(TwoPrices) as asked:
        sessions.play(game.pk, ASHA, Say("1700 ya 1800"))
    assert set(asked.value.candidates) == {rupees(1700), rupees(1800)}
    assert numbers(game) == before


@pytest.mark.parametrize("chat", [True, False])
def test_words_that_would_end_the_game_without_a_deal_are_asked_back(chat: bool) -> None:
    """Whoever sees how close it is types one more price, and nobody is there to answer it."""
    last = Playing(a_scenario(max_rounds=1)).move("buyer", Offer(rupees(1300))).state
    with pytest.raises(TwoPrices, match="nobody answers ₹1,350") as asked:
        carry_out(last, 2, Say("1350 and it is yours"), chat=chat)
    assert asked.value.candidates == (rupees(1300), rupees(1350))
    ended = carry_out(last, 2, Offer(rupees(1350), "1350 and it is yours"), chat=chat).state.ended
    assert ended is not None
    assert ended.outcome == "expired"
    sold = carry_out(last, 2, Offer(rupees(1300), "1350 and it is yours"), chat=chat).state.ended
    assert sold is not None
    assert (sold.outcome, sold.price) == ("deal", rupees(1300))
    earlier = Playing(a_scenario(max_rounds=2)).move("buyer", Offer(rupees(1300))).state
    assert carry_out(earlier, 2, Say("1700 and it is yours"), chat=chat).state.ended is None


def test_no_words_at_all_are_refused() -> None:
    with pytest.raises(NoPrice):
        sessions.play(a_started_sale().pk, ASHA, Say(""))


def test_the_price_field_wins_over_the_words_and_the_seller_is_told() -> None:
    game = a_started_sale()
    note = sessions.play(game.pk, ASHA, Offer(rupees(1700), "1600 le lo")).note
    assert note is not None
    assert note.code == "field-wins"
    assert "₹1,600" in note.detail
    assert "₹1,700" in note.detail
    assert told(game)[-2]["price"] == 1700


def test_a_field_that_agrees_with_the_words_needs_no_note() -> None:
    assert sessions.play(a_started_sale().pk, ASHA, Offer(rupees(1700), "1700 final")).note is None


def test_words_of_acceptance_close_at_the_standing_bid(scripted: object) -> None:
    game = a_started_sale(policy=scripted(bids(130000)))  # type: ignore[operator]
    sessions.play(game.pk, ASHA, Say("theek hai le jao"))
    accept, tells, ended = told(game)[-3:]
    assert (accept["kind"], accept["price"]) == ("accept", 1300)
    assert tells["kind"] == "tells"
    assert (ended["outcome"], ended["by"], ended["price"]) == ("deal", "seller", 1300)


def test_a_finished_game_is_recorded_on_its_row(scripted: object) -> None:
    game = a_started_sale(policy=scripted(bids(130000)))  # type: ignore[operator]
    sessions.play(game.pk, ASHA, Accept())
    game.refresh_from_db()
    ended = told(game)[-1]
    assert game.status == Game.Status.ENDED
    assert game.outcome == "deal"
    assert game.deal_price == 130000
    assert game.rounds_used == 1
    assert game.ended_at is not None
    assert game.buyer_share == ended["buyer_share"]
    assert game.seller_share is not None
    assert game.buyer_share is not None
    assert game.seller_share + game.buyer_share == pytest.approx(1)


def test_a_game_without_a_deal_has_no_shares_on_its_row() -> None:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Walk("nahi"))
    game.refresh_from_db()
    assert (game.outcome, game.deal_price) == ("walk", None)
    assert (game.buyer_share, game.seller_share) == (None, None)
    assert kinds(game)[-3:] == ["seller walk", "seller tells", "- ended"]


def test_a_game_that_nobody_closes_expires_in_the_tenth_round(scripted: object) -> None:
    game = a_started_sale(policy=scripted(bids(10000)))  # type: ignore[operator]
    for ask in range(1900, 900, -50):
        sessions.play(game.pk, ASHA, Offer(rupees(max(ask, 1200)), "ok"))
        if not sessions.opponent_turn(game.pk):
            break
    game.refresh_from_db()
    assert (game.outcome, game.rounds_used) == ("expired", 10)
    # What was noticed in the last words stands before the end.
    assert kinds(game)[-3:] == ["seller offer", "seller tells", "- ended"]
    events = [from_payload(row.payload) for row in log_rows(game.pk)]
    assert fold(stored_scenario(game), events).ended == events[-1]


def test_an_ask_at_or_below_the_bid_closes_at_the_bid(scripted: object) -> None:
    game = a_started_sale(policy=scripted(bids(150000)))  # type: ignore[operator]
    sessions.play(game.pk, ASHA, Offer(rupees(1400)))
    assert told(game)[-1]["price"] == 1500


def test_nobody_moves_out_of_turn_or_after_the_end() -> None:
    game = a_sale()
    for command in (Say("1800"), Say("hello"), Offer(rupees(1800)), Accept(), Walk()):
        with pytest.raises(NotYourTurn):
            sessions.play(game.pk, ASHA, command)
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, ASHA, Walk())
    for command in (Say("1800"), Say("hello"), Offer(rupees(1800)), Accept(), Walk()):
        with pytest.raises(GameOver):
            sessions.play(game.pk, ASHA, command)
    assert not sessions.opponent_turn(game.pk)


@pytest.mark.parametrize("price", [2001, 1199, 0.001])
def test_an_ask_against_the_rules_changes_nothing(price: float) -> None:
    game = a_started_sale()
    before = numbers(game)
    with pytest.raises(IllegalMove):
        sessions.play(game.pk, ASHA, Offer(rupees(price)))
    assert numbers(game) == before


def test_a_text_of_2001_characters_is_refused_before_anybody_reads_it() -> None:
    with pytest.raises(IllegalMove, match="2000"):
        sessions.play(a_started_sale().pk, ASHA, Say("1" * 2001))


def test_a_second_click_on_the_same_button_is_not_a_second_move() -> None:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Offer(rupees(1800)))
    with pytest.raises(NotYourTurn):
        sessions.play(game.pk, ASHA, Offer(rupees(1800)))
    assert kinds(game).count("seller offer") == 1


def test_a_click_from_before_saudas_answer_is_not_a_move() -> None:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Offer(rupees(1800)), seen=2)
    sessions.opponent_turn(game.pk)
    with pytest.raises(NotYourTurn, match="since"):
        sessions.play(game.pk, ASHA, Offer(rupees(1800)), seen=2)
    assert kinds(game).count("seller offer") == 1
    sessions.play(game.pk, ASHA, Offer(rupees(1800)), seen=numbers(game)[-1])


def test_chetan_cannot_find_or_move_ashas_game() -> None:
    game = a_started_sale()
    for owner in (CHETAN, "", ASHA.upper()):
        with pytest.raises(UnknownGame):
            sessions.owned_game(game.pk, owner)
        with pytest.raises(UnknownGame):
            sessions.play(game.pk, owner, Walk())
    with pytest.raises(UnknownGame):
        sessions.opponent_turn("nosuchgame")


def test_how_long_somebody_typed_reaches_the_reader() -> None:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Say("1850 bas"), typing_s=0.4)
    assert told(game)[-1]["signals"]["offer_speed"] == "instant"


def test_a_writer_that_is_always_too_late_gives_up_with_a_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = a_started_sale()
    old = position_of(Game.objects.get(pk=game.pk))
    sessions.play(game.pk, ASHA, Say("kal barish hogi kya"))
    monkeypatch.setattr(sessions, "position_of", lambda game: old)
    with pytest.raises(Busy):
        sessions.play(game.pk, ASHA, Offer(rupees(1900)))
    assert numbers(game) == [1, 2, 3, 4]


def test_a_position_read_from_the_log_is_the_one_that_was_played() -> None:
    game = a_started_sale()
    for text in ("1900", "kya bolte ho", "1800 final"):
        sessions.play(game.pk, ASHA, Say(text))
        sessions.opponent_turn(game.pk)
    game.refresh_from_db()
    position = position_of(game)
    assert position.seq == game.last_seq == numbers(game)[-1]
    assert position.state == fold(stored_scenario(game), position.events)
