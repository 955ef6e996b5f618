"""How a seller by rule lets its hidden state show: formulas of the twelve signals."""

from random import Random

import msgspec

from negotiation.engine.noise import BITS_PER_DRAW, NOISE, SIZE
from negotiation.engine.tells import (
    CONDITIONS,
    ConditionLabel,
    Eyes,
    Pattern,
    Posture,
    Rounding,
    Speed,
    Tells,
)

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


class TellStyle(msgspec.Struct, frozen=True):
    """How one persona shows urgency ``u``, before noise.

    ``eyes`` turn avoidant from ``avoidant_from`` (an urgency, 0..1), arms are crossed from round
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
    avoidant_from: float = 0.5
    posture: Posture = "neutral"
    crossed_from: int = NEVER
    topic_changes: float = 0.0


def true_urgency(pressure: float, progress: float, conceded: float) -> float:
    """Return the urgency that a seller feels, 0..1.

    Args:
        pressure: inventory pressure, 0..1.
        progress: round / rounds, 0..1.
        conceded: share of the way from the anchor to the reservation price already gone, 0..1.

    >>> true_urgency(0.5, 0.5, 1.0)
    0.55
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

    Args:
        style: the persona's formulas.
        urgency: the true urgency, 0..1.
        round_: the round, from 1.
        stalled: the last two asks hardly differ.
        label: condition of the goods.
        rng: the episode's random numbers; exactly one draw is taken, whatever the state.
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
