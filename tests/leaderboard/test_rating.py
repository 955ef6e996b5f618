"""The rating model against known truths: it finds them, and its intervals hold them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.rated_worlds import MEAN, PLAYERS, STRENGTH, hold_few, hold_paired, paired_games
from training.leaderboard.rating import (
    MIDDLE,
    POINTS_PER_LOGIT,
    PRIOR_SD,
    Feature,
    Payoff,
    Rating,
    design_of,
    fit,
    less_average,
    rank_ranges,
    ratings_of,
)


def test_the_fit_finds_the_strengths_that_made_the_games() -> None:
    fitted = fit(design_of(paired_games(np.random.default_rng(1), 1500)))
    ratings = ratings_of(fitted, PLAYERS, less_average(PLAYERS))
    for rating, strength in zip(ratings.ratings, STRENGTH.values(), strict=True):
        assert rating.points == pytest.approx(MIDDLE + POINTS_PER_LOGIT * (strength - MEAN), abs=15)
        assert rating.half_width < 15
    assert [str(one) for one in rank_ranges(ratings)] == ["1", "2", "3", "4", "5"]


def test_intervals_of_ratings_and_of_paired_differences_cover_the_truth() -> None:
    alone, paired = hold_paired(20261121, seeds=40, worlds=250)
    # 1,250 intervals of 95 %: three standard errors of their count are 0.02.
    assert alone.rate == pytest.approx(0.95, abs=0.02)
    assert paired.rate == pytest.approx(0.95, abs=0.02)


def test_few_games_each_are_covered_where_the_truths_follow_the_prior() -> None:
    held, half_width = hold_few(7, worlds=120)
    # Strong players with few games lie near the edge of the scale, where intervals hold less.
    assert 0.92 < held.rate < 0.97
    assert half_width < 170  # on 13 games each, in the mean


def test_a_lost_game_counts_against_both_who_sat_there() -> None:
    def played(shares: tuple[float, float]) -> list[Payoff]:
        return [
            Payoff("asha", (("bilal", 1.0),), "seller", shares[0], "last"),
            Payoff("bilal", (("asha", 1.0),), "buyer", shares[1], "last"),
        ]

    before = [one for _ in range(20) for one in played((0.5, 0.5))]
    lost = fit(design_of(before + played((0.0, 0.0))))
    even = fit(design_of(before + played((0.5, 0.5))))
    for name in ("asha", "bilal"):
        at = lost.place(Feature("gets", name))
        assert lost.values[at] < even.values[at]


def test_no_neighbour_of_the_fit_explains_the_games_better() -> None:
    design = design_of(paired_games(np.random.default_rng(5), 30))
    fitted = fit(design)
    spread = np.array([PRIOR_SD[one.trait] for one in fitted.features])

    def unlikely(values: NDArray[np.float64]) -> float:
        mean = 1 / (1 + np.exp(-(design.patterns @ values)))[design.row]
        shares = design.share * np.log(mean) + (1 - design.share) * np.log(1 - mean)
        return float((values**2 / spread**2).sum() / 2 - shares.sum())

    best = unlikely(fitted.values)
    for place in range(len(fitted.values)):
        for step in (-1e-3, 1e-3):
            moved = fitted.values.copy()
            moved[place] += step
            assert unlikely(moved) > best


def test_an_easier_rival_earns_fewer_points() -> None:
    games = [
        *(Payoff("asha", (("firm", 1.0),), "buyer", 0.5, f"a{n}") for n in range(30)),
        *(Payoff("bilal", (("soft", 1.0),), "buyer", 0.5, f"b{n}") for n in range(30)),
        *(Payoff("judge", (("firm", 1.0),), "buyer", 0.2, f"c{n}") for n in range(60)),
        *(Payoff("judge", (("soft", 1.0),), "buyer", 0.8, f"d{n}") for n in range(60)),
    ]
    asha, bilal = ratings_of(fit(design_of(games), "pooled"), ["asha", "bilal"], {}).ratings
    assert asha.points > bilal.points + 100


def test_nobody_is_ranked_where_intervals_overlap() -> None:
    fitted = fit(design_of(paired_games(np.random.default_rng(3), 12)))
    ratings = ratings_of(fitted, PLAYERS, less_average(PLAYERS))
    ranges = rank_ranges(ratings)
    for one, first in enumerate(ratings.ratings):
        for other, second in enumerate(ratings.ratings):
            ranks = ranges[one], ranges[other]
            if one != other and first.overlaps(second) and None not in ranks:
                assert ranks[0].best <= ranks[1].worst  # type: ignore[union-attr]
                assert ranks[1].best <= ranks[0].worst  # type: ignore[union-attr]


def test_a_wide_interval_is_provisional_and_ranks_nobody() -> None:
    few = [Payoff("asha", (("house", 1.0),), "sale", 0.9, "one")]
    ratings = ratings_of(fit(design_of(few), "pooled"), ["asha"], {})
    assert ratings.ratings[0].is_provisional
    assert rank_ranges(ratings) == (None,)
    assert not Rating(1500, 1405, 1595).is_provisional


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_outside_nought_and_one_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        design_of([Payoff("asha", (), "sale", share, "one")])


def test_a_rating_without_games_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        design_of([])


def test_a_player_who_always_gets_all_stays_on_the_scale() -> None:
    games = [Payoff("asha", (("house", 1.0),), "sale", 1.0, str(n)) for n in range(500)]
    (rating,) = ratings_of(fit(design_of(games)), ["asha"], {}).ratings
    assert MIDDLE + 100 < rating.points < MIDDLE + 2000
