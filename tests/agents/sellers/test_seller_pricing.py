"""How sellers come down, and when they stop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sellers.persona import PERSONAS
from agents.sellers.rule_seller import RuleSeller, counter, floor, propose, step
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from tests.support.selling import a_stall

PLAIN = PERSONAS["default"].temper


def test_the_plain_step_is_35_percent_of_the_gap_or_3_percent_of_the_ask() -> None:
    assert step(a_stall(bids=(600,)), PLAIN) == pytest.approx(14_000)
    assert step(a_stall(bids=(950,), reservation=960), PLAIN) == pytest.approx(3_000)


def test_a_bid_next_to_nothing_earns_no_larger_step_than_half_the_ask() -> None:
    half = step(a_stall(bids=(500,)), PLAIN)
    assert step(a_stall(bids=(1,)), PLAIN) == step(a_stall(bids=(499,)), PLAIN) == half == 17_500


def test_a_counter_is_a_step_down_in_round_numbers() -> None:
    assert counter(a_stall(bids=(600,)), PLAIN) == 86_000
    assert counter(a_stall((1237,), (601,)), PLAIN) == 102_000


def test_nothing_is_left_of_the_cushion_in_the_last_round() -> None:
    first = a_stall(bids=(500,), reservation=700)
    last = a_stall((1000,) * 10, (500,) * 10, reservation=700)
    assert floor(first, PLAIN) == 78_400
    assert floor(last, PLAIN) == 70_000


def test_a_counter_stops_just_above_the_own_floor() -> None:
    position = a_stall((860,), (400,), reservation=701.37)
    assert floor(position, PLAIN) <= counter(position, PLAIN) <= floor(position, PLAIN) + 500


def test_a_seller_at_its_limit_holds_its_ask() -> None:
    assert counter(a_stall((700,), (500,), reservation=700), PLAIN) == 70_000


def test_a_single_round_is_enough_for_a_counter() -> None:
    assert counter(a_stall(rounds=1), PLAIN) == 86_000


def test_personas_differ_in_their_first_step() -> None:
    position = a_stall(bids=(500,), reservation=550)
    first = {name: counter(position, one.temper) for name, one in PERSONAS.items()}
    assert first["flexible"] < first["default"] < first["firm"] < first["deceptive"]


@pytest.mark.parametrize("persona", PERSONAS)
def test_every_persona_takes_a_bid_at_its_reservation_price(persona: str) -> None:
    assert isinstance(RuleSeller(1, persona).act(a_stall(bids=(700,))), Accept)
    assert isinstance(RuleSeller(1, persona).act(a_stall(bids=(699.99,))), Offer)


@pytest.mark.parametrize(("persona", "patience"), [("default", 3), ("flexible", 5)])
def test_a_seller_leaves_after_as_many_insults_as_its_temper_says(
    persona: str, patience: int
) -> None:
    seller = RuleSeller(1, persona)
    for count in range(1, patience):
        position = a_stall((1000,) * count, (100,) * count)
        assert isinstance(seller.act(position), Offer)
    assert isinstance(seller.act(a_stall((1000,) * patience, (100,) * patience)), Walk)


def test_a_seller_is_patient_until_the_last_round_with_honest_low_bids() -> None:
    assert isinstance(RuleSeller(1).act(a_stall((1000,) * 10, (510,) * 10)), Offer)


@given(
    st.integers(100, 10**9),
    st.floats(0.3, 1.0),
    st.floats(0.01, 0.999),
    st.integers(1, 10),
    st.sampled_from(sorted(PERSONAS)),
)
def test_a_proposal_already_keeps_every_rule(
    anchor: int, limit: float, low: float, made: int, persona: str
) -> None:
    ask, reservation = float(anchor), max(round(anchor * limit, 2), 0.01)
    bid = max(round(reservation * low, 2), 0.01)
    position = a_stall((ask,) * made, (bid,) * made, reservation=reservation)
    move = propose(position, PERSONAS[persona].temper)
    if isinstance(move, Offer):
        assert position.reservation <= move.price <= position.standing_ask
