"""How a seller by rule lets its hidden state show: formulas of the twelve signals.

The Gaussian noise is the same to the last bit on every machine. A library's goes through logarithms
and cosines whose last digit differs between computers; here a uniform index picks one of 1,024
equally likely quantiles, rounded to three decimals, so that only exact arithmetic follows a draw.
"""

import math
from random import Random

import msgspec

from bazaarbatna.bargain.tells import (
    CONDITIONS,
    ConditionLabel,
    Eyes,
    Pattern,
    Posture,
    Rounding,
    Speed,
    Tells,
)

BITS_PER_DRAW = 10
SIZE = 1 << BITS_PER_DRAW


def _quantiles(sd: float) -> tuple[float, ...]:
    """Invert the normal distribution function by Newton's method, from the middle outwards.

    On the right half the function is concave, so that Newton's method started at a smaller
    quantile never overshoots.
    """
    upper = []
    x = 0.0
    for place in range(SIZE // 2, SIZE):
        p = (place + 0.5) / SIZE
        for _ in range(12):
            density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
            x += (p - 0.5 * (1 + math.erf(x / math.sqrt(2)))) / density
        upper.append(round(sd * x, 3))
    return (*(-value for value in reversed(upper)), *upper)


NOISE = _quantiles(sd=0.1)
"""Quantiles of a normal distribution with mean 0 and standard deviation 0.1, in order."""

NOISY_SIGNALS = 6
"""Five levels and the topic changes each get one draw of noise."""
STALLING_BELOW = 100
"""Two asks less than this many paise apart look like stalling."""
URGENCY_OF_CONCESSION = 0.3
"""How much of the urgency comes from the distance already conceded."""
NEVER = 1_000_000
"""A round, or an urgency, that no game reaches."""


class Level(msgspec.Struct, frozen=True):
    """A signal 0..1 as a line: ``base + per_urgency * u + per_round * round`` (u is 0..1)."""

    base: float = 0.0
    per_urgency: float = 0.0
    per_round: float = 0.0


class TellStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one persona shows urgency ``u``, before noise.

    ``eyes`` turn avoidant from the urgency ``avoidant_from`` on, arms are crossed from round
    ``crossed_from``; ``topic_changes`` is how many per unit of urgency.
    """

    urgency: Level = Level(per_urgency=0.6)
    confidence: Level = Level(0.6, -0.3)
    deception: Level = Level()
    fidget: Level = Level(per_urgency=0.4)
    escalation: Level = Level()
    rounding: Rounding = "round"
    speed: Speed = "normal"
    pattern: Pattern = "steady"
    eyes: Eyes = "steady"
    avoidant_from: int | float = 0.5
    posture: Posture = "neutral"
    crossed_from: int = NEVER
    topic_changes: float = 0.0


def true_urgency(pressure: float, progress: float, conceded: float) -> float:
    """Return the urgency that a seller feels, 0..1; so are the arguments.

    ``pressure`` is that of the inventory, ``progress`` round / rounds, ``conceded`` the share of
    the way from the anchor to the reservation price already gone.
    """
    return min(1.0, pressure * progress + URGENCY_OF_CONCESSION * conceded)


def emit(
    style: TellStyle,
    urgency: float,
    round_: int,
    stalled: bool,
    label: ConditionLabel,
    rng: Random,
) -> Tells:
    """Show one turn's signals: the persona's formulas plus noise (sd 0.1), clipped to 0..1.

    Exactly one draw is taken from ``rng``, whatever the state.
    """
    luck = rng.getrandbits(BITS_PER_DRAW * NOISY_SIGNALS)
    condition, depreciation = CONDITIONS[label]
    return Tells(
        _level(style.urgency, urgency, round_, luck),
        _level(style.confidence, urgency, round_, luck >> 10),
        _level(style.deception, urgency, round_, luck >> 20),
        _level(style.fidget, urgency, round_, luck >> 30),
        _level(style.escalation, urgency, round_, luck >> 40),
        style.rounding,
        style.speed,
        "stalling" if stalled else style.pattern,
        "avoidant" if urgency >= style.avoidant_from else style.eyes,
        "arms_crossed" if round_ >= style.crossed_from else style.posture,
        1 if stalled else 0,
        _count(style.topic_changes * urgency, luck >> 50),
        condition,
        depreciation,
        label,
    )


def _level(level: Level, urgency: float, round_: int, luck: int) -> float:
    value = level.base + level.per_urgency * urgency + level.per_round * round_
    value += NOISE[luck % SIZE]
    # Twice as fast as min and max, and this runs five times a turn.
    return 0.0 if value < 0.0 else 1.0 if value > 1.0 else round(value, 3)


def _count(mean: float, luck: int) -> int:
    """Round to a whole number; the noise only matters near a half."""
    return int(mean + NOISE[luck % SIZE] + 0.5) if mean else 0
