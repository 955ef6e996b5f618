"""The signals of a turn in words that a player understands."""

from typing import Any

import msgspec

NOT_OBSERVABLE = "not observable"


class Signal(msgspec.Struct, frozen=True):
    """One signal as a page shows it; ``share`` is 0..1 for a meter, None for words and counts."""

    name: str
    label: str
    text: str
    share: float | None = None

    @property
    def observable(self) -> bool:
        """Somebody could notice it."""
        return self.text != NOT_OBSERVABLE


LABELS: tuple[tuple[str, str], ...] = (
    ("verbal_urgency", "Urgency"),
    ("verbal_confidence", "Confidence"),
    ("verbal_deception_cue", "Bluff"),
    ("emotional_escalation", "Temper"),
    ("concession_pattern", "How you give way"),
    ("price_rounding", "Prices"),
    ("offer_speed", "Pace"),
    ("repeat_phrases", "Repeated phrases"),
    ("topic_changes", "Changes of subject"),
    ("eye_contact", "Eyes"),
    ("posture", "Posture"),
    ("fidget_level", "Fidgeting"),
)
"""Wire name of a signal and its word, in the order a page lists them."""

_NAMES = dict(LABELS) | {
    "urgency": "Urgency",
    "confidence": "Confidence",
    "deception": "Bluff",
    "escalation": "Temper",
    "condition": "Condition",
}


def label_of(signal: str) -> str:
    """Name a signal, or a span's short form of one, for people.

    >>> label_of("verbal_urgency")
    'Urgency'
    """
    return _NAMES.get(signal, signal.replace("_", " ").capitalize())


def signal_rows(signals: dict[str, Any], gives_way: str = "How you give way") -> tuple[Signal, ...]:
    """List the twelve signals of a ``tells`` event; ``gives_way`` says whose concessions."""
    labels = dict(LABELS) | {"concession_pattern": gives_way}
    return tuple(_row(name, label, signals.get(name)) for name, label in labels.items())


def _row(name: str, label: str, value: float | int | str | None) -> Signal:
    if value is None:
        return Signal(name, label, NOT_OBSERVABLE)
    if isinstance(value, float):
        return Signal(name, label, _amount(value), value)
    return Signal(name, label, str(value).replace("_", " "))


def _amount(share: float) -> str:
    for bound, word in ((0.15, "hardly any"), (0.35, "a little"), (0.6, "some"), (0.8, "much")):
        if share < bound:
            return word
    return "very much"
