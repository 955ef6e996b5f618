"""Sellers of the population at many tables play what they play at one, to the byte."""

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

from bazaarbatna.bargain.people.held_out import plug_in
from bazaarbatna.bargain.people.suites import people_suite_ids
from bazaarbatna.envs.bargain.gymnasium_env import BazaarEnv
from bazaarbatna.envs.bargain.vector_env import BazaarVectorEnv

plug_in()

TABLES = 104
STEPS = 24
SUITES = (*people_suite_ids(), "people@1-rounds-4", "paths-fit@1-rounds-20")


def haggle(rng: np.random.Generator, seen: Any) -> Any:
    """Bid anything: a little more than before, the same again, less, nonsense; rarely end it."""
    last = seen["prices"][:, 2].astype(float)
    rise = rng.choice([0.0, 0.0, 0.002, 0.03, 0.1, -0.05], TABLES)
    fresh = rng.uniform(0.15, 0.7, TABLES)
    prices = np.where(last == 0, fresh, last + rise * rng.random(TABLES))
    prices = np.where(rng.random(TABLES) < 0.03, rng.choice([np.nan, 1.3, -0.2, np.inf]), prices)
    kinds = rng.choice([0, 1, 2], TABLES, p=[0.96, 0.025, 0.015])
    return {"move": kinds, "price": prices[:, None]}


def assert_same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert sorted(ours) == sorted(theirs)
    for key in ours:
        assert ours[key].dtype == theirs[key].dtype, key
        assert ours[key].tobytes() == theirs[key].tobytes(), key


@pytest.mark.parametrize("suite_id", SUITES)
def test_tables_of_people_play_what_single_environments_play(suite_id: str) -> None:
    """104 seeds, and the games that follow them, by random moves."""
    rng = np.random.default_rng(11)
    ours = BazaarVectorEnv(TABLES, suite_id)
    theirs = SyncVectorEnv([lambda: BazaarEnv(suite_id, words=False)] * TABLES)
    (seen, told), (wanted, said) = ours.reset(seed=40), theirs.reset(seed=40)
    ends: list[str] = []
    for _ in range(STEPS):
        assert_same(seen, wanted)
        assert seen in ours.observation_space
        assert (told["action_mask"]["move"] == said["action_mask"]["move"]).all()
        action = haggle(rng, seen)
        seen, paid, over, _, told = ours.step(action)
        wanted, owed, gone, _, said = theirs.step(action)
        assert paid.tobytes() == owed.tobytes()
        assert over.tobytes() == gone.tobytes()
        for name in ("outcome", "price", "buyer_share"):
            flags = said.get(f"_{name}", np.zeros(TABLES, bool))
            assert (told.get(f"_{name}", np.zeros(TABLES, bool)) == flags).all()
            if flags.any():
                np.testing.assert_array_equal(told[name][flags], said[name][flags])
        if over.any():
            ends += told["outcome"][over].tolist()
    assert {"deal", "walk"} <= set(ends)


@pytest.mark.parametrize(
    ("suite", "seller"), [("people", "turncoat"), ("paths", "paths-88-4"), ("people", "paths-fit")]
)
def test_a_family_in_place_of_the_suites_own_plays_alike_too(suite: str, seller: str) -> None:
    """On a grid of bids, with seeds as large as may be."""
    ours = BazaarVectorEnv(8, suite, seller=seller, grid=12)
    theirs = SyncVectorEnv([lambda: BazaarEnv(suite, seller=seller, grid=12, words=False)] * 8)
    seeds = [3, 1, 4, 1, 5, 9, 2, 2**63 - 1]
    seen, wanted = (envs.reset(seed=seeds)[0] for envs in (ours, theirs))
    for bid in (2, 3, 4, 4, 4, 5, 6, 7, 8, 9):
        assert_same(seen, wanted)
        (seen, paid, *_), (wanted, owed, *_) = (
            envs.step(np.full(8, bid)) for envs in (ours, theirs)
        )
        assert paid.tobytes() == owed.tobytes()


def test_a_table_with_pinned_sellers_may_become_one_with_people() -> None:
    envs = BazaarVectorEnv(3, "single_deal")
    envs.reset(seed=1)
    seen, _ = envs.reset(seed=1, options={"suite": "people", "seller": "halver"})
    alone, _ = BazaarEnv("people", seller="halver").reset(seed=1)
    assert seen["prices"][0].tobytes() == alone["prices"].tobytes()
