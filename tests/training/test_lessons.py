"""A simulated learner: a habit for some sales, then the lesson of the own page."""

import pytest

from negotiation.policies import policy
from replays.puzzles.you import LESSONS
from training.exploits.lessons import HABITS, measured

GAMES = 40


def test_every_lesson_has_a_seller_who_needs_it() -> None:
    assert set(HABITS) == set(LESSONS)


def test_every_lesson_is_measured() -> None:
    told = measured(policy("sauda-network"), 3)["lessons"]
    assert set(told) == set(LESSONS)
    for pattern, one in told.items():
        mean, low, high = one["gain"]
        assert low <= mean <= high, pattern


@pytest.mark.soak
def test_whoever_follows_a_lesson_keeps_more() -> None:
    told = measured(policy("sauda-network"), GAMES)["lessons"]
    for pattern in ("take", "hold", "bluff", "step", "walk"):
        assert told[pattern]["gain"][0] >= 0.05, pattern
    for pattern in ("last", "anchor"):
        assert told[pattern]["gain"][2] > -0.05, pattern
