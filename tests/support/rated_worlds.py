"""Games made from known strengths, and how often intervals hold those."""

from collections.abc import Mapping

import numpy as np

from training.leaderboard.rating import (
    MIDDLE,
    POINTS_PER_LOGIT,
    Payoff,
    Z,
    at_tables,
    design_of,
    fit,
    less_average,
    ratings_of,
)

STRENGTH = {"asha": 0.9, "bilal": 0.4, "chetan": 0.0, "divya": -0.35, "esha": -0.95}
MEAN = float(np.mean(list(STRENGTH.values())))
PLAYERS = list(STRENGTH)
CONCENTRATION = 1.2
"""Of the beta distribution of shares: wide, with many shares near nothing and near all."""


class Held:
    """Counts how often an interval held the truth."""

    def __init__(self) -> None:
        self.inside = self.trials = 0

    def count(self, *, inside: bool) -> None:
        self.inside += inside
        self.trials += 1

    @property
    def rate(self) -> float:
        return self.inside / self.trials


def logistic(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def paired_games(
    rng: np.random.Generator, seeds: int, players: Mapping[str, float] = STRENGTH
) -> list[Payoff]:
    """Five players on the same seeds against two houses; a seed's luck is the same for all.

    Shares have exactly the mean of the model: one half of a share is all or nothing by the seed's
    luck, the other half is a draw of the player's own.
    """
    payoffs = []
    for table, house, ease in (("easy", "soft", 0.6), ("hard", "firm", -0.5)):
        for seed in range(seeds):
            luck = rng.random()
            for name, strength in players.items():
                mean = logistic(strength + ease)
                own = rng.beta(mean * CONCENTRATION, (1 - mean) * CONCENTRATION)
                share = float((luck < mean) + own) / 2
                payoffs.append(Payoff(name, ((house, 1.0),), table, share, f"{table}/{seed}"))
    return payoffs


def hold_paired(seed: int, seeds: int, worlds: int) -> tuple[Held, Held]:
    """Count for the ratings of ``paired_games``, and for all differences of two of them."""
    rng = np.random.default_rng(seed)
    truth = np.array([MIDDLE + POINTS_PER_LOGIT * (one - MEAN) for one in STRENGTH.values()])
    alone, paired = Held(), Held()
    for _ in range(worlds):
        fitted = fit(design_of(paired_games(rng, seeds)))
        ratings = ratings_of(fitted, PLAYERS, less_average(PLAYERS))
        points = np.array([one.points for one in ratings.ratings])
        for rating, true in zip(ratings.ratings, truth, strict=True):
            alone.count(inside=rating.low <= true <= rating.high)
        spread = ratings.covariance
        for one in range(len(truth)):
            for other in range(one):
                miss = abs(points[one] - points[other] - truth[one] + truth[other])
                variance = spread[one, one] + spread[other, other] - 2 * spread[one, other]
                paired.count(inside=bool(miss < Z * variance**0.5))
    return alone, paired


def hold_far(seed: int, seeds: int, worlds: int, logits: float) -> Held:
    """Count for two players so far from the middle, who play beside the others."""
    rng = np.random.default_rng(seed)
    far = {"farida": logits, "gita": -logits}
    everybody = STRENGTH | far
    level = float(np.mean(list(everybody.values())))
    held = Held()
    for _ in range(worlds):
        fitted = fit(design_of(paired_games(rng, seeds, everybody)))
        ratings = ratings_of(fitted, list(far), less_average(list(everybody)))
        for rating, strength in zip(ratings.ratings, far.values(), strict=True):
            true = MIDDLE + POINTS_PER_LOGIT * (strength - level)
            held.count(inside=rating.low <= true <= rating.high)
    return held


def hold_few(seed: int, worlds: int) -> tuple[Held, float]:
    """Count for 12 people with 2 to 24 games each at three houses of unknown strength.

    Returns:
        The count, and the mean half width of an interval in points.
    """
    rng = np.random.default_rng(seed)
    held, widths = Held(), []
    for _ in range(worlds):
        people = {f"person {number}": rng.normal(0, 1.0) for number in range(12)}
        houses = {f"house {number}": rng.normal(0, 1.0) for number in range(3)}
        ease = rng.normal(0, 0.7)
        payoffs = []
        for name, strength in people.items():
            for game in range(int(rng.integers(2, 25))):
                house = str(rng.choice(list(houses)))
                mean = logistic(strength - houses[house] + ease)
                share = float(rng.beta(mean * CONCENTRATION, (1 - mean) * CONCENTRATION))
                payoffs.append(Payoff(name, ((house, 1.0),), "sale", share, f"{name}/{game}"))
        setting = at_tables(payoffs)
        ratings = ratings_of(fit(design_of(payoffs), "pooled"), list(people), setting)
        met = {feature.name for feature in setting if feature.trait == "guards"}
        level = ease - float(np.mean([houses[name] for name in met]))
        for rating, strength in zip(ratings.ratings, people.values(), strict=True):
            true = MIDDLE + POINTS_PER_LOGIT * (strength + level)
            held.count(inside=bool(rating.low <= true <= rating.high))
            widths.append(rating.half_width)
    return held, float(np.mean(widths))
