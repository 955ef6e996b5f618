"""Each shock, alone, in a market made by hand."""

from typing import Any

import pytest

from bazaarbatna.market import (
    WAIT,
    MarketAction,
    State,
    advance,
    apply,
    make_market,
    observe,
    start,
)
from bazaarbatna.market.blocks import hours_left
from bazaarbatna.market.events import JobsChanged, PromiseBroken, ShockStruck
from bazaarbatna.market.quantities import Cents
from bazaarbatna.market.scenario import (
    HOUSE,
    SHOCK_KINDS,
    Shock,
    ShockKind,
    task_of,
    without_shocks,
)
from tests.support.gpu_market import a_block, a_job, a_world, begun, do, waiting_until


def struck(kind: ShockKind, *, pick: float = 0.0, **world: Any) -> State:
    """A market of two labs that waited until the shock of round 1 had struck."""
    scenario = a_world(shocks=[Shock(1, kind, pick)], **world)
    return waiting_until(begun(scenario), 1)


def test_a_capacity_failure_takes_one_live_block() -> None:
    state = struck("capacity_failure", pick=0.6)
    assert [block.status for block in state.blocks].count("failed") == 1
    assert state.blocks[2].status == "failed"
    assert hours_left(state.blocks[2], 1) == 0
    (event,) = observe(state, 0).shocks
    assert [block.id for block in event.blocks] == ["block_2"]


def test_a_capacity_failure_spares_what_ran_already() -> None:
    scenario = a_world([a_block(0), a_block(1, 1)], shocks=[Shock(1, "capacity_failure", 0.0)])
    run = MarketAction("allocate_to_job", job_id="job_0_0", block_ids=("block_0",))
    state = do(begun(scenario), run, WAIT)
    assert [block.status for block in state.blocks] == ["used", "failed"]
    assert state.tallies[0].finished == 1


def test_a_failed_block_in_a_pool_excuses_its_owner() -> None:
    # Of the two blocks only the pooled one still runs in round 2.
    blocks = [a_block(0, duration=3), a_block(1, 1)]
    state = do(
        begun(a_world(blocks, shocks=[Shock(2, "capacity_failure", 0.0)])),
        MarketAction("form_coalition", target_lab_id="lab_1"),
        MarketAction("accept_offer", coalition_id="coalition_0"),
        MarketAction("commit_to_coalition", coalition_id="coalition_0", block_ids=("block_0",)),
    )
    state, events = apply(state, 1, WAIT)
    assert state.blocks[0].status == "failed"
    assert state.coalitions[0].breach == "excused"
    assert state.tallies[0].breaches == 0
    assert state.reputations[0] == 0.65
    broken = [event for event in events if isinstance(event, PromiseBroken)]
    assert [(one.lab, one.excused) for one in broken] == [("lab_0", True)]


def test_an_energy_spike_makes_live_blocks_dearer() -> None:
    blocks = [a_block(0), a_block(1, duration=1), a_block(2, 1, energy=Cents(210))]
    state = struck("energy_spike", blocks=blocks)
    assert [block.energy for block in state.blocks] == [250, 200, 263]


def test_degradation_stops_at_a_half() -> None:
    blocks = [a_block(0), a_block(1, reliability=0.55), a_block(2, 1)]
    state = struck("reliability_degradation", blocks=blocks)
    assert [block.reliability for block in state.blocks] == [0.83, 0.5, 0.83]


def test_a_demand_surge_brings_each_lab_a_job_of_its_own() -> None:
    surge = [a_job(0, 1, partial=True), a_job(1, 1, partial=True)]
    scenario = a_world(shocks=[Shock(1, "demand_surge", 0.0)], surge=surge)
    state = do(begun(scenario), WAIT)
    state, events = apply(state, 1, WAIT)
    assert [job.id for job in observe(state, 0).jobs] == ["job_0_0", "job_0_1"]
    private = [event for event in events if isinstance(event, JobsChanged)]
    assert [event.lab for event in private] == ["lab_0", "lab_1"]
    (public,) = [event for event in events if isinstance(event, ShockStruck)]
    assert public.blocks == ()


