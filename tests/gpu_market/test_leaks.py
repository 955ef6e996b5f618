"""Nothing hidden is in any observation: Chetan searches every byte he receives."""

from collections.abc import Callable, Iterator
from random import Random

import msgspec

from bazaarbatna.market import (
    MarketAction,
    MarketScenario,
    State,
    advance,
    apply,
    make_market,
    observe,
    start,
)
from bazaarbatna.market.archetypes import MANNERS
from bazaarbatna.market.making import ARCHETYPES
from bazaarbatna.market.observe import (
    DEMAND_BANDS,
    PRESSURE_BANDS,
    REMEMBERED_MESSAGES,
    budget_band,
    ratio_band,
)
from bazaarbatna.market.policies.plain import random_valid
from bazaarbatna.market.quantities import Cents
from bazaarbatna.market.scenario import MarketSealed
from tests.support.gpu_market import a_wild_action, a_world, begun, do, marked, waiting_until


def positions(number: int, change: Callable[[MarketScenario], MarketScenario]) -> Iterator[State]:
    task = ("single_trade", "market_round", "coalition_market")[number % 3]
    scenario = change(make_market(task, number))
    rng, sensible = Random(number), random_valid(number)
    state, _ = start(scenario)
    while state.ended is None:
        yield state
        lab = state.turn
        if lab == 1:
            state, _ = advance(state)
        elif rng.random() < 0.5:
            state, _ = apply(state, lab, sensible(observe(state, lab)))
        else:
            state, _ = apply(state, lab, a_wild_action(state, lab, rng))
    yield state


def test_no_private_number_of_another_lab_is_in_any_observation() -> None:
    searched = 0
    for number in range(90):
        for state in positions(number, marked):
            for lab in range(len(state.budgets)):
                seen = msgspec.json.encode(observe(state, lab))
                for other, jobs in enumerate(state.jobs):
                    private = {
                        str(value)
                        for job in jobs
                        for value in (job.base_value, job.urgency, job.min_reliability)
                    }
                    private = {text for text in private if len(text) >= 7}
                    private.add(f'"budget":{state.budgets[other]},')
                    if other != lab:
                        assert not any(text.encode() in seen for text in private)
                        searched += 1
                    else:
                        assert all(text.encode() in seen for text in private)
    assert searched > 3000


def test_no_character_and_no_future_is_in_any_observation() -> None:
    for number in range(90):
        for state in positions(number, lambda scenario: scenario):
            sealed = state.scenario.sealed
            for lab in range(len(state.budgets)):
                seen = msgspec.json.encode(observe(state, lab))
                for archetype in ARCHETYPES:
                    assert archetype.encode() not in seen
                assert str(sealed.seed).encode() not in seen
                assert state.scenario.salt.encode() not in seen
                struck = {shock.kind for shock in sealed.shocks if shock.round <= state.round}
                for shock in sealed.shocks:
                    assert (shock.kind.encode() in seen) == (shock.kind in struck)


def with_other_secrets(state: State, lab: int) -> State:
    """Everything a lab may not know is different; bands stay what they were."""
    sealed = state.scenario.sealed
    keep = state.jobs[lab]
    jobs = tuple(
        row
        if row is keep
        else tuple(
            msgspec.structs.replace(
                job, base_value=Cents(job.base_value + 17), note="benchmark run"
            )
            for job in row
        )
        for row in state.jobs
    )
    budgets = tuple(
        budget
        if number == lab or budget_band(Cents(budget + 1)) != budget_band(budget)
        else Cents(budget + 1)
        for number, budget in enumerate(state.budgets)
    )
    changed = msgspec.structs.replace(
        sealed, seed=1, archetypes=("selfish",) * len(sealed.archetypes), shocks=(), surge=()
    )
    scenario = msgspec.structs.replace(state.scenario, sealed=changed, salt="other")
    return msgspec.structs.replace(
        state, scenario=scenario, jobs=jobs, budgets=budgets, luck=(0.0,) * len(state.luck)
    )


def test_a_view_does_not_depend_on_what_others_keep_secret() -> None:
    for number in range(90):
        for state in positions(number, lambda scenario: scenario):
            for lab in range(len(state.budgets)):
                assert observe(with_other_secrets(state, lab), lab) == observe(state, lab)


def test_offers_payments_and_words_of_others_stay_with_them() -> None:
    offer = MarketAction(
        "send_offer",
        target_lab_id="lab_1",
        block_ids=("block_0",),
        payment=Cents(4321),
        message="Between you and me",
    )
    words = MarketAction("send_message", target_lab_id="lab_0", message="Whispered")
    state = do(
        begun(a_world(labs=3)), offer, MarketAction("accept_offer", offer_id="offer_0_1_0"), words
    )
    state = do(state, MarketAction("wait"), words)
    for lab, knows in ((0, True), (1, True), (2, False)):
        seen = msgspec.json.encode(observe(state, lab))
        assert (b"4321" in seen) == knows
        assert (b"Between you and me" in seen) == knows
    assert observe(state, 2).contracts[0].given == ("block_0",)
    assert [said.lab for said in observe(state, 0).messages] == ["lab_2", "lab_1"]
    assert [said.lab for said in observe(state, 2).messages] == ["lab_2"]


def test_only_the_last_twenty_messages_are_remembered() -> None:
    state = begun(a_world(rounds=16))
    for number in range(30):
        state = do(state, MarketAction("send_message", message=f"Number {number}."))
    messages = observe(state, 0).messages
    assert len(messages) == REMEMBERED_MESSAGES
    assert messages[-1].text == "Number 29."


def test_bands_have_the_bounds_of_the_rules() -> None:
    assert [budget_band(Cents(b)) for b in (5999, 6000, 11_499, 11_500)] == [
        "low",
        "medium",
        "medium",
        "high",
    ]
    assert [ratio_band(need, 10, DEMAND_BANDS) for need in (6, 7, 13, 14)] == [
        "low",
        "medium",
        "medium",
        "high",
    ]
    assert [ratio_band(need, 10, PRESSURE_BANDS) for need in (7, 8, 14, 15)] == [
        "low",
        "medium",
        "medium",
        "high",
    ]
    assert ratio_band(0, 0, DEMAND_BANDS) == "low"
    assert ratio_band(1, 0, DEMAND_BANDS) == "high"


def test_what_is_sealed_never_prints() -> None:
    scenario = make_market("market_round", 3)
    assert repr(scenario.sealed) == "MarketSealed(...)"
    assert isinstance(scenario.sealed, MarketSealed)
    assert not any(name in repr(scenario) for name in MANNERS)


def test_sealed_values_open_with_the_end() -> None:
    state = waiting_until(begun(make_market("single_trade", 3)), 99)
    assert state.ended is not None
    assert state.ended.opened == state.scenario.sealed
