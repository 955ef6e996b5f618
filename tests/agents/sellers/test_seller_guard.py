"""What no proposal may make a seller do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.testing.players import check_rules
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.players.guard import guard
from tests.support.players import NONSENSE
from tests.support.selling import a_stall


def ask(rupees: float) -> Offer:
    return Offer(Paise(round(rupees * 100)), "hm")


def test_a_counter_never_goes_below_the_reservation_price() -> None:
    assert guard(a_stall(reservation=700), ask(650)) == ask(700)


def test_an_ask_never_goes_up() -> None:
    assert guard(a_stall((1000, 900), (500, 550)), ask(950)) == ask(900)


def test_a_low_ask_does_not_drag_the_counter_below_the_reservation_price() -> None:
    # An ask below the reservation price cannot happen in a game; the order of the guards shows.
    assert guard(a_stall((600,), (300,), reservation=700), ask(500)) == ask(700)


@pytest.mark.parametrize("move", [ask(900), Walk("hm"), Accept("hm"), ask(1)])
def test_a_bid_at_the_reservation_price_is_accepted_whatever_is_proposed(move: Move) -> None:
    assert guard(a_stall(bids=(700,), reservation=700), move) == Accept("hm")
    assert guard(a_stall(bids=(950,), reservation=700), move) == Accept("hm")


def test_a_bid_a_paisa_below_the_reservation_price_is_never_accepted() -> None:
    assert guard(a_stall(bids=(699.99,), reservation=700), Accept("hm")) == ask(1000)


@pytest.mark.parametrize("bids", [(100,), (100, 100), (600, 100, 100), (100, 100, 600)])
def test_nobody_walks_before_the_third_bid_in_bad_faith(bids: tuple[float, ...]) -> None:
    asks = (1000,) * len(bids)
    assert guard(a_stall(asks, bids), Walk("bye")) == Offer(Paise(100_000), "bye")


def test_the_third_bid_in_bad_faith_may_be_walked_from() -> None:
    assert guard(a_stall((1000,) * 3, (100, 100, 499)), Walk("bye")) == Walk("bye")
    assert guard(a_stall((1000,) * 3, (100, 100, 500)), Walk("bye")) == Offer(Paise(100_000), "bye")


@pytest.mark.parametrize("nonsense", [None, 42, "offer", {"price": 3}, Offer, object()])
def test_what_is_no_move_repeats_the_standing_ask(nonsense: object) -> None:
    assert guard(a_stall(), nonsense) == Offer(Paise(100_000))  # type: ignore[arg-type]


def test_a_seller_nobody_has_bid_to_holds_its_ask() -> None:
    assert guard(a_stall(bids=()), Accept("hm")) == ask(1000)
    assert guard(a_stall(bids=()), Walk("hm")) == ask(1000)


prices = st.integers(1, 10**11)
proposals = st.one_of(
    st.sampled_from(NONSENSE),
    st.builds(Offer, st.integers(-(10**30), 10**30), st.text(max_size=50)),
    st.builds(Offer, st.floats(), st.text(max_size=50)),
    st.builds(Accept, st.text(max_size=50)),
    st.builds(Walk, st.text(max_size=50)),
)


@given(prices, st.lists(prices, min_size=1, max_size=8), prices, proposals)
def test_no_proposal_breaks_a_rule(anchor: int, bids: list[int], limit: int, move: Move) -> None:
    reservation = min(limit, anchor) / 100
    position = a_stall(
        (anchor / 100,) * len(bids), tuple(bid / 100 for bid in bids), reservation=reservation
    )
    check_rules(position, guard(position, move))
