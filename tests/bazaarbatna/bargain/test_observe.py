"""Chetan must never see: each side's view holds no number of the other."""

import msgspec
import pytest

from bazaarbatna.bargain import (
    Offer,
    Paise,
    Scenario,
    advance,
    make_scenario,
    observe_buyer,
    observe_seller,
    start,
    suite_ids,
)
from bazaarbatna.bargain.observe import CareerSummary, observe
from tests.support.players import a_scenario

SECRETS = {"reservation": 31507, "cost": 30011, "budget": 77773, "seed": 918273645}


def a_secretive_game(**changes: object) -> Scenario:
    scenario = a_scenario(anchor=60000, **{**SECRETS, **changes})  # type: ignore[arg-type]
    sealed = msgspec.structs.replace(scenario.sealed, persona="deceptive", deadline=5)
    return msgspec.structs.replace(scenario, sealed=sealed, salt="s3cr3tsalt")


def bytes_for(side: str, scenario: Scenario) -> str:
    state, _ = start(scenario)
    state, _ = advance(state, Offer(Paise(20000), "bid"))
    view = observe_buyer(state) if side == "buyer" else observe_seller(state)
    return msgspec.json.encode(view).decode()


def test_the_buyer_sees_its_budget_and_no_other_secret() -> None:
    seen = bytes_for("buyer", a_secretive_game())
    assert str(SECRETS["budget"]) in seen
    for name in ("reservation", "cost", "seed"):
        assert str(SECRETS[name]) not in seen
    assert "deceptive" not in seen
    assert "s3cr3tsalt" not in seen


def test_the_seller_sees_its_limit_and_not_the_budget() -> None:
    seen = bytes_for("seller", a_secretive_game())
    assert str(SECRETS["reservation"]) in seen
    for name in ("budget", "seed"):
        assert str(SECRETS[name]) not in seen
    assert "s3cr3tsalt" not in seen
    assert "deadline" not in seen


def test_the_persona_shows_only_where_the_suite_says_so() -> None:
    shown = {
        suite: observe_buyer(start(make_scenario(suite, 1))[0]).persona for suite in suite_ids()
    }
    assert {suite for suite, persona in shown.items() if persona} == {
        f"{name}@{variant}-1"
        for name in ("deceptive_seller", "impatient_seller", "collaborative_seller")
        for variant in ("fixed", "sampled")
    }
    for suite in suite_ids():
        (opened,) = start(make_scenario(suite, 1))[1]
        assert opened.persona == shown[suite]  # type: ignore[union-attr]


def test_the_buyer_remembers_six_turns_with_their_words() -> None:
    state, _ = start(a_scenario())
    for number in range(5):
        state, _ = advance(state, Offer(Paise(1000 + number), f"bid {number}"))
        state, _ = advance(state, Offer(Paise(6000 - number), f"ask {number}"))
    words = [turn.text for turn in observe_buyer(state).turns]
    assert words == ["bid 2", "ask 2", "bid 3", "ask 3", "bid 4", "ask 4"]
    assert observe_seller(state).turns == observe_buyer(state).turns


def test_what_can_be_computed_from_a_view_is() -> None:
    state, _ = start(a_scenario())
    assert observe_buyer(state).last_concession == 0
    assert observe_buyer(state).own_last_bid is None
    assert observe_seller(state).standing_bid is None
    state, _ = advance(state, Offer(Paise(1000)))
    state, _ = advance(state, Offer(Paise(5500)))
    view = observe_buyer(state, CareerSummary(games=3))
    assert (view.opening_ask, view.standing_ask, view.own_last_bid) == (6000, 5500, 1000)
    assert (view.last_concession, view.rounds_left) == (500, 6)
    assert view.career == CareerSummary(games=3)
    assert observe_seller(state).standing_ask == 5500
    assert observe_seller(state).standing_bid == 1000


@pytest.mark.parametrize("side", ["buyer", "seller"])
def test_observe_gives_each_side_its_own_view(side: str) -> None:
    state, _ = start(a_scenario())
    expected = observe_buyer(state) if side == "buyer" else observe_seller(state)
    assert observe(state, side) == expected  # type: ignore[arg-type]
