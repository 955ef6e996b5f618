"""The verdict on a bot that is dealt games a second time."""

from random import Random

import pytest

from bazaarbatna.offline import Answered
from training.bots.games import Failed
from training.bots.verification import Pair, agreement_of, standard_error, turns_alike

GAMES = 32


def played_by_chance(rng: Random, spread: float, worse_by: float = 0.0) -> list[Pair]:
    """A bot without memory of itself: shares of both times drawn alike, turns never alike."""
    return [
        Pair(
            1,
            1,
            0,
            (rng.uniform(0.5 - spread, 0.5 + spread),),
            (rng.uniform(0.5 - spread, 0.5 + spread) - worse_by,),
        )
        for _ in range(GAMES)
    ]


@pytest.mark.parametrize("spread", [0.05, 0.2, 0.5])
def test_honest_bots_with_much_or_little_chance_nearly_always_pass(
    spread: float,
) -> None:
    rng = Random(1)
    passed = sum(agreement_of(9, 0, played_by_chance(rng, spread)).passed for _ in range(400))
    assert passed >= 0.92 * 400


def test_a_bot_that_plays_clearly_worse_the_second_time_fails() -> None:
    rng = Random(2)
    passed = sum(agreement_of(9, 0, played_by_chance(rng, 0.2, 0.25)).passed for _ in range(400))
    assert passed <= 0.01 * 400


def test_in_a_few_games_much_spread_excuses_nothing() -> None:
    few = [Pair(1, 1, 0, (share,), (0.0,)) for share in (0.0, 0.1, 1.0)]
    assert not agreement_of(3, 0, few).passed


def test_the_same_decisions_pass_whatever_the_shares() -> None:
    pairs = [Pair(1, 10, 9, (0.9,), (0.1,))] * 5
    assert agreement_of(5, 0, pairs).passed
    assert not agreement_of(5, 0, [Pair(1, 10, 8, (0.9,), (0.1,))] * 5).passed


def test_one_different_log_is_too_many() -> None:
    assert not agreement_of(320, 1, [Pair(1, 5, 5, (0.5,), (0.5,))]).passed


def test_turns_are_compared_until_the_games_part() -> None:
    bid, other = Answered("offer", 50.0, "a"), Answered("offer", 51.0)
    same_bid = Answered("offer", 50.0, "other words")
    assert turns_alike([bid, bid, other, bid], [same_bid, bid, bid, bid]) == (3, 2)
    assert turns_alike([Answered("walk")], [Answered("accept")]) == (1, 0)
    assert turns_alike([Failed("timeout")], [Failed("status")]) == (1, 1)
    assert turns_alike([], [bid]) == (0, 0)


def test_the_standard_error_is_that_of_a_sum() -> None:
    rng = Random(3)
    sums = [sum(rng.gauss(0, 0.3) for _ in range(GAMES)) for _ in range(2000)]
    spread = (sum(one**2 for one in sums) / len(sums)) ** 0.5
    drawn = standard_error([rng.gauss(0, 0.3) for _ in range(5000)]) * (GAMES / 5000) ** 0.5
    assert drawn == pytest.approx(spread, rel=0.06)
