"""The quick plans agree with the rule that pays for jobs."""

from itertools import combinations

import pytest

from bazaarbatna.market import make_market
from bazaarbatna.market.blocks import hours_left, yield_of
from bazaarbatna.market.planning import (
    MOST_BLOCKS,
    best_fill,
    cheapest_cover,
    plan,
    plan_value,
)
from bazaarbatna.market.quantities import Cents
from tests.support.gpu_market import a_block, a_job


@pytest.mark.parametrize("windows", [True, False])
def test_the_best_fill_is_the_best_of_all(windows: bool) -> None:
    found = 0
    for seed in range(60):
        scenario = make_market("coalition_market", seed)
        blocks = scenario.blocks[:6]
        for job in scenario.sealed.jobs[0]:
            for round_ in (0, 3, 6):
                nets = [0]
                for size in range(1, MOST_BLOCKS + 1):
                    for chosen in combinations(blocks, size):
                        earned = yield_of(job, chosen, round_, windows=windows)
                        whole = earned.completion == 1.0 or job.partial
                        fit = all(
                            block.reliability >= job.min_reliability
                            and hours_left(block, round_, windows=windows)
                            for block in chosen
                        )
                        if whole and fit:
                            nets.append(earned.net)
                fill = best_fill(job, blocks, round_, windows=windows)
                assert (fill.net if fill else 0) == max(nets)
                if fill:
                    assert yield_of(job, fill.blocks, round_, windows=windows).net == fill.net
                    found += 1
    assert found > 100


def test_a_plan_uses_no_block_twice_and_runs_no_job_that_is_done() -> None:
    for seed in range(100):
        scenario = make_market("coalition_market", seed)
        fills = plan(scenario.sealed.jobs[0], scenario.blocks[:8], 0)
        used = [block.id for fill in fills for block in fill.blocks]
        assert len(used) == len(set(used))
        assert len({fill.job.id for fill in fills}) == len(fills)
        assert plan_value(fills) == sum(fill.net for fill in fills)
    assert plan([a_job(done=True)], [a_block(0)], 0) == ()


def test_a_cover_is_whole_in_time_and_the_cheapest() -> None:
    dear, cheap = a_block(0, energy=Cents(500)), a_block(1, energy=Cents(300))
    small = [a_block(2, gpus=1), a_block(3, gpus=1)]
    late, shaky = a_block(4, start=3, energy=Cents(150)), a_block(5, reliability=0.7)
    job = a_job()
    assert cheapest_cover(job, [dear, cheap, late, shaky], 0, windows=True) == (cheap,)
    assert cheapest_cover(job, small, 0, windows=True) == tuple(small)
    assert cheapest_cover(job, [late, shaky], 0, windows=True) is None
    worthless = a_job(base_value=Cents(700))
    assert cheapest_cover(worthless, [dear, cheap], 0, windows=True) is None
