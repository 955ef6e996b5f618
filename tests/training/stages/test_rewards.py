"""What a game is worth, and how it is compared with its siblings."""

import numpy as np
import pytest

from tests.support.spoken import a_game
from training.stages.config import GrpoConfig
from training.stages.grpo import TERMS, format_fault, illegality, reward, share
from training.stages.rounds import LEAST_SPREAD, advantages

HOPELESS = 12
"""A seed whose budget lies below the reservation price."""

CONFIG = GrpoConfig(missed_weight=0.2, format_weight=0.5, legality_weight=0.1)


def test_a_deal_is_worth_the_share_that_it_keeps() -> None:
    game = a_game("offer 400", "accept")
    assert game.is_deal
    assert share(game) == pytest.approx(game.log.ended.buyer_share)  # type: ignore[union-attr]
    assert reward(game, CONFIG) == pytest.approx(share(game))


def test_no_deal_is_worth_nothing_and_costs_something_where_one_was_possible() -> None:
    game = a_game("walk")
    assert game.winnable
    assert share(game) == 0.0
    assert reward(game, CONFIG) == pytest.approx(-0.2)
    hopeless = a_game("walk", seed=HOPELESS)
    assert not hopeless.winnable
    assert reward(hopeless, CONFIG) == 0.0


def test_what_cannot_be_read_leaves_the_table_and_costs_more() -> None:
    game = a_game("offer 400", "nonsense")
    assert not game.is_deal
    assert format_fault(game) == 0.5
    assert illegality(game) == 0.5
    assert reward(game, CONFIG) == pytest.approx(-0.2 - 0.5 * 0.5 - 0.1 * 0.5)


def test_bids_that_guards_had_to_change_cost_a_little() -> None:
    assert illegality(a_game("offer 500", "offer 300", "walk")) == pytest.approx(1 / 3)
    assert illegality(a_game("offer 9000")) == 1.0
    assert illegality(a_game("offer 300", "offer 500", "walk")) == 0.0


def test_terms_are_named_and_finite() -> None:
    game = a_game("offer 400", "accept")
    assert set(TERMS) == {"share", "missed", "format", "legality"}
    assert all(np.isfinite(term(game)) for term in TERMS.values())


def test_advantages_compare_within_a_group_only() -> None:
    found = advantages([0.0, 1.0, 10.0, 10.0], group=2)
    assert found[0] == -found[1] < 0
    assert found[2] == found[3] == 0.0


def test_noise_is_not_blown_up_to_an_advantage() -> None:
    small = advantages([0.5, 0.5 + LEAST_SPREAD / 100], group=2)
    assert abs(small).max() < 0.02


def test_advantages_of_a_group_sum_to_nothing() -> None:
    found = advantages(list(np.random.RandomState(0).rand(24)), group=8)
    assert found.reshape(3, 8).sum(axis=1) == pytest.approx([0, 0, 0], abs=1e-9)
