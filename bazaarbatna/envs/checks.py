"""The field's own checkers, run on every environment: what ``python -m bazaarbatna check`` does."""

from collections.abc import Callable

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from bazaarbatna.envs.auction import parallel
from bazaarbatna.envs.market import labs
from bazaarbatna.gym import BAZAAR, CASE, MARKET


def _bazaar() -> None:
    check_env(gymnasium.make(BAZAAR, suite="people").unwrapped)


def _market() -> None:
    check_env(gymnasium.make(MARKET).unwrapped)


def _case() -> None:
    check_env(gymnasium.make(CASE, case="drawn").unwrapped)


def _auction() -> None:
    parallel_api_test(parallel.parallel_env())
    parallel_seed_test(parallel.parallel_env)
    api_test(parallel.env())
    seed_test(parallel.env)


def _labs() -> None:
    parallel_api_test(labs.parallel_env())
    parallel_seed_test(labs.parallel_env)
    api_test(labs.env())
    seed_test(labs.env)


CHECKS: dict[str, Callable[[], None]] = {
    f"{BAZAAR} (Gymnasium)": _bazaar,
    f"{MARKET} (Gymnasium)": _market,
    f"{CASE} (Gymnasium)": _case,
    "the sealed-bid auction (PettingZoo)": _auction,
    "the labs of the GPU market (PettingZoo)": _labs,
}
"""A name for a reader, and what raises where the environment breaks a rule."""
