"""Nothing is learned from games that measure, whatever the run's seed."""

from collections import Counter

import pytest

from bazaarbatna.bargain.people.suites import is_held_out
from tests.support.small_stages import quick
from training.data.corpus import HELD_OUT_SHARE
from training.data.seeds import HELD_OUT_FROM, TRAIN_FROM
from training.data.teaching import PEOPLE
from training.sellers.random_sellers import SUITE as DRAWN
from training.stages.config import MAX_SEED, BadConfig, DpoConfig, GrpoConfig, Stage
from training.stages.dpo import deals_of
from training.stages.games import LEFT, held_out, rounds_left
from training.stages.grpo import _deals
from training.stages.registry import make_config

CAREER = "career_10@sampled-1"

SPREAD = 100_000
"""Held-out seeds that a check of the largest size takes, and more."""


@pytest.mark.parametrize("seed", [0, 7, MAX_SEED])
def test_pairs_are_never_games_that_are_held_out(seed: int) -> None:
    config = quick("dpo", "mini", seed=seed)
    assert isinstance(config, DpoConfig)
    deals = deals_of(config)
    assert len(set(deals)) == config.pairs
    assert all(TRAIN_FROM < deal.seed < HELD_OUT_FROM for deal in deals)
    assert not set(deals) & set(held_out(10_000))


def test_pairs_begin_late_as_often_as_was_asked_and_the_same_each_time() -> None:
    config = make_config("dpo", "mini")
    assert isinstance(config, DpoConfig)
    deals = deals_of(config)
    assert all(rounds_left(deal.suite, deal.seed, 0.0) is None for deal in deals)
    left = [rounds_left(deal.suite, deal.seed, 0.4) for deal in deals]
    assert left == [rounds_left(deal.suite, deal.seed, 0.4) for deal in deals]
    begun = [rounds for rounds in left if rounds is not None]
    assert set(begun) == set(LEFT)
    assert 0.3 < len(begun) / len(deals) < 0.5


def test_rounds_are_never_games_that_are_held_out() -> None:
    rows = _deals(quick("grpo", "mini", seed=7))
    played = set(zip(rows["suite"], rows["seed"], strict=True))
    assert len(played) == len(rows) == 4
    assert all(TRAIN_FROM < seed < HELD_OUT_FROM for _, seed in played)


@pytest.mark.parametrize("drawn", [0.0, 0.25, 1.0])
def test_as_many_sellers_are_drawn_as_was_asked(drawn: float) -> None:
    config = make_config("grpo", "mini", people=0, drawn=drawn, steps=80, deals=16, updates=2)
    assert isinstance(config, GrpoConfig)
    suites = Counter(_deals(config)["suite"])
    assert suites.pop(DRAWN, 0) == drawn * 40 * 16
    # The others share the rest alike, and of a long game all bargains are played.
    assert len(set(suites.values())) <= 1
    assert set(suites) == (set(config.suites) if drawn < 1 else set())


@pytest.mark.parametrize(("people", "drawn"), [(0.5, 0.5), (0.25, 0.0), (1.0, 0.5)])
def test_as_many_games_are_with_people_as_was_asked_and_none_begins_late(
    people: float, drawn: float
) -> None:
    config = make_config(
        "grpo", "mini", people=people, drawn=drawn, late=0.9, steps=80, deals=16, updates=2
    )
    rows = _deals(config)  # type: ignore[arg-type]
    suites = Counter(rows["suite"])
    assert suites[PEOPLE] == people * 40 * 16
    assert suites[DRAWN] == (1 - people) * drawn * 40 * 16
    met = [row for row in rows if row["suite"] == PEOPLE]
    assert {row["left"] for row in met} == {None}
    assert len({row["seed"] for row in met}) == len(met)
    assert not any(is_held_out(suite) for suite in suites)


def test_checkpoints_are_chosen_by_people_as_often_as_is_asked() -> None:
    deals = held_out(160, people=0.5)
    assert Counter(deal.suite for deal in deals)[PEOPLE] == 80
    assert held_out(80) == deals[:80]
    assert all(HELD_OUT_FROM <= deal.seed < HELD_OUT_FROM + SPREAD for deal in deals)
    assert not any(is_held_out(deal.suite) for deal in deals)


def test_games_with_people_never_reach_what_is_held_out() -> None:
    make_config("sft", "mini", seed=MAX_SEED, bargains=1000, people=1.0)
    with pytest.raises(BadConfig, match="held out"):
        make_config("sft", "mini", bargains=60_000, people=1.0)


def test_every_bargain_of_a_long_game_is_played() -> None:
    rows = _deals(make_config("grpo", "mini", people=0, steps=100))  # type: ignore[arg-type]
    bargains = Counter(row["seed"] % 10 for row in rows if row["suite"] == CAREER)
    assert set(bargains) == set(range(10))
    assert max(bargains.values()) - min(bargains.values()) <= 1


def test_evaluations_and_checks_are_never_games_that_teach() -> None:
    assert HELD_OUT_SHARE < 1
    checks = [deal.seed for deal in held_out(10_000)]
    assert min(checks) == HELD_OUT_FROM
    assert max(checks) < HELD_OUT_FROM + SPREAD
    # Evaluations begin at 0.
    assert SPREAD < TRAIN_FROM


@pytest.mark.parametrize("stage", ["base", "sft"])
def test_a_corpus_never_reaches_what_is_held_out(stage: Stage) -> None:
    make_config(stage, "mini", seed=MAX_SEED, bargains=1000)
    for seed, bargains in ((MAX_SEED, 1001), (901, 100_000)):
        with pytest.raises(BadConfig, match="held out"):
            make_config(stage, "mini", seed=seed, bargains=bargains)


def test_long_training_never_reaches_what_is_held_out() -> None:
    with pytest.raises(BadConfig, match="held out"):
        make_config("grpo", "mini", steps=10_000, deals=512)
