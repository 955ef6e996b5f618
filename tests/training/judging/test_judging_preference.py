"""Which policy the judge prefers, over paired games."""

import pytest

from bazaarbatna.bargain.moves import Walk
from bazaarbatna.players.simple import Boulware, Conceder
from tests.support.judging_games import by_rule, scripted
from training.judging.heuristic import judge
from training.judging.transcript import BadRequest, DifferentGames, Verdict, compare, summed_up

SEEDS = range(20)


def test_a_better_policy_is_preferred_with_an_interval_above_a_half() -> None:
    good = [by_rule(Boulware, "single_deal@sampled-1", seed) for seed in SEEDS]
    soft = [by_rule(Conceder, "single_deal@sampled-1", seed) for seed in SEEDS]
    there, back = compare(good, soft, judge), compare(soft, good, judge)
    assert there.wins + there.losses + there.ties == there.games == 20
    assert there.decided is not None
    assert there.decided.mean == there.wins / (there.wins + there.losses)
    assert there.decided.low > 0.6
    assert sum(there.wins_by.values()) == there.wins
    assert (there.wins, there.losses) == (back.losses, back.wins)
    assert there.halves.mean + back.halves.mean == pytest.approx(1.0)
    assert compare(good, soft, judge) == there


def test_ties_are_left_out_of_one_share_and_count_half_in_the_other() -> None:
    verdicts = [
        *[Verdict("a", "", "surplus")] * 3,
        *[Verdict("b", "", "words", fallback="too-slow")] * 1,
        *[Verdict("tie", "", "nothing")] * 4,
    ]
    found = summed_up(verdicts)
    assert (found.wins, found.losses, found.ties, found.fallbacks) == (3, 1, 4, 1)
    assert found.decided is not None
    assert (found.decided.mean, found.halves.mean) == (0.75, 0.625)
    assert found.losses_by == {"words": 1}


def test_nothing_but_ties_says_nothing_of_decided_games() -> None:
    same = [scripted(20, Walk())] * 3
    found = compare(same, same, judge)
    assert (found.decided, found.halves.mean, found.ties) == (None, 0.5, 3)


def test_games_that_are_not_paired_are_refused() -> None:
    with pytest.raises(BadRequest, match="1 and 0"):
        compare([scripted(55)], [], judge)
    with pytest.raises(BadRequest):
        summed_up([])
    with pytest.raises(DifferentGames):
        compare([scripted(55)], [scripted(55, seed=1)], judge)