def test_deadlines_are_moved_up_but_not_into_the_past() -> None:
    jobs = [[a_job(deadline=4), a_job(0, 1, deadline=2)], [a_job(1, deadline=3)]]
    state = struck("deadline_acceleration", jobs=jobs)
    assert [job.deadline for job in state.jobs[0]] == [3, 2]
    assert [job.deadline for job in state.jobs[1]] == [2]


def test_sudden_supply_goes_to_the_lab_with_least() -> None:
    blocks = [a_block(0, duration=3), a_block(1, 1)]
    spare = [a_block(2, start=1)]
    state = struck("sudden_supply", blocks=blocks, spare=spare)
    assert state.blocks[2].owner == "lab_1"
    assert observe(state, 0).shocks[0].blocks == (state.blocks[2],)


def auction(*bids: int) -> State:
    """Two labs bid in round 1 for what the house sells."""
    spare = [a_block(4, start=2)]
    scenario = a_world(shocks=[Shock(1, "emergency_auction", 0.0)], spare=spare)
    state = waiting_until(begun(scenario), 1)
    assert state.blocks[4].owner == HOUSE
    for bid in bids:
        state = do(
            state,
            MarketAction(
                "send_offer",
                target_lab_id=HOUSE,
                requested_block_ids=("block_4",),
                payment=Cents(bid),
            ),
        )
    return waiting_until(state, 2)


def test_an_auction_sells_to_the_highest_bid_at_the_second_price() -> None:
    state = auction(2000, 3500)
    assert state.blocks[4].owner == "lab_1"
    assert state.budgets == (10_000, 8000)
    assert state.house == 2000
    assert observe(state, 0).contracts[0].payment is None


def test_a_single_bid_pays_the_least_price_and_a_low_one_gets_nothing() -> None:
    assert auction(2000).budgets == (9500, 10_000)
    state = auction(499)
    assert state.blocks[4].owner == HOUSE
    assert state.budgets == (10_000, 10_000)
    assert state.offers[0].status == "rejected"


def test_scripted_labs_bid_too() -> None:
    state, _ = start(
        a_world(shocks=[Shock(1, "emergency_auction", 0.0)], spare=[a_block(4, start=2)])
    )
    while state.round < 2:
        state, _ = advance(state)
    assert state.blocks[4].owner != HOUSE
    assert state.house > 0


def test_every_task_has_its_schedule() -> None:
    def kinds(task: str, seed: int, *options: ShockKind) -> list[tuple[int, str]]:
        sealed = make_market(task, seed, options=options).sealed
        return [(shock.round, shock.kind) for shock in sealed.shocks]

    assert kinds("single_trade", 1) == []
    assert kinds("market_round", 1) == [(3, "capacity_failure")]
    hard = [(3, "capacity_failure"), (6, "energy_spike")]
    assert kinds("coalition_market", 4) == [*hard, (8, "reliability_degradation")]
    assert kinds("coalition_market", 5) == [*hard, (8, "demand_surge")]
    options = tuple(kind for _, kind in task_of("coalition_market").options)
    every = kinds("coalition_market", 4, *options) + kinds("coalition_market", 5)
    assert {kind for _, kind in every} == set(SHOCK_KINDS)
    with pytest.raises(ValueError, match="offers the options"):
        make_market("market_round", 1, options=["sudden_supply"])


def test_an_option_leaves_the_rest_of_the_world_as_it_was() -> None:
    plain = make_market("coalition_market", 5)
    more = make_market("coalition_market", 5, options=["sudden_supply", "emergency_auction"])
    assert more.blocks == plain.blocks
    assert more.sealed.jobs == plain.sealed.jobs
    assert set(plain.sealed.shocks) < set(more.sealed.shocks)


def test_the_twin_without_shocks_differs_in_nothing_else() -> None:
    scenario = make_market("coalition_market", 5)
    twin = without_shocks(scenario)
    assert twin.blocks == scenario.blocks
    assert start(twin)[0].luck == start(scenario)[0].luck
    assert not waiting_until(begun(twin), 9).shocks
