"""Columns accrue as the engine scores them."""

import pytest

from arena.gpu_market.board.result import accrued, reward_path
from arena.gpu_market.board.titles import TITLES
from arena.gpu_market.twins import Step, all_steps_of
from bazaarbatna.market import (
    COLUMNS,
    make_market,
)
from bazaarbatna.market.events import TurnTaken
from bazaarbatna.market.planner import play_scored
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.rewards import Reward


def rewards(steps: tuple[Step, ...]) -> tuple[Reward, ...]:
    return tuple(step.reward for step in steps)


@pytest.mark.parametrize("task", ["single_trade", "market_round", "coalition_market"])
@pytest.mark.parametrize("who", ["rule_expert", "coalition_spammer", "random_valid"])
def test_the_steps_of_a_log_are_those_of_the_episode(task: str, who: str) -> None:
    scenario = make_market(task, 23)
    scored = play_scored(scenario, make_policy(who, 23))
    assert rewards(all_steps_of(scenario, scored.events)[0]) == scored.rewards


def test_a_step_counts_once_its_lab_is_to_act_again() -> None:
    scenario = make_market("market_round", 5)
    scored = play_scored(scenario, make_policy("rule_expert", 5))
    own = [
        at
        for at, event in enumerate(scored.events)
        if isinstance(event, TurnTaken) and event.lab == "lab_0"
    ]
    for number, at in enumerate(own):
        before_the_turn = rewards(all_steps_of(scenario, scored.events[:at])[0])
        assert before_the_turn == scored.rewards[:number]
        after_it = rewards(all_steps_of(scenario, scored.events[: at + 1])[0])
        assert after_it == scored.rewards[:number]


def test_sums_and_path_end_in_the_return() -> None:
    scenario = make_market("coalition_market", 15)
    scored = play_scored(scenario, make_policy("rule_expert", 15))
    row = accrued("lab_0", all_steps_of(scenario, scored.events)[0])
    assert row.total == pytest.approx(scored.total)
    assert dict(row.sums)["normalized_reward"] == pytest.approx(scored.total)
    assert f"{scored.total:+.3f}" in reward_path([row], {"lab_0": "Aravalli Lab"}, 9)


def test_no_turn_no_reward() -> None:
    row = accrued("lab_0", ())
    assert row.total == 0
    assert {value for _, value in row.sums} == {0.0}


def test_every_column_has_its_words() -> None:
    assert tuple(TITLES.columns) == COLUMNS
