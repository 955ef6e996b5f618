"""Worlds have the ranges of the tables, and the same seed gives the same world."""

from collections import Counter

import pytest

from bazaarbatna.market import TASK_NAMES, TASKS, UnknownTask, make_market, task_of

SEEDS = 400


@pytest.mark.parametrize("task", TASK_NAMES)
def test_every_number_is_in_its_range(task: str) -> None:
    row = task_of(task)
    sizes: Counter[int] = Counter()
    for seed in range(SEEDS):
        scenario = make_market(task, seed)
        count = len(scenario.labs)
        sizes[count] += 1
        assert scenario.labs[0].reputation == 0.65
        assert all(0.35 <= lab.reputation <= 0.85 for lab in scenario.labs)
        assert all(7000 <= budget <= 13_000 for budget in scenario.sealed.budgets)
        assert len(scenario.blocks) == count * row.blocks
        for block in scenario.blocks:
            assert 0 <= block.start <= row.rounds - 2
            assert block.duration in (1, 2, 3)
            assert block.gpus in (1, 2, 4)
            assert 0.72 <= block.reliability <= 0.99
            assert 150 <= block.energy <= 600
            assert block.hours == block.gpus * block.duration
        for jobs in scenario.sealed.jobs:
            assert len(jobs) == row.jobs
            for job in jobs:
                assert job.hours in (2, 3, 4, 6, 8)
                assert 2 <= job.deadline <= row.rounds
                assert 3000 <= job.base_value <= 9500
                assert 1.0 <= job.urgency <= 1.8
                assert 0.70 <= job.min_reliability <= 0.90
    assert set(sizes) == set(range(row.labs[0], row.labs[1] + 1))


def test_a_third_of_the_jobs_grants_partial_credit() -> None:
    jobs = [
        job
        for seed in range(SEEDS)
        for row in make_market("coalition_market", seed).sealed.jobs
        for job in row
    ]
    assert sum(job.partial for job in jobs) / len(jobs) == pytest.approx(0.35, abs=0.03)


def test_a_surge_brings_small_urgent_jobs() -> None:
    for seed in range(1, 60, 2):
        sealed = make_market("coalition_market", seed).sealed
        assert len(sealed.surge) == len(sealed.budgets)
        for job in sealed.surge:
            assert job.hours in (2, 3, 4)
            assert job.deadline == 10
            assert 4500 <= job.base_value <= 8500
            assert 1.3 <= job.urgency <= 1.9
            assert job.partial


@pytest.mark.parametrize("task", ["market_round", "coalition_market"])
def test_every_other_lab_opens_with_a_swap(task: str) -> None:
    for seed in range(50):
        scenario = make_market(task, seed)
        assert [offer.sender for offer in scenario.offers] == [lab.id for lab in scenario.labs[1:]]
        owners = {block.id: block.owner for block in scenario.blocks}
        for offer in scenario.offers:
            assert [owners[name] for name in offer.offered] == [offer.sender]
            assert [owners[name] for name in offer.requested] == ["lab_0"]
            assert 200 <= offer.payment <= 800
            assert offer.expires == 2


def test_the_same_seed_gives_the_same_world_whatever_the_reward() -> None:
    for task in TASK_NAMES:
        assert make_market(task, 9) == make_market(task, 9)
        assert make_market(task, 9) != make_market(task, 10)
        published = make_market(task, 9, reward="published")
        assert published.sealed == make_market(task, 9).sealed
    assert make_market("single_trade", 9).sealed.seed != make_market("market_round", 9).sealed.seed


def test_the_table_is_the_one_of_the_rules() -> None:
    assert [(t.labs, t.rounds, t.blocks, t.jobs, t.coalitions) for t in TASKS] == [
        ((2, 2), 3, 2, 1, False),
        ((3, 3), 5, 3, 2, True),
        ((4, 5), 9, 4, 3, True),
    ]


def test_wrong_arguments_say_what_would_be_right() -> None:
    with pytest.raises(UnknownTask, match="market_round"):
        make_market("stock_market", 1)
    with pytest.raises(ValueError, match="seed"):
        make_market("market_round", -1)
