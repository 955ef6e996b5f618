"""Actions come as JSON in rupees: what cannot be read is refused, what breaks a rule is priced."""

import msgspec
import pytest

from bazaarbatna.bargain import Accept, Offer, Walk, make_scenario, repair, reward, start
from bazaarbatna.envs.bargain.actions import Action, read_action, to_proposal
from bazaarbatna.envs.bargain.episode import UnreadableAction


def test_every_action_becomes_the_move_it_names() -> None:
    assert to_proposal(read_action({"action": "offer", "price": 99.995})) == Offer(10000)
    assert to_proposal(read_action({"action": "accept", "message": "Done."})) == Accept("Done.")
    assert to_proposal(read_action({"action": "walk", "price": 12})) == Walk()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, "action"),
        ([], "object"),
        ("offer 40", "object"),
        (None, "object"),
        ({"action": "bid", "price": 4}, "'bid'"),
        ({"action": "offer", "price": "40"}, "$.price"),
        ({"action": "offer", "price": True}, "$.price"),
        ({"action": "offer", "price": 4, "message": 7}, "$.message"),
        ({"action": "offer", "offered": 4}, "offered"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_place(data: object, told: str) -> None:
    with pytest.raises(UnreadableAction) as refused:
        read_action(data)
    assert told in str(refused.value)


@pytest.mark.parametrize("price", [None, float("nan"), float("inf"), float("-inf")])
def test_an_offer_without_a_number_says_nothing(price: float | None) -> None:
    with pytest.raises(UnreadableAction, match="needs a price"):
        to_proposal(Action("offer", price))


@pytest.mark.parametrize("price", [-1.0, -1e300, 1e300, 1e9 + 1, 100.01])
def test_a_price_out_of_range_is_the_games_to_punish(price: float) -> None:
    state, _ = start(make_scenario("single_deal@fixed-1", 0))
    proposal = to_proposal(Action("offer", price))
    assert reward(state, proposal, state).bad_bid == -0.2
    held = repair(state, "buyer", proposal)
    assert isinstance(held, Offer)
    assert 1 <= held.price <= state.scenario.sealed.budget


def test_an_action_survives_its_own_json() -> None:
    action = Action("offer", 170.5, "Bas, final.")
    assert read_action(msgspec.json.decode(msgspec.json.encode(action))) == action
