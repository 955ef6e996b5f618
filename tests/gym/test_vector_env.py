"""Many tables at once play what as many single environments play."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

from bazaarbatna.bargain import suite_ids
from bazaarbatna.envs.bargain.gymnasium_env import BazaarEnv
from bazaarbatna.envs.bargain.vector_env import BazaarVectorEnv

TABLES = 6


def side_by_side(suite_id: str, grid: int | None, **more: Any) -> tuple[Any, Any]:
    ours = BazaarVectorEnv(TABLES, suite_id, grid=grid, **more)

    def one() -> BazaarEnv:
        return BazaarEnv(suite_id, grid=grid, words=False, **more)

    return ours, SyncVectorEnv([one] * TABLES)


def haggle(rng: np.random.Generator, grid: int | None, bids: np.ndarray) -> Any:
    """Bid a little more each time, sometimes nonsense, now and then accept or walk."""
    kinds = rng.choice([0, 1, 2], TABLES, p=[0.88, 0.09, 0.03])
    prices = np.where(rng.random(TABLES) < 0.1, rng.choice([np.nan, 1.2, -0.1, 0.0]), bids)
    if grid is None:
        return {"move": kinds, "price": prices[:, None]}
    laid_out = np.minimum((bids * grid).astype(int), grid - 1)
    return np.where(kinds == 0, laid_out, grid + kinds - 1)


def assert_same(ours: Any, theirs: Any) -> None:
    assert sorted(ours) == sorted(theirs)
    for key in ours:
        assert ours[key].dtype == theirs[key].dtype
        np.testing.assert_array_equal(ours[key], theirs[key], err_msg=key)


@pytest.mark.parametrize("grid", [None, 12])
@pytest.mark.parametrize("suite_id", suite_ids())
def test_tables_play_what_single_environments_play(suite_id: str, grid: int | None) -> None:
    rng = np.random.default_rng(7)
    ours, theirs = side_by_side(suite_id, grid)
    (seen, told), (wanted, said) = ours.reset(seed=40), theirs.reset(seed=40)
    bids, ends = np.full(TABLES, 0.3), 0
    for _ in range(70):
        assert_same(seen, wanted)
        assert seen in ours.observation_space
        may, might = told["action_mask"], said["action_mask"]
        if grid is None:
            may, might = may["move"], might["move"]
        np.testing.assert_array_equal(may, might)
        np.testing.assert_array_equal(told["bargain"], said["bargain"])
        action = haggle(rng, grid, bids)
        seen, paid, over, truncated, told = ours.step(action)
        wanted, owed, gone, cut, said = theirs.step(action)
        np.testing.assert_array_equal(paid, owed)
        np.testing.assert_array_equal(over, gone)
        assert not truncated.any()
        assert not cut.any()
        for name in ("outcome", "price", "buyer_share"):
            flags = said.get(f"_{name}", np.zeros(TABLES, bool))
            np.testing.assert_array_equal(told.get(f"_{name}", np.zeros(TABLES, bool)), flags)
            if flags.any():
                np.testing.assert_array_equal(told[name][flags], said[name][flags])
        ends += int(over.sum())
        bids = np.where(seen["clock"][:, 0] < 0.2, 0.3, np.minimum(bids + 0.06, 1.0))
    assert ends > 0


def test_another_seller_and_another_suite_play_alike_too() -> None:
    ours, theirs = side_by_side("career_10", None, seller="impatient", variant="fixed")
    options = {"suite": "read_the_tells", "seller": "collaborative"}
    for chosen in (None, options):
        (seen, _), (wanted, _) = (
            ours.reset(seed=[1, 2, 3, 2**31, 5, 6], options=chosen),
            theirs.reset(seed=[1, 2, 3, 2**31, 5, 6], options=chosen),
        )
        for share in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
            assert_same(seen, wanted)
            action = {"move": np.zeros(TABLES, int), "price": np.full((TABLES, 1), share)}
            seen, paid, *_ = ours.step(action)
            wanted, owed, *_ = theirs.step(action)
            np.testing.assert_array_equal(paid, owed)


def test_make_vec_finds_the_tables() -> None:
    name = "bazaarbatna.gym:Bazaar-v0"
    envs = gymnasium.make_vec(name, 5, vectorization_mode="vector_entry_point", grid=10)
    assert isinstance(envs.unwrapped, BazaarVectorEnv)
    seen, told = envs.reset(seed=1)
    assert seen["prices"].shape == (5, 4)
    assert told["action_mask"].shape == (5, 12)


def test_tables_without_a_seed_play_something_and_the_next_reset_something_else() -> None:
    envs = BazaarVectorEnv(3)
    first, _ = envs.reset()
    second, _ = envs.reset()
    assert first["budget"].tolist() != second["budget"].tolist()


def test_mallory_is_told_what_is_wrong() -> None:
    envs = BazaarVectorEnv(2)
    still = {"move": np.zeros(2, int), "price": np.zeros((2, 1))}
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(still)
    with pytest.raises(ValueError, match="3 seeds were given for 2 tables"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="by seed"):
        envs.reset(options={"game": 3})
    with pytest.raises(ValueError, match="one table"):
        BazaarVectorEnv(0)
    for many in (1.5, "4", None):
        with pytest.raises(ValueError, match="'num_envs' is a whole number from 0 up"):
            BazaarVectorEnv(many)  # type: ignore[arg-type]
    for seed in (1.5, "34"):
        with pytest.raises(TypeError, match="A seed is a whole number, or a list"):
            envs.reset(seed=seed)  # type: ignore[arg-type]
    envs.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="not 3"):
        envs.step({**still, "move": np.array([0, 3])})
    with pytest.raises(gymnasium.error.InvalidAction, match="Actions are"):
        envs.step("hello")


@pytest.mark.parametrize("moves", [[0.7, 0], [np.nan, 0], ["a", "b"], 1, [1], [1, 1, 1]], ids=str)
@pytest.mark.parametrize("grid", [None, 5])
def test_moves_that_are_no_whole_numbers_for_each_table_are_refused(
    moves: Any, grid: int | None
) -> None:
    envs = BazaarVectorEnv(2, grid=grid)
    envs.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="2 whole numbers"):
        envs.step(moves if grid else {"move": moves, "price": np.full((2, 1), 0.5)})


@pytest.mark.parametrize("price", [[0.5], 0.5, [[0.5, 0.5]] * 2, "ab", None, ["a", "b"]], ids=str)
def test_prices_that_are_no_number_for_each_table_are_refused(price: Any) -> None:
    envs = BazaarVectorEnv(2)
    envs.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="Prices are one a table, not"):
        envs.step({"move": np.zeros(2, int), "price": price})
    with pytest.raises(gymnasium.error.InvalidAction, match="Prices are one a table, not"):
        envs.step({"move": np.zeros(2, int)})


@pytest.mark.parametrize("suite", ["single_deal", "people"])
@pytest.mark.parametrize("price", [np.nan, np.inf, -np.inf, 1e308, -1e308])
def test_a_price_beyond_all_numbers_is_judged_as_at_one_table(suite: str, price: float) -> None:
    envs, env = BazaarVectorEnv(1, suite), BazaarEnv(suite)
    envs.reset(seed=3)
    env.reset(seed=3)
    reward = env.step({"move": 0, "price": [price]})[1]
    assert envs.step({"move": [0], "price": [[price]]})[1].tolist() == [reward]


def test_gymnasiums_own_wrappers_flatten_and_count() -> None:
    envs: Any = gymnasium.make_vec(
        "bazaarbatna.gym:Bazaar-v0",
        4,
        vectorization_mode="vector_entry_point",
        grid=10,
        suite="impatient_seller",
    )
    envs = gymnasium.wrappers.vector.FlattenObservation(envs)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    seen, _ = envs.reset(seed=1)
    assert seen.shape == (4, 55)
    *_, over, _, told = envs.step(np.full(4, 11))
    assert over.all()
    assert told["episode"]["l"].tolist() == [1, 1, 1, 1]
    assert (told["outcome"] == "walk").all()
