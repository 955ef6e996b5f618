"""Whatever a player proposes, a legal move comes out."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazaarbatna.bargain import (
    Accept,
    Move,
    Offer,
    Paise,
    Side,
    State,
    Walk,
    advance,
    apply,
    repair,
    start,
)
from tests.support.players import NONSENSE, a_scenario


def a_state(side: Side, *bids_and_asks: int) -> State:
    state, _ = start(a_scenario())
    for price in bids_and_asks:
        state, _ = advance(state, Offer(Paise(price)))
    assert state.to_move == side
    return state


BUYER = a_state("buyer", 4000, 5000)
SELLER = a_state("seller", 4000)


@pytest.mark.parametrize("move", [Offer(Paise(4500), "x"), Accept("ok"), Walk(), Offer(Paise(1))])
def test_a_legal_proposal_comes_back_as_it_is(move: Move) -> None:
    assert repair(BUYER, "buyer", move) is move


@pytest.mark.parametrize(
    ("price", "held"),
    [
        (10001, 10000),
        (math.inf, 10000),
        (10**400, 10000),
        (-5, 1),
        (-math.inf, 1),
        (4500.4, 4500),
        (4500.5, 4501),
    ],
)
def test_a_bid_out_of_range_is_held_at_the_end_of_the_range(price: float, held: int) -> None:
    assert repair(BUYER, "buyer", Offer(price, "mine")) == Offer(Paise(held), "mine")  # type: ignore[arg-type]


@pytest.mark.parametrize(("price", "held"), [(9999, 5000), (10, 3150), (math.inf, 5000)])
def test_an_ask_out_of_range_is_held_too(price: float, held: int) -> None:
    seller = advance(BUYER, Offer(Paise(4100)))[0]
    assert repair(seller, "seller", Offer(price)) == Offer(Paise(held))  # type: ignore[arg-type]


@pytest.mark.parametrize("price", [math.nan, None, "4500", True, [], 1j])
def test_what_is_no_number_holds_the_last_price(price: object) -> None:
    assert repair(BUYER, "buyer", Offer(price)) == Offer(Paise(4000))  # type: ignore[arg-type]
    assert repair(SELLER, "seller", Offer(price)) == Offer(Paise(6000))  # type: ignore[arg-type]


def test_a_buyer_without_a_bid_holds_at_the_least_there_is() -> None:
    assert repair(start(a_scenario())[0], "buyer", None) == Offer(Paise(1))


def test_an_acceptance_that_is_not_allowed_holds() -> None:
    poor, _ = start(a_scenario(budget=4000))
    assert repair(poor, "buyer", Accept("I take it")) == Offer(Paise(1), "I take it")
    lowballed = a_state("seller", 1000)
    assert repair(lowballed, "seller", Accept()) == Offer(Paise(6000))


def test_words_are_cut_and_what_is_no_text_is_dropped() -> None:
    assert repair(BUYER, "buyer", Offer(Paise(4500), "x" * 3000)) == Offer(Paise(4500), "x" * 2000)
    assert repair(BUYER, "buyer", Walk(None)) == Walk("")  # type: ignore[arg-type]
    assert repair(BUYER, "buyer", Accept("y" * 2001)) == Accept("y" * 2000)


@pytest.mark.parametrize("proposal", NONSENSE, ids=lambda p: repr(p)[:30])
@pytest.mark.parametrize(("state", "side"), [(BUYER, "buyer"), (SELLER, "seller")])
def test_any_nonsense_becomes_a_legal_move(proposal: object, state: State, side: Side) -> None:
    apply(state, side, repair(state, side, proposal))


@given(
    price=st.one_of(st.integers(), st.floats(), st.text(), st.none(), st.booleans()),
    text=st.one_of(st.text(), st.none(), st.integers(), st.text(min_size=2001, max_size=2002)),
    budget=st.integers(1, 10**11),
    first=st.integers(1, 10**11),
)
def test_any_offer_becomes_legal_for_both_sides(
    price: object, text: object, budget: int, first: int
) -> None:
    state, _ = start(a_scenario(anchor=10**11, reservation=1, cost=1, budget=budget))
    proposal = Offer(price, text)  # type: ignore[arg-type]
    apply(state, "buyer", repair(state, "buyer", proposal))
    bid, _ = apply(state, "buyer", repair(state, "buyer", Offer(Paise(first))))
    if bid.ended is None:
        apply(bid, "seller", repair(bid, "seller", proposal))
