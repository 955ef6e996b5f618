"""What no proposal may break."""

import pytest

from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.players.guard import guard
from tests.support.positions import a_position


def bid(rupees: float) -> Offer:
    return Offer(Paise(round(rupees * 100)), "hm")


def test_a_bid_never_exceeds_the_budget() -> None:
    assert guard(a_position(budget=1500), bid(1700)) == bid(1500)


def test_a_bid_never_falls() -> None:
    assert guard(a_position((1800,), (1200,)), bid(900)) == bid(1200)


def test_a_ceiling_below_the_own_last_bid_does_not_drag_the_bid_down() -> None:
    # A budget below the own bid cannot happen in a game; the order of the guards shows here.
    assert guard(a_position((1800,), (1200,), budget=1000), bid(900)) == bid(1200)


@pytest.mark.parametrize("move", [bid(100), Walk("hm"), Accept("hm"), bid(9999)])
def test_an_agreed_price_is_taken_whatever_is_proposed(move: Move) -> None:
    assert guard(a_position((1800, 1200), (1200,)), move) == Accept("hm")
    assert guard(a_position((1800, 1100), (1200,)), move) == Accept("hm")


def test_an_ask_above_the_budget_is_never_accepted() -> None:
    assert guard(a_position((1800,), (1200,), budget=1500), Accept("hm")) == bid(1200)


def test_a_bid_that_reaches_the_ask_is_an_acceptance() -> None:
    assert guard(a_position((1400,), (1200,)), bid(1450)) == Accept("hm")


def test_a_walk_is_left_alone_while_nothing_is_agreed() -> None:
    assert guard(a_position((1800,), (1200,)), Walk("bye")) == Walk("bye")


@pytest.mark.parametrize("nonsense", [None, 42, "offer", {"price": 3}, Offer, object()])
def test_what_is_no_move_repeats_the_last_bid(nonsense: object) -> None:
    move = guard(a_position((1800,), (1200,)), nonsense)  # type: ignore[arg-type]
    assert move == Offer(Paise(120_000))


@pytest.mark.parametrize("text", ["x" * 2001, None, b"bytes", 7])
def test_a_text_the_game_cannot_carry_is_dropped(text: object) -> None:
    move = guard(a_position(), Offer(Paise(1000), text))  # type: ignore[arg-type]
    assert move == Offer(Paise(1000))
