"""The signals of a turn as a reader sees them: a name, words, and a meter where there is one."""

from typing import Any

import msgspec

NAMES: dict[str, str] = {
    "verbal_urgency": "Urgency",
    "verbal_confidence": "Confidence",
    "verbal_deception_cue": "Bluffing",
    "emotional_escalation": "Temper",
    "fidget_level": "Fidgeting",
    "price_rounding": "Price",
    "offer_speed": "Answered",
    "concession_pattern": "Concessions",
    "repeat_phrases": "Repeated phrases",
    "topic_changes": "Changes of subject",
    "eye_contact": "Eyes",
    "posture": "Posture",
    "condition_score": "Condition of the item",
    "depreciation_score": "Wear",
    "condition_label": "Described as",
}
"""Wire name -> what people call it, in the order of the page. Numbers from 0 to 1 get a meter."""


class Signal(msgspec.Struct, frozen=True):
    """One line: ``share`` is 0..1 for a meter, None for a word or a count."""

    name: str
    text: str
    share: float | None = None


def shown(signals: dict[str, Any]) -> tuple[Signal, ...]:
    """Prepare the observable signals; those that text cannot carry are left out.

    >>> shown({"verbal_urgency": 0.62, "eye_contact": None})
    (Signal(name='Urgency', text='62 %', share=0.62),)
    """
    return tuple(
        _signal(label, signals[name])
        for name, label in NAMES.items()
        if signals.get(name) is not None
    )


def _signal(label: str, value: float | str) -> Signal:
    if isinstance(value, float):
        return Signal(label, f"{value:.0%}".replace("%", " %"), min(max(value, 0.0), 1.0))
    return Signal(label, str(value).replace("_", " "))
