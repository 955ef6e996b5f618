"""Every action that the page shows is one the engine takes."""

import json

import pytest

from arena.gpu_market.board.action_words import EXAMPLES, SEED, TASK, Example
from bazaarbatna.market import (
    ACTION_NAMES,
    MarketAction,
    consider,
    make_market,
    read_action,
    step,
)
from bazaarbatna.market import start as begin


def test_there_is_one_example_of_every_action_in_order() -> None:
    assert tuple(example.name for example in EXAMPLES) == ACTION_NAMES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_the_engine_takes_the_example(example: Example) -> None:
    state, _ = begin(make_market(TASK, SEED))
    for told in example.before:
        action = read_action(told)
        assert consider(state, 0, action).ok, told
        state, _ = step(state, 0, action)
    action = read_action(json.loads(example.json))
    assert isinstance(action, MarketAction)
    result = consider(state, 0, action)
    assert result.ok, result.message
