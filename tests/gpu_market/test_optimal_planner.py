"""The optimal planner beats the expert, needs coalitions for its best, and breaks no rule."""

from functools import cache

import pytest

from bazaarbatna.intervals import paired_interval
from bazaarbatna.market import (
    TASK_NAMES,
    Observation,
    make_market,
    observe,
    play_market,
    start,
)
from bazaarbatna.market.archetypes import MANNERS
from bazaarbatna.market.planner import best_plan, lasting
from bazaarbatna.market.planner.small import Ways, search, sets_of
from bazaarbatna.market.policies.belief import CASTS, HEARD, believe, chance, prices
from bazaarbatna.market.policies.expert import rule_expert
from bazaarbatna.market.policies.optimal import optimal_planner, planner_alone
from bazaarbatna.market.policies.views import Policy
from bazaarbatna.market.quantities import Cents
from tests.support.gpu_market import a_block, a_job, a_world, an_offer, begun

SEEDS = range(50_000, 50_200)


@cache
def earned(policy: Policy, task: str) -> list[float]:
    """True utility of the first lab in every world, in credits."""
    found = []
    for seed in SEEDS:
        state, _ = play_market(make_market(task, seed), {0: policy})
        assert policy is rule_expert or state.tallies[0].refused == 0, seed
        found.append(state.tallies[0].utility / 100)
    return found


def least_lead(other: Policy, task: str) -> float:
    """How far the planner is ahead at least, by the interval of the paired difference."""
    pairs = zip(earned(optimal_planner, task), earned(other, task), strict=True)
    return paired_interval([ours - theirs for ours, theirs in pairs]).low


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_planner_beats_the_expert(task: str) -> None:
    assert least_lead(rule_expert, task) > 0


def test_coalitions_are_needed_for_the_best_score() -> None:
    task = "coalition_market"
    assert least_lead(planner_alone, task) > 0


def test_without_coalitions_the_planner_never_names_one() -> None:
    for seed in range(20):
        state, _ = play_market(make_market("coalition_market", seed), {0: planner_alone})
        assert state.coalitions == ()


def test_the_small_search_finds_what_the_solver_finds() -> None:
    compared = 0
    for seed in range(40):
        scenario = make_market("coalition_market", seed)
        jobs, blocks = scenario.sealed.jobs[0], scenario.blocks[2:6]
        for first in (0, 4, 7):
            ways = Ways(jobs, blocks, first, scenario.rounds)
            ways.add(sets_of(range(len(blocks)), len(blocks)))
            ways.sort()
            plan = best_plan(lasting(jobs, blocks, first, scenario.rounds))
            found = search(ways, 0b1111, first)
            assert found.value == plan.value
            assert found.value == sum(way[0] for _, way in found.chosen)
            compared += found.value > 0
    assert compared > 40


def test_a_search_takes_no_more_out_of_a_pool_than_there_is_credit() -> None:
    jobs = [a_job(number=0), a_job(number=1)]
    blocks = [a_block(0, start=1), a_block(1, start=1, energy=Cents(100))]
    ways = Ways(jobs, blocks, 0, 6, until=[6, 1])
    ways.add(sets_of(range(2)))
    ways.sort()
    assert search(ways, 0b11, 0).value == 2 * 6000 - 4 * 200 - 4 * 100
    assert search(ways, 0b11, 0, shared=0b10).value == 6000 - 4 * 200
    assert search(ways, 0b11, 0, shared=0b10, credit=1).bits == 0b11
    # The second block can be had in round 0 only.
    assert search(ways, 0b11, 1).bits == 0b01


def seen_after(*offers: tuple[int, str]) -> Observation:
    """What lab 0 sees after offers to lab 1: what each paid for a block, and what became of it."""
    sent = [
        an_offer(
            number, 0, 1, requested=("block_2",), payment=Cents(payment), status=status, message=""
        )
        for number, (payment, status) in enumerate(offers)
    ]
    return observe(begun(a_world(offers=sent)), 0)


def test_answers_tell_who_the_others_are() -> None:
    assert believe(seen_after()) == pytest.approx([0.2] * 5)
    place = {name: number for number, name in enumerate(MANNERS)}
    first = {name: (place[name] - 1) % 5 for name in MANNERS}
    # Lab 1 took little: it is no selfish one. Then it refused much: hardly anybody else is left.
    cheap, dear = believe(seen_after((4200, "accepted"))), believe(seen_after((8500, "rejected")))
    assert cheap[first["cooperative"]] > 0.3 > 0.05 > cheap[first["selfish"]]
    assert dear[first["selfish"]] > 0.9
    assert sum(dear) == pytest.approx(1)


def test_the_pressed_and_the_resentful_are_weighed_as_they_are() -> None:
    pressed, resentful = MANNERS["deadline_panicked"], MANNERS["retaliatory"]
    assert chance(pressed, 0.2, 1.0, 0.6) > chance(pressed, 0.2, 0.2, 0.6)
    assert chance(resentful, 5.0, 0.0, 0.4) == 0
    assert chance(resentful, 5.0, 0.0, 0.5) == 1
    assert max(HEARD.urgency, HEARD.fairness, HEARD.coalition) == 1
    assert HEARD.threat == 0
    seen = observe(start(make_market("single_trade", 1))[0], 0)
    assert prices(seen) == sorted(prices(seen))
    assert len(CASTS) == 5
