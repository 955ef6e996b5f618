"""The field's own checkers, run on every environment: what ``python -m bazaarbatna check`` does."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from bazaarbatna.envs.auction import parallel
from bazaarbatna.envs.market import labs
from bazaarbatna.gym import BAZAAR, CASE, MARKET


def _single(name: str, **told: Any) -> None:
    check_env(gymnasium.make(name, **told).unwrapped)


def _several(made: ModuleType) -> None:
    parallel_api_test(made.parallel_env())
    parallel_seed_test(made.parallel_env)
    api_test(made.env())
    seed_test(made.env)


CHECKS: dict[str, Callable[[], None]] = {
    f"{BAZAAR} (Gymnasium)": lambda: _single(BAZAAR, suite="people"),
    f"{MARKET} (Gymnasium)": lambda: _single(MARKET),
    f"{CASE} (Gymnasium)": lambda: _single(CASE, case="drawn"),
    "the sealed-bid auction (PettingZoo)": lambda: _several(parallel),
    "the labs of the GPU market (PettingZoo)": lambda: _several(labs),
}
"""A name for a reader, and what raises where the environment breaks a rule."""
