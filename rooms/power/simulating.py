"""How many people a study needs, found by running it many times in numbers.

A study draws its outcomes from games that sellers of the population played. In every arm but the
first one the effect is added: to each share, or to the rate of deals. Each arm is then held against
the first by Welch's test (two-sided; the level is divided by the number of comparisons), and the
part of studies that find the effect is their power. Power is taken at some sizes around the closed
formula's, a line in the square root of the size is laid through it, and the size is read off it.
"""

import functools
import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from negotiation.sentences import sentences
from rooms.power.outcomes import PEOPLE, Outcomes, outcomes

say = sentences(__file__)

Measure = Literal["share", "deal"]
Numbers = npt.NDArray[np.float64]

SEED = 20_261_125
SIZES = (0.6, 0.8, 1.0, 1.25, 1.6)
"""Where power is taken, in multiples of the size by the closed formula."""
DRAWS = 2_000_000
"""Outcomes that are drawn for one size; fewer studies of a larger size."""
STUDIES = (200, 4000)
"""Least and most studies of one size."""
FEWEST = 5
"""Below that an arm has no spread to speak of."""
MOST = 20_000
"""Above that nobody is told a number."""
FEWEST_ARMS, MOST_ARMS = 2, 6
NORMAL = NormalDist()


class Question(msgspec.Struct, frozen=True):
    """A study that is thought of.

    ``against``: whom participants sell to (``outcomes.BUYERS``). ``effect`` is the smallest that
    matters: a part of the zone for "share", a part of the games for "deal", 0..1. ``arms`` with the
    first one; ``alpha`` and ``power`` 0..1; ``lost`` is the part of people who do not finish.
    ``games`` are played by each person (or pair), and ``icc`` says how alike those are: the
    correlation of two games of one person, 0..1.
    """

    against: str = PEOPLE
    measure: Measure = "share"
    effect: float = 0.1
    arms: int = 2
    alpha: float = 0.05
    power: float = 0.8
    lost: float = 0.1
    games: int = 1
    icc: float = 0.0

    @property
    def is_paired(self) -> bool:
        """Whether a game has two participants."""
        return self.against == PEOPLE

    @property
    def level(self) -> float:
        """The level of each comparison with the first arm."""
        return self.alpha / (self.arms - 1)

    def units(self, games: float) -> int:
        """Return how many people, or pairs, play as much as so many games of strangers.

        By the design effect 1 + (games - 1) icc. Source: Kish 1965, section 5.4.
        """
        each = self.games / (1 + (self.games - 1) * self.icc)
        return max(FEWEST, math.ceil(games / each))


class Answer(msgspec.Struct, frozen=True):
    """What was found; sizes are games of strangers in one arm, with a 95 % interval.

    ``units`` are the people, or pairs, of one arm: each plays several games where it is asked so.

    ``mean`` and ``spread`` are those of the games without an effect; ``formula`` is the closed
    formula's size; ``false_alarms``: the part of studies without any effect that found one.
    ``tried`` are the sizes that were simulated with the power of each, ``slope`` is that of the
    line through them.
    """

    games: int
    units: int
    low: int
    high: int
    formula: int
    mean: float
    spread: float
    false_alarms: float
    finish: int
    invite: int
    invite_low: int
    invite_high: int
    slope: float
    tried: tuple[tuple[int, float], ...]


class NoSuchStudy(ValueError):
    """No number of people answers this question; the message says why."""


class TooFew(NoSuchStudy):
    """The rate of deals cannot move so far."""

    def __init__(self, rate: float) -> None:
        super().__init__(rate)
        self.rate = rate


class TooMany(NoSuchStudy):
    """More than ``MOST`` games in an arm."""


@functools.lru_cache(maxsize=256)
def answer(question: Question) -> Answer:
    """Answer a question; the same question has the same answer. Raises NoSuchStudy."""
    return answer_from(question, outcomes(question.against))


def answer_from(question: Question, played: Outcomes) -> Answer:
    """Answer a question from given outcomes."""
    values = played.shares if question.measure == "share" else played.deals
    mean, spread = float(values.mean()), float(values.std(ddof=1))
    if question.measure == "deal" and not 0 < mean + question.effect <= 1:
        raise TooFew(mean)
    formula = closed_formula(question, spread, mean)
    if formula > MOST:
        raise TooMany(formula)
    dice = np.random.default_rng(SEED)
    tried = tuple(
        (size, power_at(question, values, size, dice))
        for size in dict.fromkeys(max(FEWEST, round(part * formula)) for part in SIZES)
    )
    slope, error = _slope(question, tried)
    z = NORMAL.inv_cdf(1 - question.level / 2)
    size = ((z + NORMAL.inv_cdf(question.power)) / slope) ** 2
    # The games of the table are a sample, too: their spread is known as well as this.
    own = _error_of_spread(values)
    around = 1.96 * 2 * math.hypot(error, own)
    games, low, high = (
        max(FEWEST, math.ceil(one))
        for one in (size, size * max(1 - around, 0.1), size * (1 + around))
    )
    return Answer(
        games=games,
        units=question.units(games),
        low=low,
        high=high,
        formula=question.units(formula),
        mean=mean,
        spread=spread,
        false_alarms=power_at(question, values, games, dice, effect=0.0),
        finish=_people(question, games),
        invite=_invited(question, games),
        invite_low=_invited(question, low),
        invite_high=_invited(question, high),
        slope=slope,
        tried=tried,
    )


