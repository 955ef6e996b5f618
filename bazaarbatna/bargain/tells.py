"""The record of what one side lets the other notice."""

from typing import Literal

import msgspec

Rounding = Literal["round", "precise"]
Speed = Literal["instant", "normal", "deliberate"]
Pattern = Literal["steady", "erratic", "front_loaded", "stalling"]
Eyes = Literal["steady", "avoidant", "intense"]
Posture = Literal["neutral", "leaning_in", "leaning_back", "arms_crossed"]
ConditionLabel = Literal["new", "like_new", "very_good", "good", "acceptable", "junk"]

CONDITIONS: dict[ConditionLabel, tuple[float, float]] = {
    "new": (1.0, 0.0),
    "like_new": (0.85, 0.10),
    "very_good": (0.70, 0.25),
    "good": (0.55, 0.40),
    "acceptable": (0.35, 0.60),
    "junk": (0.10, 0.90),
}
"""Condition label -> (condition_score 1 mint .. 0 junk, depreciation_score 0..1)."""


class Tells(msgspec.Struct, frozen=True, gc=False):
    """Twelve signals of a side and three of its goods. ``None`` means not observable."""

    verbal_urgency: float | None = None
    verbal_confidence: float | None = None
    verbal_deception_cue: float | None = None
    fidget_level: float | None = None
    emotional_escalation: float | None = None
    price_rounding: Rounding | None = None
    offer_speed: Speed | None = None
    concession_pattern: Pattern | None = None
    eye_contact: Eyes | None = None
    posture: Posture | None = None
    repeat_phrases: int | None = None
    topic_changes: int | None = None
    condition_score: float | None = None
    depreciation_score: float | None = None
    condition_label: ConditionLabel | None = None


class TellSpan(msgspec.Struct, frozen=True, gc=False):
    """Where in a person's words a signal stands, in code points; ``why`` is for the player."""

    start: int
    end: int
    signal: str
    score: float
    why: str
