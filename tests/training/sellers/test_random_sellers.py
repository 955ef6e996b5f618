"""Sellers drawn at random: legal, all different, and none of those that evaluations know."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from negotiation.policies import policy
from training.evaluation.playing import source_of
from training.sellers.random_sellers import (
    SUITE,
    Habits,
    RandomSeller,
    RandomSellerGame,
    deal,
    draw_habits,
)

SEEDS = st.integers(0, 2**32)


def played(buyer: str, seed: int) -> Log:
    """One bargain of a rule buyer, whatever it was asked to do checked by the engine."""
    game, player = source_of(SUITE).open(seed), policy(buyer).make(seed)
    while (seen := game.observation) is not None:
        game.step(player.act(seen))
    return game.logs[0]


@given(seed=SEEDS, buyer=st.sampled_from(["rules:random", "rules:aggressive", "sauda"]))
def test_nobody_sells_below_the_reservation_price_or_asks_more_than_before(
    seed: int, buyer: str
) -> None:
    log = played(buyer, seed)
    state, sealed = log.state(), log.scenario.sealed
    assert list(state.asks) == sorted(state.asks, reverse=True)
    assert min(state.asks) >= sealed.reservation
    assert log.ended is not None
    if log.ended.price is not None:
        assert sealed.reservation <= log.ended.price <= sealed.budget


@given(seed=SEEDS)
def test_a_seed_is_a_game(seed: int) -> None:
    assert played("sauda", seed) == played("sauda", seed)


def test_what_ends_games_differs_from_seller_to_seller() -> None:
    ends: Counter[tuple[str, str | None]] = Counter()
    shares = []
    for seed in range(200):
        log = played("rules:boulware", seed)
        assert log.ended is not None
        ends[log.ended.outcome, log.ended.by] += 1
        if log.scenario.zopa > 0:
            shares.append(log.ended.buyer_share if log.ended.price else 0.0)
    # Who waits for the end of a schedule is served well by some and left without by others.
    assert ends["expired", None] > 8
    assert ends["deal", "seller"] > 50
    assert 0.35 < sum(shares) / len(shares) < 0.75


def test_some_games_cannot_be_won() -> None:
    hopeless = sum(deal(seed).zopa <= 0 for seed in range(1000))
    assert 30 < hopeless < 120


def test_some_let_nothing_be_noticed() -> None:
    def notices(seed: int) -> bool:
        game = RandomSellerGame(seed)
        seen = game.observation
        assert seen is not None
        return game.step(Offer(Paise(seen.budget // 3))).observation.tells is not None

    noticed = sum(notices(seed) for seed in range(100))
    assert 20 < noticed < 80


def last_answer(habits: Habits, bid_over_reservation: float) -> str:
    """How a seller of these habits ends a game in which its range was bid for once, at the end."""
    scenario = deal(1)
    game = RandomSellerGame(1)
    game._seller = RandomSeller(scenario, habits, Random(1))
    reservation = scenario.sealed.reservation
    span = scenario.anchor - reservation
    while (seen := game.observation) is not None:
        is_last = seen.round == seen.max_rounds
        bid = reservation + bid_over_reservation * span if is_last else 0.95 * reservation
        game.step(Offer(Paise(int(min(bid, seen.budget)))))
    assert game.logs[0].ended is not None
    return game.logs[0].ended.outcome


STUBBORN = Habits(1.0, 0.2, 0.0, greed=0.9, last_greed=0.9, blind=True)
LENIENT = Habits(1.0, 0.2, 0.0, greed=0.9, last_greed=0.0, blind=True)


@pytest.mark.parametrize(
    ("habits", "outcome"), [(STUBBORN, "expired"), (LENIENT, "deal")], ids=["stubborn", "lenient"]
)
def test_some_take_in_the_last_round_what_others_let_go(habits: Habits, outcome: str) -> None:
    assert last_answer(habits, 0.05) == outcome


def test_a_seller_may_answer_steps_with_steps() -> None:
    """Two buyers, the same seller: whoever comes up more is met further down."""
    generous, stingy = (asks_of(step) for step in (0.06, 0.001))
    assert generous[3] < stingy[3]


def asks_of(step: float) -> tuple[int, ...]:
    scenario = deal(3)
    game = RandomSellerGame(3)
    mirroring = Habits(0.3, 1.0, mirror=1.0, greed=1.0, last_greed=1.0, blind=True)
    game._seller = RandomSeller(scenario, mirroring, Random(1))
    seen: BuyerObservation | None
    for number in range(4):
        seen = game.observation
        assert seen is not None
        game.step(Offer(Paise(int(scenario.sealed.reservation * (0.7 + number * step)))))
    return game._state.asks


def test_manners_are_drawn_from_the_whole_range() -> None:
    drawn = [draw_habits(Random(seed)) for seed in range(500)]
    assert {one.mirror > 0 for one in drawn} == {True, False}
    assert min(one.shape for one in drawn) < 0.4 < 2.5 < max(one.shape for one in drawn)
    assert {one.reach == 1 for one in drawn} == {True, False}
