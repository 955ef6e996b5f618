"""The solver: exact in the engine's own arithmetic, and never below what anybody reaches."""

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations
from threading import Thread

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bazaarbatna.market import (
    TASK_NAMES,
    WAIT,
    MarketAction,
    apply,
    make_market,
    play_market,
    start,
    value_of_all_jobs,
    without_shocks,
)
from bazaarbatna.market.blocks import Block, Job, hours_left, yield_of
from bazaarbatna.market.planner import (
    Plan,
    TooLong,
    alone,
    best_plan,
    best_value,
    ceiling,
    group_value,
    in_hindsight,
    lasting,
    normaliser_of,
    one_lab,
    owned_by,
    play_scored,
    rational_gain,
)
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES, make_policy
from bazaarbatna.market.quantities import LAB_IDS, Cents
from bazaarbatna.market.scenario import Shock
from tests.support.gpu_market import a_block, a_job, a_world, begun, do

LEARNER = frozenset(("lab_0",))


def by_hand(
    jobs: Sequence[Job], blocks: Sequence[Block], round_: int, rounds: int, *, windows: bool
) -> int:
    """Try everything: in every round nothing, or any job on any set of blocks."""
    if round_ == rounds:
        return 0
    best = by_hand(jobs, blocks, round_ + 1, rounds, windows=windows)
    for job in jobs:
        fit = [
            block
            for block in blocks
            if block.reliability >= job.min_reliability
            and hours_left(block, round_, windows=windows)
        ]
        for size in range(1, len(fit) + 1):
            for chosen in combinations(fit, size):
                earned = yield_of(job, chosen, round_, windows=windows)
                if earned.hours >= job.hours or job.partial:
                    rest = by_hand(
                        [one for one in jobs if one is not job],
                        [one for one in blocks if one not in chosen],
                        round_ + 1,
                        rounds,
                        windows=windows,
                    )
                    best = max(best, earned.net + rest)
    return best


def some_block(number: int) -> st.SearchStrategy[Block]:
    return st.builds(
        a_block,
        st.just(number),
        start=st.integers(0, 2),
        duration=st.integers(1, 3),
        gpus=st.sampled_from((1, 2, 4)),
        reliability=st.sampled_from((0.75, 0.95)),
        energy=st.integers(0, 900).map(Cents),
    )


def some_job(number: int) -> st.SearchStrategy[Job]:
    return st.builds(
        a_job,
        number=st.just(number),
        hours=st.sampled_from((2, 3, 4, 6, 8)),
        deadline=st.integers(2, 4),
        base_value=st.integers(1000, 9500).map(Cents),
        urgency=st.integers(100, 180).map(lambda percent: percent / 100),
        partial=st.booleans(),
    )


@settings(max_examples=60, deadline=None)
@given(
    jobs=st.tuples(some_job(0), some_job(1)),
    blocks=st.integers(1, 4).flatmap(lambda n: st.tuples(*map(some_block, range(n)))),
    windows=st.booleans(),
)
def test_the_best_plan_is_the_best_of_all_that_can_be_tried(
    jobs: tuple[Job, Job], blocks: tuple[Block, ...], windows: bool
) -> None:
    plan = best_plan(lasting(jobs, blocks, 0, 3, windows=windows))
    assert plan.value == by_hand(jobs, blocks, 0, 3, windows=windows)


@settings(max_examples=80, deadline=None)
@given(
    jobs=st.integers(1, 4).flatmap(lambda n: st.tuples(*map(some_job, range(n)))),
    blocks=st.integers(1, 8).flatmap(lambda n: st.tuples(*map(some_block, range(n)))),
    rounds=st.integers(1, 5),
    windows=st.booleans(),
)
def test_the_search_for_one_lab_finds_what_the_solver_finds(
    jobs: tuple[Job, ...], blocks: tuple[Block, ...], rounds: int, windows: bool
) -> None:
    """Few blocks and rounds for many jobs, so that they are in each other's way.

    Where they are too much so it finds nothing; it never finds anything else.
    """
    outlook = lasting(jobs, blocks, 0, rounds, windows=windows)
    assert best_value(outlook) in (best_plan(outlook).value, None)


def test_a_plan_keeps_the_block_that_is_in_time_beside_a_free_one_that_is_late() -> None:
    """The solver takes what is free: it has no reason to leave it."""
    timely = a_block(0, start=0, duration=1, gpus=4, energy=Cents(600))
    late = a_block(1, start=0, duration=3, gpus=2, energy=Cents(0))
    for blocks in ([timely, late], [late, timely]):
        outlook = lasting([a_job(hours=2, deadline=2, partial=True)], blocks, 0, 1)
        plan = best_plan(outlook)
        assert plan.value == best_value(outlook) == 6000 - 4 * 600
        assert [block.id for run in plan.runs for block in run.blocks] == ["block_0"]


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_ceiling_is_the_solvers_value_to_the_hundredth(task: str) -> None:
    """With every shock that there is, for every lab; worlds from 51,000."""
    asked = 0
    for seed in range(51_000, 51_016):
        options = ("sudden_supply", "deadline_acceleration", "emergency_auction")
        extra = options if task == "coalition_market" and seed % 2 else ()
        scenario = make_market(task, seed, options=extra)  # type: ignore[arg-type]
        for lab in range(len(scenario.labs)):
            outlook = in_hindsight(scenario, (lab,))
            assert ceiling(scenario, lab) == best_plan(outlook).value == best_value(outlook)
            asked += 1
    assert asked >= 32


