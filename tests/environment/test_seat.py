"""What a client sees of its game: all that a buyer may know, and nothing else before the end."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bazaarbatna.bargain import (
    VERSIONS,
    GameOver,
    commitment,
    grade,
    make_scenario,
    play_suite_game,
    suite_ids,
)
from bazaarbatna.envs.bargain.actions import Action, read_action
from bazaarbatna.envs.bargain.episode import NotReset
from bazaarbatna.envs.bargain.resets import Reset
from bazaarbatna.envs.bargain.seat import Answer, Seat
from tests.support.players import SteadyBuyer
from tests.support.secrets import HIDDEN_WORDS, leaks

STATE_SAYS = (
    *("episode_id", "step_count", "suite", "task", "variant", "seed", "game", "games"),
    *("round", "max_rounds", "outcomes", "total_reward", "done", "score"),
)


def seated(wanted: Reset) -> tuple[Seat, Answer]:
    seat = Seat()
    return seat, seat.reset(wanted, seed=4711, episode_id="drawn")


def a_bid(share: float, answer: Answer) -> Action:
    seen = answer.observation
    return Action("offer", round(min(seen.opening_ask * share, seen.budget), 2), "Bas.")


def test_the_first_view_has_all_that_the_rules_grant_a_buyer() -> None:
    _, answer = seated(Reset(task="asymmetric_pressure", variant="fixed", seed=1))
    seen = answer.observation
    assert (seen.task, seen.variant, seen.game, seen.games) == (
        "asymmetric_pressure",
        "fixed",
        1,
        1,
    )
    assert (seen.round, seen.max_rounds, seen.rounds_left, seen.deadline) == (1, 8, 7, 5)
    assert (seen.opening_ask, seen.standing_ask, seen.budget) == (60.0, 60.0, 100.0)
    assert (seen.own_last_bid, seen.tells, seen.turns, seen.result) == (None, None, (), None)
    assert (answer.reward, answer.done) == (None, False)


def test_the_last_six_turns_come_with_their_words() -> None:
    seat, answer = seated(Reset(seed=5, variant="fixed"))
    for number in range(5):
        answer = seat.step(Action("offer", 10.0 + number, f"Number {number}"))
    turns = answer.observation.turns
    assert [turn.actor for turn in turns] == ["buyer", "seller"] * 3
    assert [turn.message for turn in turns[::2]] == ["Number 2", "Number 3", "Number 4"]
    assert answer.observation.tells is not None
    assert answer.observation.last_concession >= 0


@settings(max_examples=80, deadline=None)
@given(
    suite_id=st.sampled_from(suite_ids()),
    seed=st.integers(0, 2**40),
    seller=st.sampled_from((None, *VERSIONS)),
    shares=st.lists(st.sampled_from((0.0201, 0.3003, 0.6007, 0.9001)), min_size=1, max_size=8),
)
def test_no_hidden_value_is_in_any_answer_before_the_bargain_ends(
    suite_id: str, seed: int, seller: str | None, shares: list[float]
) -> None:
    seat = Seat()
    answer = seat.reset(Reset(task=suite_id, seller=seller), seed=seed, episode_id="drawn")
    place, bids = 0, set[float]()
    while not answer.done:
        told = msgspec.json.encode(answer).decode()
        state = msgspec.json.encode(seat.state).decode()
        game = seat._game
        assert game is not None
        scenario = game._state.scenario
        if answer.observation.result is None:
            public = answer.observation.persona is not None
            found = leaks(told, scenario, persona_is_public=public, own_bids=bids)
            assert found == []
            assert "seed" not in told
        # A count of steps may be any number; of the rest only the rewards are no whole number.
        assert set(json.loads(state)) == set(STATE_SAYS)
        assert scenario.salt not in repr(answer) + repr(seat) + repr(seat.state) + told
        assert str(scenario.sealed.seed) not in told
        bid = a_bid(shares[place % len(shares)], answer)
        bids.add(bid.price or 0.0)
        answer = seat.step(bid)
        place += 1
    assert answer.metadata.seed == seed


def test_after_the_end_everything_is_open_and_the_promise_can_be_checked() -> None:
    seat, answer = seated(Reset(seed=9))
    promised = answer.metadata.commitment
    answer = seat.step(Action("walk"))
    result, scenario = answer.observation.result, make_scenario("single_deal@sampled-1", 9)
    assert result is not None
    assert (answer.done, result.outcome, result.by) == (True, "walk", "buyer")
    assert result.reservation_price == scenario.sealed.reservation / 100
    assert commitment(result.opened, result.salt) == promised == result.commitment
    assert answer.metadata.score == 0.0
    assert answer.metadata.solved is False
    # What finds nothing before the end finds all of it now.
    assert len(leaks(msgspec.json.encode(answer).decode(), scenario)) >= len(HIDDEN_WORDS)


def test_a_game_of_ten_bargains_goes_on_and_each_result_comes_once() -> None:
    seat, answer = seated(Reset(task="career_10", seed=3))
    results: list[Any] = []
    while not answer.done:
        answer = seat.step(Action("offer", answer.observation.budget * 0.9))
        if answer.observation.result:
            results.append(answer.observation.result)
            if not answer.done:
                assert answer.observation.round == 1
                assert answer.observation.game == len(results) + 1
    assert [result.game for result in results] == list(range(1, 11))
    assert seat.state.outcomes == tuple(result.outcome for result in results)


def test_the_score_is_the_suites_own_grade_of_the_same_game() -> None:
    for suite_id in suite_ids():
        game = play_suite_game(suite_id, 21, SteadyBuyer)
        seat, buyer = Seat(), SteadyBuyer(21)
        answer = seat.reset(Reset(task=suite_id), seed=21, episode_id="drawn")
        total = 0.0
        while not answer.done:
            assert seat._game is not None
            seen = seat._game.observation
            assert seen is not None
            move = buyer.act(seen)
            data = {"action": type(move).__name__.lower(), "message": move.text}
            price = getattr(move, "price", None)
            answer = seat.step(read_action(data | {"price": price and price / 100}))
            assert sum((answer.metadata.reward_terms or {}).values()) == pytest.approx(
                answer.reward
            )
            total += answer.reward or 0.0
        assert list(seat.logs) == game
        assert answer.metadata.score == grade(suite_id, game)
        assert seat.state.total_reward == pytest.approx(total)


def test_a_seed_that_nobody_chose_is_told_only_after_the_end() -> None:
    seat, answer = seated(Reset())
    assert answer.metadata.seed is None
    assert seat.state.seed is None
    assert seat.step(Action("walk")).metadata.seed == 4711
    seat.reset(Reset(seed=3), seed=0, episode_id="drawn")
    assert seat.state.seed == 3


def test_steps_need_a_game_that_goes_on() -> None:
    seat = Seat()
    with pytest.raises(NotReset):
        seat.step(Action("walk"))
    assert json.loads(msgspec.json.encode(seat.state))["episode_id"] is None
    seat.reset(Reset(), seed=1, episode_id="drawn")
    seat.step(Action("walk"))
    with pytest.raises(GameOver):
        seat.step(Action("walk"))