def closed_formula(question: Question, spread: float, mean: float = 0.0) -> int:
    """Return the games of one arm by the normal formula for two means.

    ``n = (z_alpha/2 + z_power)^2 (s_1^2 + s_2^2) / effect^2``; for deals the second spread is that
    of the other rate. Source: Fleiss, Levin and Paik 2003, chapter 4 (without continuity).
    """
    z = NORMAL.inv_cdf(1 - question.level / 2) + NORMAL.inv_cdf(question.power)
    other = spread**2
    if question.measure == "deal":
        rate = mean + question.effect
        other = rate * (1 - rate)
    return max(FEWEST, math.ceil(z**2 * (spread**2 + other) / question.effect**2))


def power_at(
    question: Question,
    values: Numbers,
    size: int,
    dice: np.random.Generator,
    effect: float | None = None,
) -> float:
    """Return the part of simulated studies of this size that find the effect."""
    studies = _studies(size)
    shift = question.effect if effect is None else effect
    if question.measure == "deal":
        rate = float(values.mean())
        first = _of_rate(dice.binomial(size, rate, studies) / size, size)
        other = _of_rate(dice.binomial(size, rate + shift, studies) / size, size)
    else:
        first = _of_values(values, studies, size, dice)
        mean, variance = _of_values(values, studies, size, dice)
        other = mean + shift, variance
    return float(np.mean(_is_found(first, other, size, question.level)))


Sample = tuple[Numbers, Numbers]
"""Mean and variance of one arm, of each study: (studies,)."""


def _of_values(values: Numbers, studies: int, size: int, dice: np.random.Generator) -> Sample:
    drawn = values[dice.integers(0, len(values), (studies, size), dtype=np.int32)]
    return drawn.mean(axis=1), drawn.var(axis=1, ddof=1)


def _of_rate(rate: Numbers, size: int) -> Sample:
    return rate, rate * (1 - rate) * size / (size - 1)


def _is_found(first: Sample, other: Sample, size: int, level: float) -> npt.NDArray[np.bool_]:
    (mean, variance), (other_mean, other_variance) = first, other
    error = np.sqrt((variance + other_variance) / size)
    # Where nothing varies in both arms, only the difference itself speaks.
    freedom = np.divide(
        (variance + other_variance) ** 2 * (size - 1),
        variance**2 + other_variance**2,
        out=np.full_like(variance, 2.0 * (size - 1)),
        where=variance + other_variance > 0,
    )
    found: npt.NDArray[np.bool_] = np.abs(other_mean - mean) > critical(level, freedom) * error
    return found


def critical(level: float, freedom: Numbers) -> Numbers:
    """Return the two-sided critical value of Student's t, by expansion in 1 / freedom.

    Source: Abramowitz and Stegun 26.7.5; right to 0.01 from 5 degrees of freedom at level 0.05.
    """
    z = NORMAL.inv_cdf(1 - level / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    value: Numbers = z + first / freedom + second / freedom**2 + third / freedom**3
    return value


def _studies(size: int) -> int:
    least, most = STUDIES
    return max(least, min(most, DRAWS // size))


def _slope(question: Question, tried: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Return how the probit of power grows with the square root of the size; its relative error."""
    z = NORMAL.inv_cdf(1 - question.level / 2)
    above = below = 0.0
    for size, found in tried:
        studies = _studies(size)
        rate = min(max(found, 0.5 / studies), 1 - 0.5 / studies)
        probit = NORMAL.inv_cdf(rate)
        # A probit is known as well as its rate: delta method.
        weight = studies * NORMAL.pdf(probit) ** 2 / (rate * (1 - rate))
        above += weight * math.sqrt(size) * (probit + z)
        below += weight * size
    slope = above / below
    return slope, math.sqrt(1 / below) / slope


def power_of(question: Question, found: Answer, games: float) -> float:
    """Return the power of a study with so many games in an arm, read off the line."""
    z = NORMAL.inv_cdf(1 - question.level / 2)
    return NORMAL.cdf(found.slope * math.sqrt(games) - z)


def _error_of_spread(values: Numbers) -> float:
    centred = values - values.mean()
    fourth = float((centred**4).mean() / (centred**2).mean() ** 2)
    return math.sqrt(max(fourth - 1, 0.0) / (4 * len(values)))


def _people(question: Question, games: int) -> int:
    return question.units(games) * question.arms * (2 if question.is_paired else 1)


def _invited(question: Question, games: int) -> int:
    # A pair is lost when either of the two leaves.
    stay = (1 - question.lost) ** (2 if question.is_paired else 1)
    return math.ceil(_people(question, games) / stay)


MEASURES: dict[Measure, str] = say.texts("measures")