def test_where_the_search_gives_up_the_solver_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = make_market("coalition_market", 51_020)
    found = ceiling(scenario, 0)
    monkeypatch.setattr(one_lab, "MOST_TRIED", 0)
    assert best_value(in_hindsight(scenario, (0,))) is None
    ceiling.cache_clear()
    assert ceiling(scenario, 0) == found > 0


def replayed(plan: Plan, task: str, seed: int) -> int:
    """What lab 0 earns by doing what a plan says, while nobody else does anything."""
    state = begun(without_shocks(make_market(task, seed)))
    runs = {run.round: run for run in plan.runs}
    while state.ended is None:
        action = WAIT
        if state.turn == 0 and state.round in runs:
            run = runs[state.round]
            names = tuple(block.id for block in run.blocks)
            action = MarketAction("allocate_to_job", job_id=run.job.id, block_ids=names)
        state, _ = apply(state, state.turn, action)
    assert state.tallies[0].refused == 0
    return state.tallies[0].utility


@pytest.mark.parametrize("task", TASK_NAMES)
def test_a_plan_that_is_replayed_earns_exactly_its_value(task: str) -> None:
    earned = 0
    for seed in range(25):
        world = without_shocks(make_market(task, seed))
        plan = best_plan(owned_by(in_hindsight(world, (0,)), LEARNER))
        assert replayed(plan, task, seed) == plan.value == alone(world, 0)
        earned += plan.value > 0
    assert earned > 12


@pytest.mark.parametrize("task", TASK_NAMES)
def test_nobody_reaches_more_with_its_jobs_than_the_ceiling(task: str) -> None:
    """On 210 worlds in all, whoever plays the first lab, and for every lab that is scripted."""
    near = 0.0
    for seed in range(50_000, 50_070):
        scenario = make_market(task, seed)
        names = [*POLICIES, *EXPLOITS]
        last, _ = play_market(scenario, {0: make_policy(names[seed % len(names)], seed)})
        expert, _ = play_market(scenario, {0: make_policy("rule_expert", seed)})
        for lab, state in ((0, last), (0, expert), (1 + seed % (len(scenario.labs) - 1), last)):
            worth = state.tallies[lab].value - state.tallies[lab].energy
            assert worth <= ceiling(scenario, lab), (seed, lab)
            near = max(near, worth / max(ceiling(scenario, lab), 1))
        assert ceiling(scenario, 0) <= value_of_all_jobs(scenario, 0)
    # A bound that nobody comes near would pass as well.
    assert near > 0.9


def test_a_lab_alone_reaches_neither_the_ceiling_nor_what_a_rational_market_leaves() -> None:
    below = 0
    for seed in range(8):
        scenario = make_market("market_round", seed)
        assert alone(scenario, 0) <= rational_gain(scenario, 0)
        assert alone(scenario, 0) <= ceiling(scenario, 0)
        below += alone(scenario, 0) < ceiling(scenario, 0)
    assert below > 3


def test_a_plan_waits_for_hours_that_it_need_not_pay() -> None:
    long = a_block(0, duration=3, gpus=2, energy=Cents(500))
    plan = best_plan(lasting([a_job(hours=2)], [long], 0, 6))
    assert [(run.round, run.net) for run in plan.runs] == [(2, 6000 - 2 * 500)]


def test_one_turn_runs_one_job() -> None:
    jobs = [a_job(number=0), a_job(number=1)]
    blocks = [a_block(0), a_block(1)]
    assert len(best_plan(lasting(jobs, blocks, 0, 6)).runs) == 1
    early = [a_block(0, start=1), a_block(1, start=1)]
    assert len(best_plan(lasting(jobs, early, 0, 6)).runs) == 2


def test_a_plan_leaves_alone_what_is_done_what_has_run_out_and_what_does_not_pay() -> None:
    assert best_plan(lasting([a_job(done=True)], [a_block(0)], 0, 6)) == Plan()
    assert best_plan(lasting([a_job()], [a_block(0)], 2, 6)) == Plan()
    assert best_plan(lasting([a_job()], [a_block(0, energy=Cents(1500))], 0, 6)) == Plan()
    assert best_plan(lasting([a_job()], [a_block(0, reliability=0.7)], 0, 6)) == Plan()


