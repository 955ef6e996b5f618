"""What many sellers let be noticed in one turn: ``engine.tells_emission`` for arrays."""

from typing import Any

import numpy as np
import numpy.typing as npt

from negotiation.engine.noise import BITS_PER_DRAW, NOISE, SIZE
from negotiation.engine.tells import CONDITIONS, ConditionLabel
from negotiation.engine.tells_emission import Level, TellStyle
from negotiation.environment.gymnasium_spaces import CATEGORIES, COUNTS, GOODS, LEVELS
from negotiation.environment.sweeps.arrays import Flags, Floats, Ints, Words

THOUSANDTHS = 1000
NEAR_A_TIE = 1e-6

_NOISE = np.array(NOISE)
_LABELS = tuple(CONDITIONS)
_CONDITIONS = np.array([CONDITIONS[label] for label in _LABELS])


class ShownTells:
    """The tells of the last turn at many tables, in the form of the observation space."""

    def __init__(self, tables: int) -> None:
        self.arrays: dict[str, npt.NDArray[Any]] = {
            "levels": np.full((tables, len(LEVELS)), -1.0),
            "counts": np.full((tables, len(COUNTS)), -1.0),
            "goods": np.full((tables, len(GOODS)), -1.0),
            **{key: np.zeros(tables, np.int64) for key in CATEGORIES},
        }

    def hide(self, rows: Ints) -> None:
        """Forget what was shown: at these tables nobody has spoken yet."""
        for key, array in self.arrays.items():
            array[rows] = 0 if key in CATEGORIES else -1.0

    def show(
        self,
        rows: Ints,
        style: TellStyle,
        urgency: Floats,
        round_: Ints,
        stalled: Flags,
        labels: Ints,
        luck: Words,
    ) -> None:
        """Emit the tells of a turn.

        Args:
            rows: the tables where the seller answers.
            style: the persona's formulas.
            urgency: true urgency at each, 0..1.
            round_: from 1.
            stalled: the last two asks hardly differ.
            labels: condition of the goods, as index of ``CONDITIONS``.
            luck: shape (2, rows), the first two words of the sellers' turns.
        """
        bits = luck[0].astype(np.uint64) | (luck[1] >> np.uint32(4)).astype(np.uint64) << np.uint64(
            32
        )

        def noise(place: int) -> Floats:
            picked = bits >> np.uint64(BITS_PER_DRAW * place) & np.uint64(SIZE - 1)
            found: Floats = _NOISE[picked.astype(np.int64)]
            return found

        levels = (style.urgency, style.confidence, style.deception, style.fidget, style.escalation)
        for place, level in enumerate(levels):
            self.arrays["levels"][rows, place] = _level(level, urgency, round_, noise(place))
        topics = style.topic_changes * urgency
        counted = np.where(topics != 0, np.trunc(topics + noise(len(levels)) + 0.5), 0.0)
        self.arrays["counts"][rows] = np.stack((stalled, counted), axis=1)
        self.arrays["goods"][rows] = _CONDITIONS[labels]
        shown = {
            "rounding": _place("rounding", style.rounding),
            "speed": _place("speed", style.speed),
            "pattern": np.where(
                stalled, _place("pattern", "stalling"), _place("pattern", style.pattern)
            ),
            "eyes": np.where(
                urgency >= style.avoidant_from,
                _place("eyes", "avoidant"),
                _place("eyes", style.eyes),
            ),
            "posture": np.where(
                round_ >= style.crossed_from,
                _place("posture", "arms_crossed"),
                _place("posture", style.posture),
            ),
            "condition": labels + 1,
        }
        for key, values in shown.items():
            self.arrays[key][rows] = values


def label_place(label: ConditionLabel) -> int:
    """Give the place of a condition in ``CONDITIONS``."""
    return _LABELS.index(label)


def _level(level: Level, urgency: Floats, round_: Ints, noise: Floats) -> Floats:
    value = level.base + level.per_urgency * urgency + level.per_round * round_
    value = value + noise
    scaled = value * THOUSANDTHS
    rounded: Floats = np.rint(scaled) / THOUSANDTHS
    # Next to a tie the product may have been rounded across it; Python's ``round`` knows better.
    for row in np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < NEAR_A_TIE):
        rounded[row] = round(float(value[row]), 3)
    return np.where(value < 0.0, 0.0, np.where(value > 1.0, 1.0, rounded))


def _place(key: str, value: str) -> int:
    return CATEGORIES[key][1].index(value)
