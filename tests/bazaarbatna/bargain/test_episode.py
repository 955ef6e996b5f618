"""The rules, one sentence each. Asha sells, the buyer moves first."""

from typing import Any

import pytest

from bazaarbatna.bargain import (
    Accept,
    GameOver,
    IllegalMove,
    InvalidPrice,
    NotYourTurn,
    Offer,
    Paise,
    State,
    Tells,
    Walk,
    apply,
    legal_moves,
    say,
    show_tells,
    start,
)
from bazaarbatna.bargain.moves import Move
from tests.support.players import a_scenario


def after(*moves: Move | int, **changes: Any) -> State:
    """Play moves in turn, buyer first; a number is an offer in paise."""
    state, _ = start(a_scenario(**changes))
    for move in moves:
        side = state.to_move
        assert side is not None
        state, _ = apply(state, side, Offer(Paise(move)) if isinstance(move, int) else move)
    return state


def test_the_anchor_stands_from_the_start_and_the_buyer_moves_first() -> None:
    state = after()
    assert (state.to_move, state.standing_ask, state.standing_bid) == ("buyer", 6000, None)
    assert legal_moves(state, "seller") == ()


def test_a_bid_that_reaches_the_ask_closes_at_the_ask() -> None:
    ended = after(7000).ended
    assert ended is not None
    assert (ended.outcome, ended.by, ended.price) == ("deal", "buyer", 6000)


def test_an_ask_that_reaches_the_bid_closes_at_the_bid() -> None:
    ended = after(4000, 3500).ended
    assert ended is not None
    assert (ended.outcome, ended.by, ended.price) == ("deal", "seller", 4000)


def test_accepting_takes_the_standing_price_of_the_other_side() -> None:
    bought = after(4000, 5000, Accept()).ended
    sold = after(4000, Accept()).ended
    assert bought is not None
    assert sold is not None
    assert (bought.price, sold.price) == (5000, 4000)


def test_shares_are_parts_of_the_zone_and_add_to_one() -> None:
    ended = after(4000, Accept()).ended
    assert ended is not None
    assert ended.buyer_share == pytest.approx(6000 / 6850)
    assert ended.buyer_share + ended.seller_share == 1.0


def test_a_zone_of_a_single_price_is_shared_half_and_half() -> None:
    ended = after(3150, Accept(), budget=3150).ended
    assert ended is not None
    assert (ended.buyer_share, ended.seller_share) == (0.5, 0.5)


def test_the_game_expires_after_the_sellers_last_answer() -> None:
    ended = after(3000, 5900, 3000, 5800, rounds=2).ended
    assert ended is not None
    assert (ended.outcome, ended.by, ended.price, ended.round) == ("expired", None, None, 2)
    assert ended.buyer_share == ended.seller_share == 0.0


@pytest.mark.parametrize(("moves", "by"), [((Walk(),), "buyer"), ((3000, Walk()), "seller")])
def test_either_side_may_walk(moves: tuple[Move | int, ...], by: str) -> None:
    ended = after(*moves).ended
    assert ended is not None
    assert (ended.outcome, ended.by) == ("walk", by)


def test_nobody_moves_or_speaks_after_the_end() -> None:
    state = after(Walk())
    with pytest.raises(GameOver):
        apply(state, "seller", Accept())
    with pytest.raises(GameOver):
        say(state, "buyer", "wait!")


def test_nobody_moves_out_of_turn() -> None:
    with pytest.raises(NotYourTurn, match="buyer's turn"):
        apply(after(), "seller", Offer(Paise(5000)))


def test_words_need_no_turn_and_move_nothing() -> None:
    state = after()
    spoken, _ = say(state, "seller", "hello")
    shown, _ = show_tells(spoken, "seller", Tells(verbal_urgency=0.4))
    assert (shown.to_move, shown.asks, shown.bids, shown.round) == ("buyer", (6000,), (), 1)
    assert shown.tells == Tells(verbal_urgency=0.4)
    assert shown.turns[-1].text == "hello"


@pytest.mark.parametrize("price", [0, -1, 10**11 + 1, 10001, 99.5, True, float("nan"), "50", None])
def test_a_bid_outside_the_rules_is_refused(price: object) -> None:
    with pytest.raises(IllegalMove):
        apply(after(), "buyer", Offer(price))  # type: ignore[arg-type]


@pytest.mark.parametrize("price", [3149, 6001, 0])
def test_an_ask_below_the_limit_or_above_the_standing_one_is_refused(price: int) -> None:
    with pytest.raises(IllegalMove):
        after(2000, price)


def test_a_bluffer_may_raise_by_its_rule_and_no_more() -> None:
    from bazaarbatna.bargain import SellerRules

    state, _ = start(a_scenario(rules=SellerRules(bluff_raise=0.03)))
    state, _ = apply(state, "buyer", Offer(Paise(2000)))
    assert apply(state, "seller", Offer(Paise(6180)))[0].standing_ask == 6180
    with pytest.raises(IllegalMove):
        apply(state, "seller", Offer(Paise(6181)))


def test_accepting_is_refused_above_the_budget_and_below_the_reservation() -> None:
    with pytest.raises(IllegalMove, match="above your budget"):
        after(Accept(), budget=5999)
    with pytest.raises(IllegalMove, match="below your floor"):
        after(3149, Accept())


def test_refusals_never_name_the_other_sides_numbers() -> None:
    secrets = ("3150", "31.5", "10000", "3000", "100")
    for moves in ((12000,), (2000, 3000), (2000, 7000), (2000, Accept())):
        with pytest.raises(IllegalMove) as refusal:
            after(*moves)
        assert not any(secret in str(refusal.value) for secret in secrets)


def test_a_message_has_an_end() -> None:
    with pytest.raises(IllegalMove, match="2000 characters; yours has 2001"):
        apply(after(), "buyer", Walk("x" * 2001))


@pytest.mark.parametrize(
    "changes", [{"anchor": 3000}, {"budget": 0}, {"cost": -1}, {"anchor": 10**12}]
)
def test_a_scenario_that_cannot_be_played_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidPrice):
        start(a_scenario(**changes))


def test_a_game_has_at_least_one_round() -> None:
    with pytest.raises(ValueError, match="at least one round"):
        start(a_scenario(rounds=0))


def test_what_is_no_move_is_refused_by_name() -> None:
    for nonsense in (None, "offer", {"action": "walk"}):
        with pytest.raises(IllegalMove, match="an offer, an acceptance or a walk"):
            apply(after(), "buyer", nonsense)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove, match="A message is text"):
        apply(after(), "buyer", Walk(None))  # type: ignore[arg-type]


def test_tells_of_the_buyer_are_recorded_but_not_shown_to_it() -> None:
    state = after()
    same, (event,) = show_tells(state, "buyer", Tells(verbal_urgency=0.9))
    assert same is state
    assert event.actor == "buyer"  # type: ignore[union-attr]


def test_the_fast_door_refuses_to_close_at_no_price() -> None:
    from bazaarbatna.bargain import BrokenLog, advance

    state, _ = start(a_scenario())
    nobody_bid = State(state.scenario, 1, "seller", state.asks, (), (), None, None)
    with pytest.raises(IllegalMove, match="no bid to accept"):
        apply(nobody_bid, "seller", Accept())
    with pytest.raises(BrokenLog):
        advance(nobody_bid, Accept())