def test_hindsight_knows_every_shock_but_whom_a_failure_hits() -> None:
    blocks = [a_block(0, start=3, energy=Cents(400)), a_block(1, 1, start=3)]
    jobs = [[a_job(lab, deadline=5)] for lab in range(2)]
    late = [a_job(lab, 1, deadline=5) for lab in range(2)]
    spike = Shock(2, "energy_spike", 0.0)
    surge = Shock(3, "demand_surge", 0.0)
    worlds = {
        "calm": a_world(blocks, jobs),
        "spike": a_world(blocks, jobs, shocks=[spike]),
        "surge": a_world(blocks, jobs, shocks=[surge], surge=late),
        "failure": a_world(blocks, jobs, shocks=[Shock(1, "capacity_failure", 0.0)]),
    }
    # One job needs four hours: before the spike it pays for them what they cost before.
    assert alone(worlds["calm"], 0) == alone(worlds["spike"], 0) == 6000 - 4 * 400
    assert ceiling(worlds["failure"], 0) == ceiling(worlds["calm"], 0) == 6000 - 4 * 200
    assert ceiling(worlds["surge"], 0) == 12_000 - 4 * 200 - 4 * 400
    assert alone(worlds["surge"], 0) == 6000 - 4 * 400


def test_all_labs_together_make_most_of_all_blocks() -> None:
    # Each has one block that is worth more to the other.
    blocks = [a_block(0, 0, reliability=0.75), a_block(1, 1, reliability=0.95)]
    jobs = [[a_job(0, min_reliability=0.9)], [a_job(1, min_reliability=0.7)]]
    world = a_world(blocks, jobs)
    both = best_plan(in_hindsight(world, (0, 1)))
    assert (both.value, both.of(0), both.of(1)) == (10_400, 5200, 5200)
    assert alone(world, 0) == 0
    assert rational_gain(world, 0) == 5200


def test_the_default_mix_is_measured_by_the_ceiling() -> None:
    scenario = make_market("market_round", 11)
    played = play_scored(scenario, make_policy("no_negotiation_allocator", 0))
    assert played.total == pytest.approx(played.state.tallies[0].utility / ceiling(scenario, 0))
    published = msgspec.structs.replace(scenario, reward="published")
    assert normaliser_of(published) is value_of_all_jobs
    assert normaliser_of(scenario) is ceiling


def test_a_world_without_anything_to_gain_is_worth_nothing() -> None:
    assert ceiling(a_world(jobs=[[], []]), 0) == 0
    assert do(begun(a_world(jobs=[[], []])), WAIT).tallies[0].utility == 0


def test_the_solver_needs_no_django_and_the_engine_needs_no_solver() -> None:
    def loaded(module: str, *names: str) -> list[bool]:
        code = f"import sys, {module}; print([name in sys.modules for name in {names}])"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        return [word == "True" for word in done.stdout.strip(" []\n").split(", ")]

    assert loaded("bazaarbatna.market.planner", "django", "highspy") == [False, True]
    assert loaded("bazaarbatna.market", "django", "highspy") == [False, False]
    assert len(LAB_IDS) == 5


@pytest.mark.parametrize("seed", range(6))
def test_a_group_makes_what_everything_tried_makes(seed: int) -> None:
    scenario = make_market("single_trade", seed)
    state, _ = apply(start(scenario)[0], 0, WAIT)
    # lab_0 has had its turn in this round: it has one round less than lab_1.
    (own,), (other,) = state.jobs
    mine, theirs = ([b for b in state.blocks if b.owner == lab] for lab in ("lab_0", "lab_1"))
    rounds = scenario.rounds
    alone = [
        by_hand([own], mine, 1, rounds, windows=True),
        by_hand([other], theirs, 0, rounds, windows=True),
    ]
    assert [group_value(state, [lab]) for lab in ("lab_0", "lab_1")] == alone
    both = max(
        by_hand([own], part, 1, rounds, windows=True)
        + by_hand([other], [b for b in state.blocks if b not in part], 0, rounds, windows=True)
        for size in range(len(state.blocks) + 1)
        for part in combinations(state.blocks, size)
    )
    assert group_value(state, ["lab_1", "lab_0"]) == both >= sum(alone)


def test_a_solver_without_time_says_so() -> None:
    state, _ = start(make_market("coalition_market", 50_002))
    with pytest.raises(TooLong, match="not proved"):
        group_value(state, LAB_IDS[:4], 0.001)


def test_other_threads_go_on_while_the_solver_works() -> None:
    state, _ = start(make_market("coalition_market", 50_002))
    solver = Thread(target=group_value, args=(state, LAB_IDS[:4]))
    solver.start()
    beats = 0
    while solver.is_alive():
        beats += 1
        solver.join(0.01)
    assert beats > 10
