"""A game played step by step is the game that is played in one go."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bazaarbatna.bargain import (
    VERSIONS,
    GameOver,
    UnknownSeller,
    UnknownSuite,
    Walk,
    make_scenario,
    play_suite_game,
    reward,
    suite_ids,
)
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from tests.support.players import NonsensePlayer, PatientBuyer, RandomBuyer, SteadyBuyer

BUYERS = (SteadyBuyer, PatientBuyer, RandomBuyer, NonsensePlayer)


@settings(max_examples=120, deadline=None)
@given(
    suite_id=st.sampled_from(suite_ids()),
    seed=st.integers(0, 2**40),
    make_buyer=st.sampled_from(BUYERS),
)
def test_the_same_seed_and_moves_give_the_same_logs_as_a_game_in_one_go(
    suite_id: str, seed: int, make_buyer: type[SteadyBuyer]
) -> None:
    buyer, game = make_buyer(seed), SuiteGame(suite_id, seed)
    while (seen := game.observation) is not None:
        game.step(buyer.act(seen))
    assert list(game.logs) == play_suite_game(suite_id, seed, make_buyer)


@settings(max_examples=60, deadline=None)
@given(
    suite_id=st.sampled_from(suite_ids()),
    seed=st.integers(0, 2**40),
    seller=st.sampled_from((*VERSIONS, *VERSIONS.values())),
)
def test_another_seller_sits_at_the_same_table(suite_id: str, seed: int, seller: str) -> None:
    own, other = make_scenario(suite_id, seed), make_scenario(suite_id, seed, seller=seller)
    persona = other.sealed.persona
    assert seller in (persona, VERSIONS[persona])
    assert other.seller == VERSIONS[persona]
    assert (other.item, other.sealed.cost, other.salt) == (own.item, own.sealed.cost, own.salt)
    assert other.sealed.seed == own.sealed.seed
    if own.sealed.persona == persona:
        assert other == own
    game = SuiteGame(suite_id, seed, seller)
    while game.observation is not None:
        game.step(Walk())
    assert {log.scenario.seller for log in game.logs} == {VERSIONS[persona]}


def test_the_career_counts_the_bargain_that_just_ended() -> None:
    game = SuiteGame("career_10@fixed-1", 3)
    rates = []
    while (seen := game.observation) is not None:
        told = seen.career
        assert told is not None
        assert told.games == game.game
        stepped = game.step(SteadyBuyer().act(seen))
        if stepped.log:
            rates.append(stepped.reward.capitulation)
    assert len(rates) == 10
    assert all(rate <= 0 for rate in rates)


def test_each_reward_is_the_engines_own_for_that_move() -> None:
    from bazaarbatna.bargain import fold, repair

    game, buyer = SuiteGame("single_deal@sampled-1", 11), NonsensePlayer(11)
    proposals, rewards = [], []
    while (seen := game.observation) is not None:
        proposals.append(buyer.act(seen))
        rewards.append(game.step(proposals[-1]).reward)
    (log,) = game.logs
    turns = [
        place
        for place, event in enumerate(log.events)
        if place == 0
        or (getattr(event, "actor", None) == "seller" and event.__class__.__name__ != "TellsShown")
    ]
    for number, (proposal, paid) in enumerate(zip(proposals, rewards, strict=True)):
        before = fold(log.scenario, log.events[: turns[number] + 1])
        assert repair(before, "buyer", proposal) is not None
        last = number == len(proposals) - 1
        end = len(log.events) if last else turns[number + 1] + 1
        after = fold(log.scenario, log.events[:end])
        assert paid == reward(before, proposal, after)


def test_after_the_last_bargain_nobody_moves() -> None:
    game = SuiteGame("single_deal@fixed-1", 0)
    game.step(Walk())
    assert game.done
    assert game.observation is None
    with pytest.raises(GameOver):
        game.step(Walk())


def test_names_that_nobody_has_are_refused_with_those_that_exist() -> None:
    with pytest.raises(UnknownSuite, match="career_10@sampled-1"):
        SuiteGame("marketplace", 0)
    with pytest.raises(UnknownSeller, match="deceptive, impatient"):
        SuiteGame("single_deal@fixed-1", 0, "rule:deceptive@1#000000000000")


def test_a_seat_prints_nothing_of_the_seller() -> None:
    game = SuiteGame("read_the_tells@sampled-1", 5)
    stepped = game.step(Walk())
    for shown in (repr(game), repr(stepped), str(game.observation)):
        assert "deceptive" not in shown
        assert "salt" not in shown
